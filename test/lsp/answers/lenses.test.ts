import { afterEach, expect, test } from 'vitest';
import type { CodeLens, Location } from 'vscode-languageserver';
import { bareHost } from '../../../server/lsp/host/host.ts';
import type { ShownPlaces } from '../../../server/protocol.ts';
import { type Client, canPull, connectClient } from '../../support/editor/client.ts';
import { memoryFiles } from '../../support/editor/memoryFiles.ts';

const folder = 'file:///w/';
const uri = `${folder}sync.yaml`;
const testsUri = `${folder}sync.sync-test.yaml`;
const textDocument = { uri };
const text = `config: { edition: 3 }
with:
  mine: SELECT id FROM lists WHERE owner = auth.user_id()
streams:
  todos:
    query: SELECT * FROM todos WHERE list_id IN mine
  lists:
    with:
      unused: SELECT id FROM lists
    query: SELECT * FROM lists WHERE id IN mine
`;
const tests = `config: sync.yaml
users:
  ada: { id: u1 }
tests:
  - name: todos come when they are asked for
    subscribe: [todos]
    expect:
      ada: nothing
`;
const commands = ['headwater.showReferences'];
const shown = { codeLens: { references: true } };

let client: Client;
afterEach(() => client.dispose());

async function openWith({
  files = {},
  commands: has = commands,
  settings = shown,
}: {
  files?: Readonly<Record<string, string>>;
  commands?: readonly string[];
  settings?: unknown;
}): Promise<void> {
  client = await connectClient(canPull, {
    host: { ...bareHost, files: memoryFiles(new Map(Object.entries(files))) },
    folders: [folder],
    initializationOptions: { commands: has, settings },
  });
  await client.open(uri, text);
  // The files of the folder are read first.
  await client.request('headwater/testFiles', {});
}

const lensesIn = () => client.request<CodeLens[]>('textDocument/codeLens', { textDocument });
const resolve = (lens: CodeLens) => client.request<CodeLens>('codeLens/resolve', lens);

/** Returns `line: title` for each lens, with the lines of the places that it shows. */
async function drawn(): Promise<string[]> {
  const lenses = await Promise.all((await lensesIn()).map(resolve));
  return lenses.map(({ range, command }) => {
    const [shownPlaces]: ShownPlaces[] = command?.arguments ?? [];
    const lines = shownPlaces?.places.map((place) => place.range.start.line) ?? [];
    return `${range.start.line}: ${[command?.title, ...lines].join(' ')}`;
  });
}

test('A lens above each CTE shows how often the CTE is used', async () => {
  await openWith({});
  expect(await drawn()).toEqual(['2: 2 references 5 9', '8: 0 references']);
});

test('A lens above each stream shows how often access tests use the stream, if there are any tests', async () => {
  await openWith({ files: { [testsUri]: tests } });
  expect(await drawn()).toEqual([
    '2: 2 references 5 9',
    '4: 1 reference 5',
    '6: 0 references',
    '8: 0 references',
  ]);
});

test('References are counted when a lens is resolved, in the text at that time', async () => {
  await openWith({});
  const [lens] = await lensesIn();
  if (lens === undefined) throw new Error('There is no lens.');
  expect(lens.command).toBeUndefined();
  await client.change(uri, { text: text.replace('id IN mine', 'id = auth.user_id()') });
  expect((await resolve(lens)).command?.title).toBe('1 reference');
  await client.change(uri, { text: 'config: { edition: 3 }\nstreams: {}\n' });
  expect((await resolve(lens)).command?.title).toBe('0 references');
});

test('Lenses show the same places as the references of the editor', async () => {
  await openWith({ files: { [testsUri]: tests } });
  const references = await client.request<Location[]>('textDocument/references', {
    textDocument,
    position: { line: 4, character: 3 },
    context: { includeDeclaration: false },
  });
  expect(references).toEqual([
    { uri: testsUri, range: { start: { line: 5, character: 16 }, end: { line: 5, character: 21 } } },
  ]);
  const lenses = await lensesIn();
  const lens = lenses.find(({ range }) => range.start.line === 4);
  const { command } = await resolve(lens as CodeLens);
  expect(command?.arguments).toEqual([{ uri, position: { line: 4, character: 2 }, places: references }]);
});

test.each([
  ['the setting is off', { settings: {} }],
  ['the editor has no command for them', { commands: ['headwater.deploy'] }],
])('There are no lenses of references if %s', async (_, options) => {
  await openWith({ files: { [testsUri]: tests }, ...options });
  const titles = (await lensesIn()).map(({ command }) => command?.title);
  expect(titles.filter((title) => title !== 'Deploy')).toEqual([]);
});

test('Lenses are requested again when the setting changes', async () => {
  let settings: unknown = {};
  const refreshes: string[] = [];
  client = await connectClient(
    { ...canPull, workspace: { configuration: true, codeLens: { refreshSupport: true } } },
    {
      initializationOptions: { commands },
      settings: () => settings,
      answers: { 'workspace/codeLens/refresh': () => void refreshes.push('again') },
    },
  );
  await client.open(uri, text);
  expect(await lensesIn()).toEqual([]);
  settings = shown;
  await client.notify('workspace/didChangeConfiguration', { settings: null });
  await expect.poll(lensesIn).toHaveLength(2);
  await expect.poll(() => refreshes.length).toBeGreaterThan(0);
});
