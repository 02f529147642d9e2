import { expect, test, vi } from 'vitest';
import type { BaseLanguageClient } from 'vscode-languageclient';
import { answerFiles } from '../../../client/vscode/files.ts';
import { listFilesRequest, readFileRequest } from '../../../server/protocol.ts';

const editor = vi.hoisted(() => ({
  files: new Map<string, Uint8Array>(),
  sizes: new Map<string, number>(),
  /** Whether the editor can search the files. */
  canSearch: true,
}));

vi.mock('vscode', () => ({
  CancellationTokenSource: class {
    readonly token = { isCancellationRequested: false };
    cancel() {
      this.token.isCancellationRequested = true;
    }
    dispose() {}
  },
  FileType: { File: 1, Directory: 2 },
  RelativePattern: class {
    readonly base: string;
    constructor(base: string) {
      this.base = base;
    }
  },
  Uri: {
    parse: (uri: string) => uri,
    joinPath: (folder: string, name: string) => `${folder.replace(/\/$/, '')}/${name}`,
  },
  workspace: {
    findFiles: ({ base }: { base: string }) =>
      editor.canSearch
        ? Promise.resolve([...editor.files.keys()].filter((uri) => uri.startsWith(base)))
        : new Promise(() => {}),
    fs: {
      async stat(uri: string) {
        const size = editor.sizes.get(uri) ?? editor.files.get(uri)?.length;
        if (size === undefined) throw new Error('not found');
        return { size };
      },
      readFile: async (uri: string) => editor.files.get(uri),
      async readDirectory(folder: string) {
        const below = `${folder.replace(/\/$/, '')}/`;
        const paths = [...editor.files.keys()].filter((uri) => uri.startsWith(below));
        const names = new Set(paths.map((uri) => uri.slice(below.length).replace(/\/.*/, '/')));
        return [...names].map((name) => (name.endsWith('/') ? [name.slice(0, -1), 2] : [name, 1]));
      },
    },
  },
}));

function answers(): (method: string, params: object) => Promise<unknown> {
  const registered = new Map<string, (params: object) => Promise<unknown>>();
  const client = {
    onRequest: (method: string, answer: (params: object) => Promise<unknown>) =>
      registered.set(method, answer),
  };
  answerFiles(client as unknown as BaseLanguageClient);
  return async (method, params) => registered.get(method)?.(params);
}

test('The server gets the files of a folder and their texts, and null for files that cannot be read', async () => {
  editor.files.set('memfs:/w/a.sql', new TextEncoder().encode('select 1'));
  editor.files.set('memfs:/w/dump.sql', new Uint8Array());
  editor.sizes.set('memfs:/w/dump.sql', 1e9);
  const ask = answers();
  expect(await ask(listFilesRequest, { folder: 'memfs:/w/', pattern: '**/*.sql' })).toEqual([
    'memfs:/w/a.sql',
    'memfs:/w/dump.sql',
  ]);
  expect(await ask(readFileRequest, { uri: 'memfs:/w/a.sql' })).toBe('select 1');
  expect(await ask(readFileRequest, { uri: 'memfs:/w/dump.sql' })).toBeNull();
  expect(await ask(readFileRequest, { uri: 'memfs:/w/gone.sql' })).toBeNull();
});

test('If the editor cannot search, the folders are listed one by one, except folders such as node_modules', async () => {
  vi.useFakeTimers();
  try {
    editor.canSearch = false;
    editor.files.clear();
    for (const path of ['sync.yaml', 'db/deep/1.sql', 'node_modules/a/2.sql'])
      editor.files.set(`memfs:/w/${path}`, new Uint8Array());
    const listed = answers()(listFilesRequest, { folder: 'memfs:/w', pattern: '**/*' });
    await vi.runAllTimersAsync();
    expect(await listed).toEqual(['memfs:/w/sync.yaml', 'memfs:/w/db/deep/1.sql']);
  } finally {
    vi.useRealTimers();
  }
});
