/** Creates a first sync config from the chosen tables, each with the column that contains the owner of a row. */
import { l10n, type QuickPickItem, Uri, window, workspace } from 'vscode';
import { type StarterParams, type StarterResult, starterRequest } from '../../../server/protocol.ts';
import { findConfigFile } from '../configs.ts';
import type { Services } from '../services.ts';
import { complain, say, warn, withProgress } from './telling.ts';

export async function createSyncConfig(services: Services): Promise<void> {
  const { log } = services;
  const folders = workspace.workspaceFolders ?? [];
  if (folders.length === 0)
    return complain(log, l10n.t('Open a folder first: the sync config is written into it.'));
  const folder = (folders.length > 1 ? await window.showWorkspaceFolderPick() : folders[0])?.uri;
  if (folder === undefined) return;
  if ((await chooseAnother(folder)) === 'opened') return;
  await withProgress(log, l10n.t('Creating a sync config'), async () => {
    const known = await starterFor(services, folder);
    if (known === undefined) return complain(log, l10n.t('The language server is not running. Restart it.'));
    const chosen = await chooseTables(known.tables);
    if (chosen === undefined) return;
    const text = (await ask(services, folder, chosen))?.text ?? known.text;
    const place = await freePlace(folder);
    if (place === undefined) return complain(log, l10n.t('All default file names are taken by other files.'));
    await workspace.fs.writeFile(place, new TextEncoder().encode(text));
    await window.showTextDocument(place, { preview: false });
    const path = workspace.asRelativePath(place, false);
    if (known.tables.length > 0) return say(log, l10n.t('{0} is written.', path));
    warn(
      log,
      l10n.t(
        '{0} is written without a stream: no table is known. Add SQL files to the folder, or select a service and refresh the schema.',
        path,
      ),
    );
  });
}

/** Asks if the folder already has a sync config, because most folders need only one. */
async function chooseAnother(folder: Uri): Promise<'opened' | 'another'> {
  const present = await findConfigFile(folder);
  if (present === undefined) return 'another';
  const open: QuickPickItem = {
    label: l10n.t('Open {0}', workspace.asRelativePath(present, false)),
    description: l10n.t('an existing sync config'),
  };
  const another: QuickPickItem = { label: l10n.t('Create Another') };
  const picked = await window.showQuickPick([open, another], { title: l10n.t('Create Sync Config') });
  if (picked === another) return 'another';
  if (picked === open) await window.showTextDocument(present);
  return 'opened';
}

/** Returns the tables of the folder's files or, if these create none, of the selected service. Undefined if both are unknown. */
async function starterFor(services: Services, folder: Uri): Promise<StarterResult | undefined> {
  await services.language.ensure();
  const known = await ask(services, folder);
  const target = services.targets.selected();
  if (known === undefined || known.tables.length > 0 || target?.url === undefined) return known;
  const api = await services.connect(target, 'asks');
  if (api === undefined) return known;
  await services.schema.tell({ answer: await api.schema(), takenAt: new Date().toISOString() });
  return ask(services, folder);
}

function ask(
  { language }: Services,
  folder: Uri,
  tables?: readonly string[],
): Promise<StarterResult | undefined> {
  const params: StarterParams = { folder: folder.toString(), ...(tables && { tables }) };
  return language.ask<StarterResult>(starterRequest, params);
}

/** Returns the chosen tables. Undefined if the user cancelled. */
async function chooseTables(tables: StarterResult['tables']): Promise<readonly string[] | undefined> {
  if (tables.length === 0) return [];
  const owned = tables.filter(({ owner }) => owner !== undefined);
  const others = tables.filter(({ owner }) => owner === undefined);
  const items = [...owned, ...others].map(
    (table): QuickPickItem => ({
      label: table.name,
      description: describe(table),
      picked: table.owner !== undefined,
    }),
  );
  const picked = await window.showQuickPick(items, {
    title: l10n.t('Create Sync Config: Tables'),
    placeHolder: l10n.t('Tables without such a column are written as a comment'),
    canPickMany: true,
    matchOnDescription: true,
  });
  return picked?.map(({ label }) => label);
}

function describe({ owner, isKeyless }: StarterResult['tables'][number]): string {
  if (isKeyless) return l10n.t('its rows have no id, but clients need one');
  return owner === undefined
    ? l10n.t('the owner column is unknown')
    : l10n.t('each user gets the rows with their id in {0}', owner);
}

/** Returns the first usual name that is free, so that no existing file is overwritten. */
async function freePlace(folder: Uri): Promise<Uri | undefined> {
  const inner = (await isThere(Uri.joinPath(folder, 'powersync'))) ? ['powersync/sync-config.yaml'] : [];
  const places = [...inner, 'sync.yaml', 'sync-config.yaml', 'powersync.yaml'];
  for (const path of places) {
    const uri = Uri.joinPath(folder, path);
    if (!(await isThere(uri)) || (await isBlank(uri))) return uri;
  }
  return undefined;
}

function isThere(uri: Uri): Promise<boolean> {
  return Promise.resolve(workspace.fs.stat(uri)).then(
    () => true,
    () => false,
  );
}

async function isBlank(uri: Uri): Promise<boolean> {
  return (await workspace.openTextDocument(uri)).getText().trim() === '';
}
