/** Problems of files that are not open, for clients that request them. */
import { afterEach, expect, test } from 'vitest';
import type { WorkspaceDiagnosticReport } from 'vscode-languageserver';
import { bareHost } from '../../../server/lsp/host/host.ts';
import { type Client, canPull, connectClient } from '../../support/editor/client.ts';
import { memoryFiles } from '../../support/editor/memoryFiles.ts';

const root = 'file:///w';
const wrong = 'config: { edition: 3 }\nstreams:\n  a:\n    query: SELECT id, upr(id) AS x FROM lists\n';
const right = wrong.replace('upr', 'upper');

let client: Client;
afterEach(() => client.dispose());

const connect = async (initializationOptions?: object) => {
  const texts = new Map([
    [`${root}/sync.yaml`, wrong],
    [`${root}/other/sync-config.yaml`, right],
    [`${root}/compose.yaml`, 'services: {}\n'],
  ]);
  const host = { ...bareHost, files: memoryFiles(texts) };
  client = await connectClient(canPull, { host, folders: [root], initializationOptions });
  await client.request('headwater/projectSchema', { folder: root });
};

const ask = (previousResultIds: readonly object[] = []) =>
  client.request<WorkspaceDiagnosticReport>('workspace/diagnostic', { previousResultIds });

test('Each config of the workspace is reported, and again only when it has changed', async () => {
  await connect();
  expect(client.server.capabilities.diagnosticProvider?.workspaceDiagnostics).toBe(true);
  const { items } = await ask();
  expect(
    items.map((item) => [
      item.uri.slice(root.length + 1),
      item.kind === 'full' && item.items.map(({ code }) => code),
    ]),
  ).toEqual([
    ['sync.yaml', ['unknown-function']],
    ['other/sync-config.yaml', []],
  ]);
  const known = items.map(({ uri, resultId }) => ({ uri, value: resultId }));
  expect((await ask(known)).items.map(({ kind }) => kind)).toEqual(['unchanged', 'unchanged']);
  await client.open(`${root}/sync.yaml`, right);
  const after = (await ask(known)).items;
  expect(after.map(({ kind, version }) => [kind, version])).toEqual([
    ['full', 1],
    ['unchanged', null],
  ]);
});

test('Workspace diagnostics are not offered to the extension', async () => {
  await connect({ commands: [] });
  expect(client.server.capabilities.diagnosticProvider?.workspaceDiagnostics).toBe(false);
});
