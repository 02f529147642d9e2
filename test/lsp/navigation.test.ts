import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type {
  CodeLens,
  DocumentLink,
  DocumentSymbol,
  FoldingRange,
  InlayHint,
  Location,
  SelectionRange,
  SemanticTokens,
  WorkspaceEdit,
  WorkspaceSymbol,
} from 'vscode-languageserver';
import { analyze, plansOf } from '../../server/engine/index.ts';
import { fingerprintOf } from '../../server/engine/plan/fingerprint.ts';
import { bareHost } from '../../server/lsp/host/host.ts';
import { type Client, canPull, connectClient } from '../support/editor/client.ts';
import { memoryFiles } from '../support/editor/memoryFiles.ts';

const folder = 'file:///w/';
const uri = `${folder}sync.yaml`;
const text = `config:
  edition: 3
with:
  mine: SELECT id FROM lists WHERE owner = connection.parameter('me')
streams:
  todos:
    auto_subscribe: true
    query: |
      SELECT * FROM todos
      WHERE list_id IN mine
`;
const closed = `${folder}other/sync.yaml`;
/** The folder of another app. */
const otherFolder = 'file:///v/';
const ofOthers = `${otherFolder}sync.yaml`;
const initializationOptions = {
  commands: ['headwater.deploy', 'headwater.compareWithDeployed'],
  codePages: 'https://example.com/errors',
};

let client: Client;

beforeEach(async () => {
  const files = memoryFiles(
    new Map([
      [closed, text.replace('todos:', 'other_todos:')],
      [ofOthers, text.replace('todos:', 'foreign:')],
    ]),
  );
  client = await connectClient(canPull, {
    host: { ...bareHost, files },
    folders: [folder, otherFolder],
    initializationOptions,
    settings: () => ({ inlayHints: { buckets: true } }),
  });
  await client.open(uri, text);
});

afterEach(() => client.dispose());

const textDocument = { uri };
const inMine = { line: 9, character: 24 };
const key = { start: { line: 3, character: 2 }, end: { line: 3, character: 6 } };
const use = { start: { line: 9, character: 23 }, end: { line: 9, character: 27 } };

test('A definition, its references and highlights have exact ranges', async () => {
  const at = { textDocument, position: inMine };
  expect(await client.request('textDocument/definition', at)).toEqual([{ uri, range: key }]);
  const context = { includeDeclaration: true };
  expect(await client.request('textDocument/references', { ...at, context })).toEqual([
    { uri, range: key },
    { uri, range: use },
  ]);
  const uses = await client.request('textDocument/references', {
    ...at,
    context: { includeDeclaration: false },
  });
  expect(uses).toEqual([{ uri, range: use }]);
  expect(await client.request('textDocument/documentHighlight', at)).toEqual([
    { range: key, kind: 3 },
    { range: use, kind: 2 },
  ]);
});

test('A name that all configs of a folder share is also found in the configs on disk', async () => {
  const at = { textDocument, position: { line: 3, character: 67 }, context: { includeDeclaration: true } };
  const found = await client.request<Location[]>('textDocument/references', at);
  expect(found.map((location) => location.uri)).toEqual([uri, closed]);
});

describe('Rename', () => {
  test('is prepared with the name, and changes all places of the name', async () => {
    const at = { textDocument, position: inMine };
    expect(await client.request('textDocument/prepareRename', at)).toEqual({
      range: use,
      placeholder: 'mine',
    });
    expect(await client.request('textDocument/rename', { ...at, newName: 'ours' })).toEqual({
      changes: { [uri]: [key, use].map((range) => ({ range, newText: 'ours' })) },
    });
  });

  test('of a parameter also changes configs on disk', async () => {
    const at = { textDocument, position: { line: 3, character: 67 } };
    const edit = await client.request<WorkspaceEdit>('textDocument/rename', { ...at, newName: 'user' });
    expect(Object.keys(edit.changes ?? {})).toEqual([uri, closed]);
  });

  test('that would break something fails with a message', async () => {
    const at = { textDocument, position: { line: 8, character: 22 } };
    await expect(client.request('textDocument/prepareRename', at)).rejects.toThrow(/table of the source/);
    await expect(
      client.request('textDocument/rename', { textDocument, position: inMine, newName: 'todos' }),
    ).rejects.toThrow(/`todos`/);
  });
});

test('The symbols of the document and of the workspace are returned', async () => {
  const outline = await client.request<DocumentSymbol[]>('textDocument/documentSymbol', { textDocument });
  expect(outline.map(({ name, children }) => [name, children?.map((child) => child.name)])).toEqual([
    ['config', ['edition']],
    ['with', ['mine']],
    ['streams', ['todos']],
  ]);
  const found = await client.request<WorkspaceSymbol[]>('workspace/symbol', { query: 'tds' });
  expect(found.map(({ name, location }) => [name, location.uri])).toEqual([
    ['todos', uri],
    ['other_todos', closed],
  ]);
});

