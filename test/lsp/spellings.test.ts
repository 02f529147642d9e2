/** An editor, a watcher and a disk may each spell the URI of a file differently, but it is still one file. */

import { afterEach, expect, test } from 'vitest';
import type { DefinitionLink, DocumentDiagnosticReport, WorkspaceEdit } from 'vscode-languageserver';
import { bareHost } from '../../server/lsp/host/host.ts';
import { uriReader } from '../../server/shared/uri.ts';
import { type Client, canPull, connectClient } from '../support/editor/client.ts';
import { memoryFiles } from '../support/editor/memoryFiles.ts';

const capabilities = {
  ...canPull,
  textDocument: { ...canPull.textDocument, definition: { linkSupport: true } },
  workspace: {
    workspaceFolders: true,
    didChangeWatchedFiles: { dynamicRegistration: true },
    diagnostics: { refreshSupport: true },
  },
};

const lists = 'create table lists (id uuid primary key, owner uuid);';
const text = `config:
  edition: 3
with:
  mine: SELECT id FROM lists
streams:
  a:
    query: SELECT ownr FROM lists WHERE id IN mine
`;

let client: Client;
afterEach(() => client.dispose());

interface Spelling {
  readonly platform: string;
  readonly folder: string;
  /** The folder as the disk spells it. */
  readonly disk: string;
  readonly editor: string;
  readonly watcher: string;
}

const spellings: readonly (readonly [string, Spelling])[] = [
  [
    'VS Code on Windows',
    {
      platform: 'win32',
      folder: 'file:///c%3A/My%20App',
      disk: 'file:///C:/My%20App',
      editor: 'file:///c%3A/My%20App',
      watcher: 'file:///c%3A/my%20app',
    },
  ],
  [
    'Neovim on Windows',
    {
      platform: 'win32',
      folder: 'file:///C:/app',
      disk: 'file:///C:/app',
      editor: 'file:///c:/app',
      watcher: 'file:///C:/APP',
    },
  ],
  [
    'A network share',
    {
      platform: 'win32',
      folder: 'file://NAS/apps/todo',
      disk: 'file://nas/apps/todo',
      editor: 'file://nas/apps/todo',
      watcher: 'file://nas/Apps/todo',
    },
  ],
  [
    'VS Code on macOS, whose disk decomposes accents',
    {
      platform: 'darwin',
      folder: 'file:///Users/ada/caf%C3%A9',
      disk: 'file:///Users/ada/cafe%CC%81',
      editor: 'file:///Users/ada/caf%C3%A9',
      watcher: 'file:///users/ada/cafe%CC%81',
    },
  ],
  [
    'Linux, where an editor encodes more than it must',
    {
      platform: 'linux',
      folder: 'file:///w/a(b)/',
      disk: 'file:///w/a(b)',
      editor: 'file:///w/a%28b%29',
      watcher: 'file:///w/a(b)',
    },
  ],
];

test.each(spellings)('%s: always the same file', async (_, { platform, folder, disk, editor, watcher }) => {
  const texts = new Map([
    [`${disk}/migrations/1.sql`, lists],
    [`${disk}/sync.yaml`, text],
    [`${disk}/other/sync.yaml`, text],
  ]);
  const host = { ...bareHost, readUri: uriReader(platform), files: memoryFiles(texts) };
  client = await connectClient(capabilities, { host, folders: [folder] });
  await client.refreshed();
  const uri = `${editor}/sync.yaml`;
  const textDocument = { uri };
  await client.open(uri, text);
  const codes = async () => {
    const report: DocumentDiagnosticReport = await client.pull(uri);
    return report.kind === 'full' ? report.items.map(({ code }) => code) : [];
  };
  expect(await codes()).toContain('unknown-column');

  const position = { line: 3, character: text.split('\n')[3]?.indexOf('lists') ?? 0 };
  const [link] = await client.request<DefinitionLink[]>('textDocument/definition', {
    textDocument,
    position,
  });
  const read = uriReader(platform);
  expect(read(link?.targetUri ?? '').key).toBe(read(`${disk}/migrations/1.sql`).key);

  // The open file is not found a second time under its spelling on disk.
  const name = { line: 3, character: 3 };
  const places = await client.request<{ readonly uri: string }[]>('textDocument/references', {
    textDocument,
    position: name,
    context: { includeDeclaration: true },
  });
  expect(places.filter((place) => read(place.uri).key === read(uri).key).map((place) => place.uri)).toEqual([
    uri,
    uri,
  ]);
  const edit = await client.request<WorkspaceEdit>('textDocument/rename', {
    textDocument,
    position: name,
    newName: 'ours',
  });
  expect(Object.keys(edit.changes ?? {})[0]).toBe(uri);

  texts.set(`${disk}/migrations/2.sql`, 'alter table lists rename owner to ownr;');
  await client.notify('workspace/didChangeWatchedFiles', {
    changes: [{ uri: `${watcher}/migrations/2.sql`, type: 1 }],
  });
  await client.refreshed();
  expect(await codes()).not.toContain('unknown-column');

  await client.notify('workspace/didChangeWatchedFiles', {
    changes: [{ uri: `${watcher}/migrations`, type: 3 }],
  });
  await client.refreshed();
  expect(await client.request('headwater/schemaStatus', { uri })).toEqual({ origin: 'none', tables: 0 });

  await client.notify('workspace/didChangeWorkspaceFolders', {
    event: { added: [], removed: [{ uri: `${watcher}/`, name: 'w' }] },
  });
  await client.refreshed();
  expect(await client.request('workspace/symbol', { query: 'other' })).toEqual([]);
});
