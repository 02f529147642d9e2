/** A sync config that is moved, and a folder with it: the service config still loads it. */
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

/** The texts of the files that the edits change. */
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

test('A renamed sync config is named anew, with the quotes that are there', async () => {
  const files = { 'sync.yaml': sync, 'service.yaml': service("'sync.yaml'") };
  expect(await move(files, 'sync.yaml', 'my sync.yaml')).toEqual({
    'service.yaml': service("'my sync.yaml'"),
  });
});

test('One that is moved is found from the folder of the service config', async () => {
  const files = { 'powersync/sync.yaml': sync, 'powersync/service.yaml': service('sync.yaml') };
  const moved = await move(files, 'powersync/sync.yaml', 'rules/sync.yaml', 'powersync/service.yaml');
  expect(moved).toEqual({ 'powersync/service.yaml': service('../rules/sync.yaml') });
});

test('A service config that is moved goes on loading the same file', async () => {
  const files = { 'sync.yaml': sync, 'service.yaml': service('sync.yaml') };
  expect(await move(files, 'service.yaml', 'docker/service.yaml')).toEqual({
    'service.yaml': service('../sync.yaml'),
  });
});

test('A folder that holds the sync config takes it along', async () => {
  const files = { 'rules/sync.yaml': sync, 'service.yaml': service('./rules/sync.yaml') };
  expect(await move(files, 'rules', 'powersync/rules')).toEqual({
    'service.yaml': service('powersync/rules/sync.yaml'),
  });
});

test('Nothing is changed where all stays true: a folder with both, and a file that nobody loads', async () => {
  const files = { 'a/sync.yaml': sync, 'a/service.yaml': service('sync.yaml'), 'b/sync.yaml': sync };
  expect(await move(files, 'a', 'c')).toEqual({});
  client.dispose();
  expect(await move(files, 'b/sync.yaml', 'b/other.yaml')).toEqual({});
});