test('A fold ends on the last line of its content', async () => {
  const folds = await client.request<FoldingRange[]>('textDocument/foldingRange', { textDocument });
  expect(folds.map(({ startLine, endLine }) => [startLine, endLine])).toEqual([
    [0, 1],
    [2, 3],
    [4, 9],
    [5, 9],
    [7, 9],
  ]);
});

test('A selection has a chain for each position', async () => {
  const positions = [inMine, { line: 0, character: 1 }];
  const chains = await client.request<SelectionRange[]>('textDocument/selectionRange', {
    textDocument,
    positions,
  });
  expect(chains.map(({ range }) => range)).toEqual([
    use,
    { start: { line: 0, character: 0 }, end: { line: 0, character: 6 } },
  ]);
  expect(chains[0]?.parent?.range).toEqual({ start: { line: 9, character: 12 }, end: use.end });
});

test('Hints are limited to the requested range', async () => {
  const ask = (start: number, end: number) =>
    client.request<InlayHint[]>('textDocument/inlayHint', {
      textDocument,
      range: { start: { line: start, character: 0 }, end: { line: end, character: 0 } },
    });
  expect((await ask(0, 9)).map(({ label, position }) => [label, position])).toEqual([
    ['1 bucket per row of lists', { line: 5, character: 8 }],
  ]);
  expect(await ask(7, 9)).toEqual([]);
});

test('Hints show how much clients get after a service has reported it, until the report is withdrawn', async () => {
  const labels = async () => {
    const range = { start: { line: 0, character: 0 }, end: { line: 9, character: 0 } };
    const hints = await client.request<InlayHint[]>('textDocument/inlayHint', { textDocument, range });
    return hints.map(({ label }) => label);
  };
  const { config } = analyze(text, { kind: 'sync', defaultSchema: 'public' });
  const streams = (config === undefined ? [] : plansOf(config)).map((plan) => ({
    name: plan.name,
    fingerprint: fingerprintOf(plan),
    buckets: 212,
    reference: 1_235,
  }));
  const most = [{ values: ['ada'], buckets: 212, results: 212, reference: 1_235 }];
  const groups = [{ by: ['auth.user_id()'], streams, most }];
  const forecast = { limits: { buckets: 1_000, results: 1_000 }, streams, groups };
  const before = await client.pull(uri);
  expect(await client.request('headwater/limits', { forecast })).toBe(true);
  const report = await client.pull(uri, before.resultId);
  expect(report).toMatchObject({ kind: 'full' });
  expect('items' in report ? report.items.map(({ code }) => code) : []).toContain('near-limit');
  expect(await labels()).toEqual(['1,235 of 1,000 results in PowerSync']);
  expect(await client.request('headwater/limits', { forecast: null })).toBe(false);
  expect(await labels()).toEqual(['1 bucket per row of lists']);
});

test('Code lenses are the commands of the client, with the file as their argument', async () => {
  const lenses = await client.request<CodeLens[]>('textDocument/codeLens', { textDocument });
  expect(lenses.map(({ command }) => command)).toEqual([
    { title: 'Deploy', command: 'headwater.deploy', arguments: [uri] },
    { title: 'Compare with deployed', command: 'headwater.compareWithDeployed', arguments: [uri] },
  ]);
});

test('Codes link to their pages, and a service config links to its sync config', async () => {
  await client.open(`${folder}a/service.yaml`, 'replication: {}\nsync_config:\n  path: ../my sync.yaml\n');
  const links = await client.request<DocumentLink[]>('textDocument/documentLink', {
    textDocument: { uri: `${folder}a/service.yaml` },
  });
  expect(links.map(({ target }) => target)).toEqual([`${folder}my%20sync.yaml`]);
  await client.change(uri, { text: `${text}nonsense: 1\n` });
  const report = await client.pull(uri);
  const item = report.kind === 'full' ? report.items.find(({ code }) => code === 'unknown-key') : undefined;
  expect(item?.codeDescription).toEqual({ href: 'https://example.com/errors/unknown-key.md' });
});

test('Tokens have the types of the legend, and each place is relative to the token before', async () => {
  const { legend } = client.server.capabilities.semanticTokensProvider as {
    legend: { tokenTypes: string[] };
  };
  const { data } = await client.request<SemanticTokens>('textDocument/semanticTokens/full', { textDocument });
  const [line, character, length, type = 0] = data;
  expect([line, character, length, legend.tokenTypes[type]]).toEqual([3, 8, 6, 'keyword']);
  expect(data.length % 5).toBe(0);
  const range = { start: { line: 8, character: 0 }, end: { line: 9, character: 0 } };
  const part = await client.request<SemanticTokens>('textDocument/semanticTokens/range', {
    textDocument,
    range,
  });
  expect(part.data.length).toBe(4 * 5);
});

test('Requests for foreign files have no answer', async () => {
  const foreign = `${folder}powersync/values.yaml`;
  await client.open(foreign, 'apiVersion: v1\nkind: Service\n');
  const asked = { textDocument: { uri: foreign }, position: { line: 0, character: 1 }, positions: [] };
  for (const method of ['definition', 'documentHighlight', 'documentSymbol', 'foldingRange', 'codeLens'])
    expect(await client.request(`textDocument/${method}`, asked)).toBeNull();
});
