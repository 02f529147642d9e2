/** Takes the tables and columns from the service's database, for diagnostics and completion. */
import { l10n, Uri, workspace } from 'vscode';
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
    const file = await writeSnapshot(result.snapshot);
    say(
      log,
      file === undefined
        ? l10n.t('{0} tables are known from {1}.', result.tables, target.name)
        : l10n.t('{0} tables are known from {1}, and written to {2}.', result.tables, target.name, file),
    );
  });
}

/** Where the settings name a file, so that the schema is also known without the service. */
async function writeSnapshot(snapshot: string): Promise<string | undefined> {
  const file = readSchemaFile();
  const folder = workspace.workspaceFolders?.[0];
  if (file === '' || folder === undefined) return undefined;
  await workspace.fs.writeFile(Uri.joinPath(folder.uri, file), new TextEncoder().encode(snapshot));
  return file;
}
