/** The language server on Windows, over standard streams, with the URIs that VS Code uses there. */

import { renameSync, rmSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import {
  createProtocolConnection,
  type DefinitionLink,
  type DocumentDiagnosticReport,
  type DocumentLink,
  InitializedNotification,
  type ProtocolConnection,
  RegistrationRequest,
  type WorkspaceEdit,
} from 'vscode-languageserver';
import { StreamMessageReader, StreamMessageWriter } from 'vscode-languageserver/node';
import { windowsPath } from '../support/windows/machine.ts';
import {
  type Alias,
  driveOf,
  hasAliases,
  openProject,
  program,
  shareOf,
  type WindowsProject,
  windows,
} from '../support/windows/project.ts';

const sync = `config:
  edition: 3
with:
  mine: SELECT id FROM lists
streams:
  a:
    query: SELECT ownr FROM lists WHERE id IN mine
`;
const service = `replication:
  connections:
    - type: postgresql
      uri: !env PS_DATABASE
sync_config:
  path: powersync\\sync.yaml
`;
const files = {
  'migrations/1 first.sql': 'create table lists (id uuid primary key, owner uuid);\r\n',
  'powersync/sync.yaml': sync,
  'other/sync.yaml': sync,
  'service.yaml': service,
  '.env': 'PS_DATABASE=x\r\nPS_OTHER=y\r\n',
  'powersync/cli.yaml': 'type: self-hosted\napi_url: http://127.0.0.1:9\n',
};

let project: WindowsProject;
let client: ProtocolConnection;
let end: () => void;
let refreshed: () => Promise<void>;

/** Returns a URI as VS Code writes it: with a lower-case drive letter and an encoded colon. */
function code(path: string): string {
  const [drive = '', ...names] = windowsPath(project.path(path)).split('\\');
  return `file:///${[drive.toLowerCase(), ...names].map(encodeURIComponent).join('/')}`;
}

/** A row of the tests below: the URI of a file of the project as an editor writes it, and its path on Windows. */
interface Spelling {
  readonly uri: (path: string) => string;
  readonly path: (path: string) => string;
}

/** Returns a URI as Node and Neovim write it. */
const node = (path: string): string =>
  code(path).replace(/^file:\/\/\/(.)%3A/, (_, drive: string) => `file:///${drive.toUpperCase()}:`);

const usual = (path: string): string => windowsPath(project.path(path));

/** Paths and URIs on a share. They are computed on demand, because the share does not exist yet. */
const ofShare: Spelling = {
  path: (path) => [share?.path, ...(path === '' ? [] : path.split('/'))].join('\\'),
  uri: (path) => `file:${ofShare.path(path).split('\\').map(encodeURIComponent).join('/')}`,
};
const ofDrive: Spelling = {
  path: (path) => [drive?.path, ...path.split('/')].join('\\'),
  uri: (path) => {
    const [letter = '', ...names] = ofDrive.path(path).split('\\');
    return `file:///${[letter.toLowerCase(), ...names].map(encodeURIComponent).join('/')}`;
  },
};

let share: Alias | undefined;
let drive: Alias | undefined;
beforeAll(() => {
  project = openProject(files);
  if (!hasAliases) return;
  share = shareOf(project);
  drive = driveOf(project);
});

async function connect(write: (path: string) => string): Promise<void> {
  const socket = await windows.connect({ args: [program('cli.js'), 'lsp', '--stdio'] });
  client = createProtocolConnection(new StreamMessageReader(socket), new StreamMessageWriter(socket));
  let refresh = (): void => {};
  let next = new Promise<void>((resolve) => {
    refresh = resolve;
  });
  refreshed = () => next;
  client.onRequest('workspace/diagnostic/refresh', () => {
    refresh();
    next = new Promise<void>((resolve) => {
      refresh = resolve;
    });
  });
  client.onRequest(RegistrationRequest.type, () => {});
  client.onRequest('workspace/configuration', () => [null]);
  client.listen();
  const folder = write('');
  await client.sendRequest('initialize', {
    processId: null,
    rootUri: folder,
    capabilities: {
      textDocument: {
        diagnostic: {},
        definition: { linkSupport: true },
        codeAction: { codeActionLiteralSupport: { codeActionKind: { valueSet: [] } } },
      },
      workspace: {
        workspaceFolders: true,
        diagnostics: { refreshSupport: true },
        didChangeWatchedFiles: { dynamicRegistration: true },
        workspaceEdit: { resourceOperations: ['create'], documentChanges: true },
      },
    },
    workspaceFolders: [{ uri: folder, name: 'app' }],
  });
  const ready = refreshed();
  await client.sendNotification(InitializedNotification.type, {});
  await ready;
  end = () => {
    client.dispose();
    socket.destroy();
  };
}

const opened: string[] = [];
afterEach(async () => {
  for (const uri of opened.splice(0))
    await client.sendNotification('textDocument/didClose', { textDocument: { uri } });
});
afterAll(() => {
  share?.goAway();
  drive?.goAway();
  project.remove();
});

function open(uri: string, text: string): Promise<void> {
  opened.push(uri);
  return client.sendNotification('textDocument/didOpen', {
    textDocument: { uri, languageId: 'yaml', version: 1, text },
  });
}
async function codes(uri: string): Promise<unknown[]> {
  const report = await client.sendRequest<DocumentDiagnosticReport>('textDocument/diagnostic', {
    textDocument: { uri },
  });
  return report.kind === 'full' ? report.items.map((each) => each.code) : [];
}
async function changed(uri: string, type: 1 | 2 | 3): Promise<void> {
  const done = refreshed();
  await client.sendNotification('workspace/didChangeWatchedFiles', { changes: [{ uri, type }] });
  await done;
}
const plain = (uri: string): string => decodeURIComponent(uri).toLowerCase();
const placeOf = (text: string, word: string) => {
  const line = text.split('\n').findIndex((each) => each.includes(word));
  return { line, character: text.split('\n')[line]?.indexOf(word) ?? 0 };
};

const spellings: readonly (readonly [string, Spelling])[] = [
  ['With the URIs of VS Code', { uri: code, path: usual }],
  ['With the URIs of Neovim', { uri: node, path: usual }],
];
const aliases: typeof spellings = [
  ['On a share of a server', ofShare],
  ['On a drive by subst', ofDrive],
];

describe.each([...spellings, ...(hasAliases ? aliases : [])])('%s', (_, { uri: write, path: native }) => {
  beforeAll(() => connect(write));
  afterAll(() => end());

  test('tables are read from migrations, and their definitions are found there', async () => {
    const uri = write('powersync/sync.yaml');
    await open(uri, sync);
    expect(await codes(uri)).toContain('unknown-column');
    const [link] = await client.sendRequest<DefinitionLink[]>('textDocument/definition', {
      textDocument: { uri },
      position: placeOf(sync, 'lists'),
    });
    expect(link?.targetUri).toBe(write('migrations/1 first.sql'));
    expect(await client.sendRequest('headwater/schemaStatus', { uri })).toEqual({
      origin: 'files',
      tables: 1,
    });
  });

  test('added, moved and deleted migrations are noticed', async () => {
    const uri = write('powersync/sync.yaml');
    await open(uri, sync);
    project.write('migrations/2.sql', 'alter table lists rename owner to ownr;\r\n');
    await changed(write('migrations/2.sql'), 1);
    expect(await codes(uri)).not.toContain('unknown-column');
    renameSync(project.path('migrations/2.sql'), project.path('migrations/3.sql'));
    await changed(write('migrations/2.sql'), 3);
    expect(await codes(uri)).toContain('unknown-column');
    await changed(write('Migrations/3.sql').replace('Migrations', 'migrations'), 1);
    expect(await codes(uri)).not.toContain('unknown-column');
    rmSync(project.path('migrations/3.sql'));
    await changed(write('migrations/3.sql').replace('migrations', 'MIGRATIONS'), 3);
    expect(await codes(uri)).toContain('unknown-column');
  });

  test('references to a table are found in all configs, once in an open one; a definition is renamed', async () => {
    const uri = write('powersync/sync.yaml');
    await open(uri, sync);
    const places = await client.sendRequest<{ readonly uri: string }[]>('textDocument/references', {
      textDocument: { uri },
      position: placeOf(sync, 'lists'),
      context: { includeDeclaration: true },
    });
    const wanted = ['migrations/1 first.sql', 'other/sync.yaml', 'other/sync.yaml'].map(write).map(plain);
    expect(places.filter((place) => place.uri === uri)).toHaveLength(2);
    expect(places.flatMap((place) => (place.uri === uri ? [] : plain(place.uri))).toSorted()).toEqual(wanted);
    const position = placeOf(sync, 'mine');
    const edit = await client.sendRequest<WorkspaceEdit>('textDocument/rename', {
      textDocument: { uri },
      position,
      newName: 'ours',
    });
    const changed = edit.documentChanges?.map((each) =>
      'textDocument' in each ? each.textDocument.uri : '',
    );
    expect(changed ?? Object.keys(edit.changes ?? {})).toContain(uri);
  });

  test('a service config links to its sync config, whichever slash the path has', async () => {
    const uri = write('service.yaml');
    await open(uri, service);
    const linked = async () =>
      (await client.sendRequest<DocumentLink[]>('textDocument/documentLink', { textDocument: { uri } })).map(
        ({ target = '' }) => target,
      );
    expect(await linked()).toContain(write('powersync/sync.yaml'));
    expect(await codes(uri)).not.toContain('service-file-not-found');
    const absolute = service.replace('powersync\\sync.yaml', native('powersync/sync.yaml'));
    await client.sendNotification('textDocument/didChange', {
      textDocument: { uri, version: 2 },
      contentChanges: [{ text: absolute }],
    });
    expect(await codes(uri)).not.toContain('service-file-not-found');
    // The link has the spelling of the path.
    expect((await linked()).map(plain)).toContain(plain(write('powersync/sync.yaml')));
    await client.sendNotification('textDocument/didChange', {
      textDocument: { uri, version: 3 },
      contentChanges: [{ text: service.replace('powersync\\sync', 'powersync\\gone') }],
    });
    expect(await codes(uri)).toContain('service-file-not-found');
  });

  test('variable names are completed from the .env next to the config', async () => {
    const uri = write('service.yaml');
    const text = service.replace('PS_DATABASE', 'PS_');
    await open(uri, text);
    const { line, character } = placeOf(text, 'PS_');
    const answer = await client.sendRequest<{ readonly items: readonly { readonly label: string }[] }>(
      'textDocument/completion',
      { textDocument: { uri }, position: { line, character: character + 3 } },
    );
    expect((answer.items ?? answer).map(({ label }) => label)).toEqual(expect.arrayContaining(['PS_OTHER']));
  });

  test('an embedded sync config is moved to a file next to it, under a free name', async () => {
    // The name that would be proposed first is taken by this file, because Windows ignores letter case.
    project.write('powersync/Sync-Config.yaml', sync);
    onTestFinished(() => rmSync(project.path('powersync/Sync-Config.yaml')));
    const uri = write('powersync/service.yaml');
    const text = 'sync_config:\n  content: |\n    config:\n      edition: 3\n    streams: {}\n';
    await open(uri, text);
    const position = placeOf(text, 'content');
    const actions = await client.sendRequest<{ readonly edit?: WorkspaceEdit }[]>('textDocument/codeAction', {
      textDocument: { uri },
      range: { start: position, end: position },
      context: { diagnostics: [] },
    });
    const created = actions.flatMap(({ edit }) => edit?.documentChanges ?? []).find((each) => 'kind' in each);
    expect(created).toMatchObject({ kind: 'create', uri: write('powersync/sync-config-2.yaml') });
  });

  test('problems in files with Windows line endings have the correct positions', async () => {
    const uri = write('powersync/sync.yaml');
    await open(uri, sync.replaceAll('\n', '\r\n'));
    const report = await client.sendRequest<DocumentDiagnosticReport>('textDocument/diagnostic', {
      textDocument: { uri },
    });
    const found =
      report.kind === 'full' ? report.items.find((each) => each.code === 'unknown-column') : undefined;
    expect(found?.range.start).toEqual(placeOf(sync, 'ownr'));
  });
});

describe.runIf(hasAliases)('A share', () => {
  beforeAll(() => connect(ofShare.uri));
  afterAll(() => end());

  test('hides only its own tables while it is disconnected', async () => {
    const uri = ofShare.uri('powersync/sync.yaml');
    await open(uri, sync);
    expect(await codes(uri)).toContain('unknown-column');
    share?.goAway();
    await changed(ofShare.uri('migrations/1 first.sql'), 2);
    expect(await codes(uri)).not.toContain('unknown-column');
    const [symbol] = await client.sendRequest<{ readonly name: string }[]>('textDocument/documentSymbol', {
      textDocument: { uri },
    });
    expect(symbol?.name).toBe('config');
    share?.comeBack();
    await changed(ofShare.uri('migrations/1 first.sql'), 2);
    expect(await codes(uri)).toContain('unknown-column');
  });
});

describe('A config', () => {
  beforeAll(() => connect(code));
  afterAll(() => end());

  test('that is opened in different letter case is the one on the disk', async () => {
    const uri = code('POWERSYNC/Sync.yaml').replace('POWERSYNC', 'PowerSync');
    await open(uri, sync);
    expect(await codes(uri)).toContain('unknown-column');
    const places = await client.sendRequest<{ readonly uri: string }[]>('textDocument/references', {
      textDocument: { uri },
      position: placeOf(sync, 'lists'),
      context: { includeDeclaration: false },
    });
    const wanted = [...[0, 0].map(() => code('other/sync.yaml')), uri, uri];
    expect(places.map((place) => place.uri).toSorted()).toEqual(wanted.toSorted());
  });
});
