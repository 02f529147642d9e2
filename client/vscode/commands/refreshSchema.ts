/** Takes the tables and columns from the service's database, for diagnostics and completion. */
import { FileType, l10n, Uri, workspace } from 'vscode';
import { namesIn } from '../../../server/uri.ts';
import type { Services } from '../services.ts';
import { readSchemaFile } from '../settings.ts';
import { connectSelected } from './target.ts';
import { complain, say, withProgress } from './telling.ts';

export async function refreshSchema(services: Services): Promise<void> {
  const { log, schema } = services;
  await withProgress(log, l10n.t('Reading the schema'), async () => {
    const connected = await connectSelected(services);
    if (connected === undefined) return;
    const { target, api } = connected;
    const result = await schema.tell({ answer: await api.schema(), takenAt: new Date().toISOString() });
    if (result === undefined)
      return complain(log, l10n.t('Open a sync config first: the schema is for its diagnostics.'));
    if (result === null)
      return complain(log, l10n.t('{0} answers with no schema that can be read.', target.name));
    const place = await snapshotPlace();
    if (place === 'outside')
      return complain(
        log,
        l10n.t(
          'The setting headwater.schema.file leads out of the workspace, so the schema was not written.',
        ),
      );
    if (place !== undefined) await workspace.fs.writeFile(place, new TextEncoder().encode(result.snapshot));
    const file = place && readSchemaFile();
    say(
      log,
      file === undefined
        ? l10n.t('{0} tables are known from {1}.', result.tables, target.name)
        : l10n.t('{0} tables are known from {1}, and written to {2}.', result.tables, target.name, file),
    );
  });
}

/**
 * Where the settings name a file, so that the schema is also known without the service. The settings of a workspace come with
 * a repository, so they may name no file outside of it, neither by its path nor by a link.
 */
async function snapshotPlace(): Promise<Uri | 'outside' | undefined> {
  const file = readSchemaFile();
  const folder = workspace.workspaceFolders?.[0];
  if (file === '' || folder === undefined) return undefined;
  const place = Uri.joinPath(folder.uri, file);
  const start = folder.uri.path.replace(/\/?$/, '/');
  if (!place.path.startsWith(start)) return 'outside';
  let way = folder.uri;
  for (const name of namesIn(place.path.slice(start.length))) {
    way = Uri.joinPath(way, name);
    if (await isLink(way)) return 'outside';
  }
  return place;
}

async function isLink(uri: Uri): Promise<boolean> {
  return workspace.fs.stat(uri).then(
    ({ type }) => (type & FileType.SymbolicLink) !== 0,
    () => false,
  );
}
