/** A service config still loads its sync config after either file, or a folder with one of them, is moved. */
import { afterEach, expect, test } from 'vitest';
import type { TextEdit, WorkspaceEdit } from 'vscode-languageserver';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { bareHost } from '../../../server/lsp/host/host.ts';
import { type Client, canPull, connectClient } from '../../support/editor/client.ts';
import { memoryFiles } from '../../support/editor/memoryFiles.ts';

const root = 'file:///w';
const sync = 'config: { edition: 3 }\nstreams:\n  a: { query: SELECT * FROM lists }\n';
const service = (path: string) =>
  `replication: { connections: [] }\nsync_config: { path: ${path} }\nclient_auth: {}\n`;

let client: Client;
afterEach(() => client.dispose());

/** Returns the new texts of the files that the edits change. */
async function move(
  files: Readonly<Record<string, string>>,
  oldPath: string,
  newPath: string,
  open?: string,
) {
  const texts = new Map(Object.entries(files).map(([path, text]) => [`${root}/${path}`, text]));
  client = await connectClient(canPull, {
    host: { ...bareHost, files: memoryFiles(texts) },
    folders: [root],
  });
  await client.request('headwater/projectSchema', { folder: root });
  if (open !== undefined) await client.open(`${root}/${open}`, files[open] ?? '');
  const edit = await client.request<WorkspaceEdit | null>('workspace/willRenameFiles', {
    files: [{ oldUri: `${root}/${oldPath}`, newUri: `${root}/${newPath}` }],
  });
  const changes: [string, TextEdit[]][] = Object.entries(edit?.changes ?? {});
  return Object.fromEntries(
    changes.map(([uri, edits]) => [
      uri.slice(root.length + 1),
      TextDocument.applyEdits(TextDocument.create(uri, 'yaml', 0, texts.get(uri) ?? ''), edits),
    ]),
  );
}

test('A renamed sync config gets its new name in the service config, with the existing quotes', async () => {
  const files = { 'sync.yaml': sync, 'service.yaml': service("'sync.yaml'") };
  expect(await move(files, 'sync.yaml', 'my sync.yaml')).toEqual({
    'service.yaml': service("'my sync.yaml'"),
  });
});

test('A moved sync config gets a path relative to the folder of the service config', async () => {
  const files = { 'powersync/sync.yaml': sync, 'powersync/service.yaml': service('sync.yaml') };
  const moved = await move(files, 'powersync/sync.yaml', 'rules/sync.yaml', 'powersync/service.yaml');
  expect(moved).toEqual({ 'powersync/service.yaml': service('../rules/sync.yaml') });
});

test('A moved service config continues to load the same file', async () => {
  const files = { 'sync.yaml': sync, 'service.yaml': service('sync.yaml') };
  expect(await move(files, 'service.yaml', 'docker/service.yaml')).toEqual({
    'service.yaml': service('../sync.yaml'),
  });
});

test('A moved folder with the sync config gets its new path in the service config', async () => {
  const files = { 'rules/sync.yaml': sync, 'service.yaml': service('./rules/sync.yaml') };
  expect(await move(files, 'rules', 'powersync/rules')).toEqual({
    'service.yaml': service('powersync/rules/sync.yaml'),
  });
});

test('Nothing is changed for a moved folder with both files, or for a file that is not loaded', async () => {
  const files = { 'a/sync.yaml': sync, 'a/service.yaml': service('sync.yaml'), 'b/sync.yaml': sync };
  expect(await move(files, 'a', 'c')).toEqual({});
  client.dispose();
  expect(await move(files, 'b/sync.yaml', 'b/other.yaml')).toEqual({});
});
