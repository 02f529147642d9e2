/** Reads the tables and columns of the service's database, for diagnostics and completion. */
import { FileType, l10n, Uri, type WorkspaceFolder, window, workspace } from 'vscode';
import { confinedFile } from '../../project/confinedFile.ts';
import { findConfig } from '../configs.ts';
import { tablesText } from '../schemaStatus.ts';
import type { Services } from '../services.ts';
import { readSchemaFile } from '../settings.ts';
import { connectSelected } from './target.ts';
import { complain, say, untilAnswered, withProgress } from './telling.ts';

export async function refreshSchema(services: Services): Promise<void> {
  const { log, schema } = services;
  await withProgress(log, l10n.t('Reading the schema'), async () => {
    const connected = await connectSelected(services);
    if (connected === undefined) return;
    const { target, api } = connected;
    const answer = await untilAnswered(target.name, (signal) => api.schema(signal));
    const result = await schema.tell({ answer, takenAt: new Date().toISOString() });
    if (result === undefined)
      return complain(log, l10n.t('Open a sync config first, because the schema is for its diagnostics.'));
    if (result === null)
      return complain(log, l10n.t('{0} answers with no schema that can be read.', target.name));
    const written = await writeSnapshot(result.snapshot);
    if (written === 'outside')
      return complain(
        log,
        l10n.t(
          'The setting headwater.schema.file leads out of the workspace, so the schema was not written.',
        ),
      );
    const known = tablesText(result.tables);
    say(
      log,
      written === undefined
        ? l10n.t('{0} known from {1}.', known, target.name)
        : l10n.t('{0} known from {1}, and written to {2}.', known, target.name, written),
    );
  });
}

/** Writes the schema into a file if the settings name one, so that it is also known without the service. Returns the path. */
async function writeSnapshot(snapshot: string): Promise<string | 'outside' | undefined> {
  const folder = await chooseFolder();
  if (folder === undefined) return undefined;
  const file = readSchemaFile(folder.uri);
  const path = await confinedFile(folder.uri.toString(), file, (each) =>
    isLink(Uri.joinPath(folder.uri, each)),
  );
  if (path === undefined) return 'outside';
  await workspace.fs.writeFile(Uri.joinPath(folder.uri, path), new TextEncoder().encode(snapshot));
  return file;
}

/** Returns the folder that has a snapshot. If several have one: the folder of the sync config, or one that the user chooses. */
async function chooseFolder(): Promise<WorkspaceFolder | undefined> {
  const folders = (workspace.workspaceFolders ?? []).filter(({ uri }) => readSchemaFile(uri) !== '');
  if (folders.length < 2) return folders[0];
  const config = await findConfig(undefined);
  const own = config && workspace.getWorkspaceFolder(config.uri);
  const around = folders.find(({ index }) => index === own?.index);
  if (around !== undefined) return around;
  const rows = folders.map((folder) => ({ label: folder.name, folder }));
  return (await window.showQuickPick(rows, { title: l10n.t('Which folder gets the snapshot?') }))?.folder;
}

async function isLink(uri: Uri): Promise<boolean> {
  return workspace.fs.stat(uri).then(
    ({ type }) => (type & FileType.SymbolicLink) !== 0,
    () => false,
  );
}
