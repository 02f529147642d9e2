import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { LogOutputChannel, Uri } from 'vscode';
import type { BaseLanguageClient, LanguageClientOptions } from 'vscode-languageclient';
import { translateWith } from '../../../client/l10n.ts';
import { LanguageServer } from '../../../client/vscode/language.ts';
import { eventually } from '../../support/house/eventually.ts';

/** The part of VS Code that these tests need. Each test sets its state. */
const editor = vi.hoisted(() => ({
  enabled: true,
  hasConfigOpen: true,
  isTrusted: true,
  onOpen: () => {},
  onSettings: () => {},
  messages: [] as string[],
  language: 'en',
  /** The button that the user clicks in the next message. */
  answer: undefined as string | undefined,
}));

vi.mock('vscode', () => ({
  commands: { getCommands: async () => ['headwater.deploy', 'editor.action.rename'] },
  Disposable: { from: () => ({ dispose() {} }) },
  env: editor,
  EventEmitter: class {
    event() {}
    fire() {}
    dispose() {}
  },
  extensions: { getExtension: () => undefined, onDidChange() {} },
  languages: { match: () => (editor.hasConfigOpen ? 10 : 0) },
  window: {
    showErrorMessage(message: string) {
      editor.messages.push(message);
      const { answer } = editor;
      editor.answer = undefined;
      return Promise.resolve(answer);
    },
  },
  workspace: {
    get isTrusted() {
      return editor.isTrusted;
    },
    textDocuments: [{ uri: { path: '/sync.yaml' } }],
    getConfiguration: () => ({ get: (name: string) => (name === 'enable' ? editor.enabled : []) }),
    onDidOpenTextDocument(listener: () => void) {
      editor.onOpen = listener;
    },
    onDidSaveTextDocument() {},
    onDidChangeConfiguration(listener: (change: object) => void) {
      editor.onSettings = () => listener({ affectsConfiguration: () => true });
    },
    onDidChangeWorkspaceFolders() {},
  },
}));

interface FakeClient {
  readonly options: LanguageClientOptions;
  disposed: boolean;
}

let clients: FakeClient[];
let startsFail: boolean;

beforeEach(() => {
  clients = [];
  warnings = [];
  startsFail = false;
  Object.assign(editor, {
    enabled: true,
    hasConfigOpen: true,
    isTrusted: true,
    messages: [],
    answer: undefined,
    language: 'en',
  });
});

let warnings: string[];
const log = {
  info() {},
  warn: (sentence: string) => warnings.push(sentence),
  error() {},
  show() {},
} as unknown as LogOutputChannel;

const pages = { toString: () => 'file:///extension/docs/rules' } as Uri;

function keep(): LanguageServer {
  return new LanguageServer(
    async (options) => {
      const client: FakeClient & Partial<BaseLanguageClient> = {
        options,
        disposed: false,
        error() {},
        onRequest: () => ({ dispose() {} }),
        onNotification: () => ({ dispose() {} }),
        start: () => (startsFail ? Promise.reject(new Error('no worker')) : Promise.resolve()),
        async dispose() {
          client.disposed = true;
        },
      };
      clients.push(client);
      return client as unknown as BaseLanguageClient;
    },
    log,
    pages,
  );
}

const running = () => clients.filter(({ disposed }) => !disposed).length;
const crash = () => clients.at(-1)?.options.errorHandler?.closed();

describe('The language server', () => {
  test('is not loaded before a sync config is open', async () => {
    editor.hasConfigOpen = false;
    const server = keep();
    editor.onOpen();
    await server.restart();
    expect(clients).toHaveLength(0);
    editor.hasConfigOpen = true;
    editor.onOpen();
    await eventually(() => expect(clients).toHaveLength(1));
  });

  test('runs only once, however many files are opened', async () => {
    const server = keep();
    editor.onOpen();
    editor.onOpen();
    await server.restart();
    expect(running()).toBe(1);
  });

  test('is a new instance after a restart', async () => {
    const server = keep();
    await server.restart();
    expect(clients.map(({ disposed }) => disposed)).toEqual([true, false]);
  });

  test('ends when it is disabled, and does not start again', async () => {
    const server = keep();
    editor.enabled = false;
    editor.onSettings();
    await server.restart();
    expect(running()).toBe(0);
  });

  test('is started again after a crash, which is logged once', async () => {
    keep();
    await eventually(() => expect(clients).toHaveLength(1));
    void crash();
    await eventually(() => expect(clients).toHaveLength(2));
    expect(editor.messages).toEqual([]);
    expect(warnings).toEqual(['The language server has ended by itself. It is started again.']);
  });

  test('is given up with one message if it cannot start, until the user restarts it', async () => {
    startsFail = true;
    const server = keep();
    await eventually(() => expect(editor.messages).toHaveLength(1));
    expect(clients).toHaveLength(5);
    editor.onOpen();
    startsFail = false;
    await server.restart();
    expect(clients).toHaveLength(6);
    expect(editor.messages).toHaveLength(1);
  });

  test('is restarted by the button in that message', async () => {
    keep();
    editor.answer = 'Restart';
    for (let times = 1; times <= 5; times += 1) {
      await eventually(() => expect(clients).toHaveLength(times));
      void crash();
    }
    await eventually(() => expect(clients).toHaveLength(6));
    expect(editor.messages).toHaveLength(1);
  });
});

test('The server receives the list of commands', async () => {
  const server = keep();
  await server.restart();
  expect(clients.at(-1)?.options.initializationOptions).toEqual({
    commands: ['headwater.deploy'],
    codePages: 'file:///extension/docs/rules',
    files: true,
    forecasts: true,
    tests: 'shown',
  });
});

test('The server may only read the SQL files of a workspace that is not trusted', async () => {
  editor.isTrusted = false;
  await keep().restart();
  expect(clients.at(-1)?.options.initializationOptions).toMatchObject({ sql: 'only read' });
});

describe('A report of the server', () => {
  const middleware = async () => {
    const server = keep();
    await server.restart();
    return clients.at(-1)?.options.middleware;
  };
  const report = () => ({
    kind: 'full' as const,
    items: [{ message: 'There is no table `a`.', relatedInformation: [{ message: 'Use its name.' }] }],
  });
  const provide = async () =>
    (await middleware())?.provideDiagnostics?.({} as never, undefined, {} as never, () => report() as never);

  afterEach(() => translateWith((sentence) => sentence));

  test('stays unchanged in English', async () => {
    expect(await middleware()).toBeUndefined();
  });

  test('is translated into the language of the editor, with its related information', async () => {
    editor.language = 'de';
    translateWith((sentence, ...values) => `${sentence.toUpperCase()} ${values.join()}`.trim());
    expect(await provide()).toEqual({
      kind: 'full',
      items: [{ message: 'THERE IS NO TABLE `{0}`. a', relatedInformation: [{ message: 'USE ITS NAME.' }] }],
    });
  });

  test('is passed on if it contains nothing new', async () => {
    editor.language = 'de';
    const unchanged = { kind: 'unchanged', resultId: '1' };
    const answer = (await middleware())?.provideDiagnostics?.(
      {} as never,
      undefined,
      {} as never,
      () => unchanged as never,
    );
    expect(await answer).toEqual(unchanged);
  });
});
