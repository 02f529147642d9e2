import { afterEach, describe, expect, test } from 'vitest';
import {
  type ClientCapabilities,
  type CodeAction,
  LSPErrorCodes,
  type TextDocumentEdit,
  type TextEdit,
} from 'vscode-languageserver';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { bareHost, type Host } from '../../server/lsp/host/host.ts';
import { type Client, canPull, connectClient } from '../support/editor/client.ts';
import { memoryFiles } from '../support/editor/memoryFiles.ts';

const uri = 'file:///project/sync.yaml';
const text = `config:
  edition: 3
streams:
  mine:
    query: SELECT id FROM tasks WHERE owner = connection.user_id() AND kind = NULL
`;

const rich: ClientCapabilities = {
  ...canPull,
  textDocument: {
    ...canPull.textDocument,
    codeAction: { ...canPull.textDocument?.codeAction, disabledSupport: true },
  },
  workspace: { workspaceEdit: { documentChanges: true, resourceOperations: ['create'] } },
};

let client: Client;

afterEach(() => client.dispose());

function at(document: TextDocument, word: string) {
  const position = document.positionAt(document.getText().indexOf(word));
  return { start: position, end: position };
}

async function actionsAt(
  document: TextDocument,
  word: string,
  only?: readonly string[],
): Promise<CodeAction[]> {
  return client.request('textDocument/codeAction', {
    textDocument: { uri: document.uri },
    range: at(document, word),
    context: { diagnostics: [], ...(only && { only }) },
  });
}

async function open(content: string, at = uri): Promise<TextDocument> {
  await client.open(at, content);
  return TextDocument.create(at, 'yaml', 1, content);
}

function apply(document: TextDocument, action: CodeAction | undefined): string {
  const versioned = action?.edit?.documentChanges?.find(
    (change): change is TextDocumentEdit =>
      'edits' in change && change.textDocument.uri === document.uri && change.textDocument.version === 1,
  );
  const edits = (versioned?.edits as TextEdit[] | undefined) ?? action?.edit?.changes?.[document.uri];
  return TextDocument.applyEdits(document, edits ?? []);
}

