/**
 * The buckets of a row, and the conditions that exclude it: for one user in the console, or for all users, as text. The row is
 * read from the service's database by its id, or typed in.
 */
import { commands, l10n, type TextDocument, window } from 'vscode';
import {
  type ExplainRowParams,
  type ExplainRowResult,
  explainRowRequest,
  type GivenRow,
  type RowQueryParams,
  type RowQueryResult,
  rowQueryRequest,
} from '../../../server/protocol.ts';
import { splitPath } from '../../../server/shared/uri.ts';
import type { TableStatus } from '../../api/answers.ts';
import { shownName } from '../../api/tableName.ts';
import { userOf } from '../../preview/who.ts';
import { chooseConfig } from '../configs.ts';
import type { Services } from '../services.ts';
import { prefersText } from '../settings.ts';
import { showExplanation } from '../views/explanations.ts';
import { treeArgument } from '../views/serviceNodes.ts';
import { chooseUser, readId } from './chooseUser.ts';
import { connectSelected } from './target.ts';
import { complain, withProgress } from './telling.ts';

interface AskedExplanation {
  /** Set if the console requests text. */
  readonly as?: 'text';
  /** The row as JSON. */
  readonly row?: string;
}

export async function explainRowHere(services: Services, named: unknown): Promise<void> {
  const table = treeArgument(named).table ?? (await chooseTable(tablesOf(services)));
  if (!table) return;
  const asked = (named ?? {}) as AskedExplanation;
  const row = asked.row ?? (await askForRow());
  if (!row) return;
  const isText = asked.as === 'text' || prefersText() || row.startsWith('{');
  const user = isText ? 'all' : await askForUser(services);
  if (user === undefined) return;
  if (user !== 'all') {
    const parameters = { user: user.id, view: 'source', table, find: row };
    await commands.executeCommand('headwater.openConsole', { screen: 'devices', parameters });
    return;
  }
  const document = await chooseConfig(named, () =>
    complain(services.log, l10n.t('Open the sync config that the row is for.')),
  );
  if (document === undefined) return;
  await explain(services, document, table, row);
}

/** Explains the rows that are missing on a device, for the client or the table that the view passes. */
export async function explainMissingRows(_: Services, named: unknown): Promise<void> {
  const { client, table } = treeArgument(named);
  const parameters = { view: 'source', ...(client && { user: client.user }), ...(table && { table }) };
  await commands.executeCommand('headwater.openConsole', { screen: 'devices', parameters });
}

async function explain(
  services: Services,
  document: TextDocument,
  table: string,
  given: string,
): Promise<void> {
  const { log, language } = services;
  await withProgress(log, l10n.t('Explaining'), async () => {
    const row: GivenRow | undefined = given.startsWith('{')
      ? { kind: 'json', text: given }
      : await readRow(services, table, given);
    if (row === undefined) return;
    const params: ExplainRowParams = { uri: document.uri.toString(), table, row };
    const found = await language.ask<ExplainRowResult>(explainRowRequest, params);
    if (found === undefined) return complain(log, l10n.t('The language server is not running. Restart it.'));
    const { name } = splitPath(document.uri.path);
    if (found === null)
      return complain(log, l10n.t('{0} is not a sync config, or the row is not a JSON object.', name));
    await showExplanation({ table, config: document.uri, ...found });
  });
}

function tablesOf({ health }: Services): readonly TableStatus[] {
  const now = health.health();
  if (!('diagnosis' in now)) return [];
  const { active, pending } = now.diagnosis;
  return (pending ?? active)?.tables ?? [];
}

async function chooseTable(tables: readonly TableStatus[]): Promise<string | undefined> {
  const title = l10n.t('Explain Row');
  const placeHolder = l10n.t('The table of the row');
  const other = l10n.t('$(edit) Another Table');
  const names = [...tables.map(shownName), other];
  const picked = tables.length === 0 ? other : await window.showQuickPick(names, { title, placeHolder });
  if (picked !== other) return picked;
  return window.showInputBox({ title: l10n.t('Explain Row: Table'), placeHolder: 'lists' });
}

async function askForRow(): Promise<string | undefined> {
  const given = await window.showInputBox({
    title: l10n.t('Explain Row: Row'),
    prompt: l10n.t('The id of the row, to read it from the service, or the whole row as JSON'),
    placeHolder: '{"id": "1", "owner_id": "user-1"}',
  });
  return given?.trim();
}

/** Asks for the user on whose device the row may be missing. Undefined if no user is chosen. */
async function askForUser(services: Services): Promise<'all' | { readonly id: string } | undefined> {
  const answer = await chooseUser(services, {
    title: l10n.t('Explain Row: Whose Device'),
    placeholder: l10n.t('The user who has the row, or is missing it'),
    target: services.targets.selected(),
    readText: readId,
    others: [{ label: l10n.t('$(list-flat) All users, as text') }],
  });
  if (answer === undefined || answer.kind === 'other') return answer && 'all';
  return { id: userOf(answer.who) };
}

/** Reads the row. Undefined if there is none, after a message with the reason. */
async function readRow(services: Services, table: string, id: string): Promise<GivenRow | undefined> {
  const connected = await connectSelected(services);
  if (connected === undefined) return undefined;
  const status = tablesOf(services).find((each) => shownName(each) === table);
  const [name = table, schema = 'public'] = table.split('.').reverse();
  const key = status?.keys[0] ?? 'id';
  const params: RowQueryParams = { schema: status?.schema ?? schema, name: status?.name ?? name, key };
  const query = await services.language.ask<RowQueryResult>(rowQueryRequest, params);
  if (!query) {
    complain(services.log, l10n.t('The language server is not running. Restart it.'));
    return undefined;
  }
  const [row] = await connected.api.query(query, [id]);
  if (row !== undefined) return { kind: 'record', text: String(row.record) };
  complain(services.log, l10n.t('{0} has no row with {1} = {2}.', table, key, id));
  return undefined;
}