describe('Code actions', () => {
  test('name the finding that they repair, and are preferred if the fix is unambiguous', async () => {
    client = await connectClient(rich);
    const document = await open(text);
    const [fix] = await actionsAt(document, 'connection.user_id');
    expect(fix).toMatchObject({
      title: 'Write auth.user_id',
      kind: 'quickfix',
      isPreferred: true,
      diagnostics: [{ code: 'user-id-wrong-schema', source: 'headwater' }],
    });
    expect(apply(document, fix)).toBe(text.replace('connection.user_id', 'auth.user_id'));
  });

  test('have the right edits in a file with CRLF', async () => {
    client = await connectClient(rich);
    const document = await open(text.replaceAll('\n', '\r\n'));
    const [fix] = await actionsAt(document, 'connection.user_id');
    expect(apply(document, fix)).toBe(
      text.replace('connection.user_id', 'auth.user_id').replaceAll('\n', '\r\n'),
    );
  });

  test('are returned in the requested kinds, and source actions only on request', async () => {
    client = await connectClient(rich);
    const document = await open(text);
    const kindsOf = async (only?: readonly string[]) =>
      new Set((await actionsAt(document, 'connection.user_id', only)).map(({ kind }) => kind));
    expect(await kindsOf()).toEqual(new Set(['quickfix', 'refactor.rewrite']));
    expect(await kindsOf(['refactor'])).toEqual(new Set(['refactor.rewrite']));
    expect(await kindsOf(['source.fixAll'])).toEqual(new Set(['source.fixAll.headwater']));
    const [all] = await actionsAt(document, 'config', ['source.fixAll']);
    expect(apply(document, all)).toContain('owner = auth.user_id()');
  });

  test('format all queries of a file that another extension formats', async () => {
    client = await connectClient(rich);
    const unformatted = text.replace('SELECT', 'select');
    const document = await open(unformatted);
    const asked = ['source.formatQueries.headwater'];
    const [format, ...others] = await actionsAt(document, 'config', asked);
    expect(others).toEqual([]);
    expect(apply(document, format)).not.toBe(unformatted);
    expect(apply(document, format)).toBe(text);
    const tidy = await open(text, 'file:///project/tidy.yaml');
    expect(await actionsAt(tidy, 'config', asked)).toEqual([]);
  });

  test('create a file next to the config, but only for a client that supports this', async () => {
    const service = 'sync_config:\n  content: |\n    config:\n      edition: 3\n    streams: {}\n';
    const host: Host = {
      ...bareHost,
      files: {
        list: async () => ({ paths: [] }),
        read: async () => undefined,
        exists: (at) => at.names.at(-1)?.name === 'sync-config.yaml',
      },
    };
    client = await connectClient(rich, { host });
    const document = await open(service, 'file:///project/a folder/service.yaml'.replace(' ', '%20'));
    const moving = (await actionsAt(document, 'content')).find(({ title }) => title.startsWith('Move'));
    const target = 'file:///project/a%20folder/sync-config-2.yaml';
    expect(moving?.edit?.documentChanges).toMatchObject([
      { kind: 'create', uri: target },
      { textDocument: { uri: target }, edits: [{ newText: 'config:\n  edition: 3\nstreams: {}\n' }] },
      { textDocument: { uri: document.uri }, edits: [{ newText: 'path: sync-config-2.yaml' }] },
    ]);
    client.dispose();
    client = await connectClient(canPull, { host });
    await open(service, document.uri);
    expect((await actionsAt(document, 'content')).map(({ title }) => title)).toEqual([]);
  });

  test('write the content of another file into the config', async () => {
    const service = 'sync_config:\n  path: rules/sync.yaml\n';
    const files = new Map([['file:///project/rules/sync.yaml', 'config:\n  edition: 3\nstreams: {}\n']]);
    const host: Host = {
      ...bareHost,
      files: memoryFiles(files),
    };
    client = await connectClient(rich, { host });
    const document = await open(service, 'file:///project/service.yaml');
    const inlining = (await actionsAt(document, 'path')).find(({ title }) =>
      title.startsWith('Write the sync'),
    );
    expect(apply(document, inlining)).toBe(
      'sync_config:\n  content: |\n    config:\n      edition: 3\n    streams: {}\n',
    );
  });

  test('fail as outdated if the file changes while another file is being read', async () => {
    const service = 'sync_config:\n  path: sync.yaml\n';
    let isAsked = false;
    let begin = () => {};
    let finish = (_: string) => {};
    const reading = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const read = new Promise<string>((resolve) => {
      finish = resolve;
    });
    const host: Host = {
      ...bareHost,
      files: {
        list: async () => ({ paths: [] }),
        read: (at) => {
          if (!isAsked || at.names.at(-1)?.name !== 'sync.yaml') return Promise.resolve(undefined);
          begin();
          return read;
        },
        exists: () => true,
      },
    };
    client = await connectClient(rich, { host });
    const document = await open(service, 'file:///project/service.yaml');
    isAsked = true;
    const asked = actionsAt(document, 'path');
    await reading;
    const start = { line: 0, character: 0 };
    await client.change(document.uri, { range: { start, end: start }, text: '# more\n'.repeat(30) });
    await client.request('textDocument/documentSymbol', { textDocument: { uri: document.uri } });
    finish('config:\n  edition: 3\nstreams: {}\n');
    await expect(asked).rejects.toMatchObject({ code: LSPErrorCodes.ContentModified });
  });

  test('have no versions for a client that does not support them', async () => {
    client = await connectClient(canPull);
    const document = await open(text);
    const [fix] = await actionsAt(document, 'connection.user_id');
    expect(Object.keys(fix?.edit ?? {})).toEqual(['changes']);
    expect(apply(document, fix)).toContain('owner = auth.user_id()');
  });

  test('report why a file cannot be migrated', async () => {
    client = await connectClient(rich);
    const document = await open(
      'bucket_definitions:\n  a:\n    data:\n      - SELECT id, json_valid(x) AS v FROM t\n',
    );
    const migration = (await actionsAt(document, 'data')).find(({ title }) => title.startsWith('Migrate'));
    expect(migration).toMatchObject({
      disabled: { reason: expect.stringContaining('`a` cannot be migrated.') },
    });
    expect(migration?.edit).toBeUndefined();
  });

  test('are not returned for files that are not open', async () => {
    client = await connectClient(rich);
    const closed = TextDocument.create('file:///closed.yaml', 'yaml', 1, text);
    expect(await actionsAt(closed, 'config')).toBeNull();
  });
});

describe('Formatting', () => {
  const untidy =
    'config:\n  edition: 3\nstreams:\n  a:\n    query: |\n      select  id\n      from t\n  b:\n    query: select  id from t\n';
  const options = { tabSize: 2, insertSpaces: true };

  async function edited(method: string, params: object): Promise<string> {
    client = await connectClient(canPull);
    const document = await open(untidy);
    const edits = await client.request<TextEdit[]>(method, { textDocument: { uri }, options, ...params });
    return TextDocument.applyEdits(document, edits);
  }

  test('changes the whole file', async () => {
    expect(await edited('textDocument/formatting', {})).toBe(
      'config:\n  edition: 3\nstreams:\n  a:\n    query: |\n      SELECT id\n      FROM t\n  b:\n    query: SELECT id FROM t\n',
    );
  });

  test('changes only the selection', async () => {
    const range = { start: { line: 8, character: 0 }, end: { line: 8, character: 1 } };
    expect(
      await edited('textDocument/rangeFormatting', { range: { ...range, end: { line: 8, character: 20 } } }),
    ).toBe(untidy.replace('select  id from t', 'SELECT id FROM t'));
  });

  test('changes only the completed line while typing', async () => {
    const position = { line: 6, character: 6 };
    expect(await edited('textDocument/onTypeFormatting', { position, ch: '\n' })).toBe(
      untidy.replace('select  id\n', 'SELECT id\n'),
    );
  });

  test('is not offered for foreign YAML', async () => {
    client = await connectClient(canPull);
    await open('apiVersion: v1\nkind: Service\n', 'file:///x.yaml');
    const params = { textDocument: { uri: 'file:///x.yaml' }, options };
    expect(await client.request('textDocument/formatting', params)).toBeNull();
  });
});
