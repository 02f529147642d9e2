/** Where a row goes, and what stands against it: of the service's database by its id, or of one that is typed in. */
import { l10n, type QuickPickItem, QuickPickItemKind, type TextDocument, window } from 'vscode';
import {
  type ExplainRowParams,
  type ExplainRowResult,
  explainRowRequest,
  type GivenRow,
  type RowQueryParams,
  type RowQueryResult,
  rowQueryRequest,
} from '../../../server/protocol.ts';
import { splitPath } from '../../../server/uri.ts';
import type { TableStatus } from '../../api/answers.ts';
import { findConfig } from '../configs.ts';
import type { Services } from '../services.ts';
import { showExplanation } from '../views/explanations.ts';
import type { PreviewedClient } from '../views/serviceNodes.ts';
import { previewAsUser } from './previewAsUser.ts';
import { connectSelected } from './target.ts';
import { complain, withProgress } from './telling.ts';

export async function explainRowHere(services: Services, named: unknown): Promise<void> {
  const client = clientIn(named);
  const asked = client === undefined ? await ask(tablesOf(services)) : 'preview';
  if (asked === 'preview') return previewAsUser(services, client);
  if (asked === undefined) return;
  const document = await findConfig(named);
  if (document === undefined)
    return complain(services.log, l10n.t('Open the sync config that the row is for.'));
  await explain(services, document, asked.table);
}

/** What the tree of the service gives along. */
function clientIn(named: unknown): PreviewedClient | undefined {
  return ((named ?? {}) as { readonly client?: PreviewedClient }).client;
}

async function explain(services: Services, document: TextDocument, table: string): Promise<void> {
  const { log, language } = services;
  const given = await askForRow();
  if (!given) return;
  await withProgress(log, l10n.t('Explaining'), async () => {
    const row: GivenRow | undefined = given.startsWith('{')
      ? { kind: 'json', text: given }
      : await readRow(services, table, given);
    if (row === undefined) return;
    const params: ExplainRowParams = { uri: document.uri.toString(), table, row };
    const found = await language.ask<ExplainRowResult>(explainRowRequest, params);
    if (!found) return complain(log, explainNothing(document, found));
    await showExplanation({ table, config: document.uri, ...found });
  });
}

function explainNothing({ uri }: TextDocument, found: null | undefined): string {
  return found === undefined
    ? l10n.t('The language server does not run. Restart it.')
    : l10n.t('{0} is no sync config, or the row is not a JSON object.', splitPath(uri.path).name);
}

function tablesOf({ health }: Services): readonly TableStatus[] {
  const now = health.health();
  if (!('diagnosis' in now)) return [];
  const { active, pending } = now.diagnosis;
  return (pending ?? active)?.tables ?? [];
}

/** One command asks for both: where one row goes, or all that one user gets. */
async function ask(
  tables: readonly TableStatus[],
): Promise<{ readonly table: string } | 'preview' | undefined> {
  const known = tables.map((table): QuickPickItem => ({ label: nameOf(table) }));
  const other: QuickPickItem = { label: l10n.t('$(edit) Another Table') };
  const preview: QuickPickItem = {
    label: l10n.t('$(account) Preview as User'),
    detail: l10n.t('All buckets and rows that a user gets from the service'),
  };
  const line: QuickPickItem = { label: '', kind: QuickPickItemKind.Separator };
  const picked = await window.showQuickPick([...known, other, line, preview], {
    title: l10n.t('Explain Row or Preview as User'),
    placeHolder: l10n.t('The table of the row, or a user'),
  });
  if (picked === preview) return 'preview';
  const table = picked === other ? await askForTable() : picked?.label;
  return table ? { table } : undefined;
}

function askForTable(): Thenable<string | undefined> {
  return window.showInputBox({ title: l10n.t('Explain Row: Table'), placeHolder: 'lists' });
}

async function askForRow(): Promise<string | undefined> {
  const given = await window.showInputBox({
    title: l10n.t('Explain Row: Row'),
    prompt: l10n.t('Its id, to be read from the service; or the whole row as JSON'),
    placeHolder: '{"id": "1", "owner_id": "user-1"}',
  });
  return given?.trim();
}

/** Undefined when it is said why there is none. */
async function readRow(services: Services, table: string, id: string): Promise<GivenRow | undefined> {
  const connected = await connectSelected(services);
  if (connected === undefined) return undefined;
  const status = tablesOf(services).find((each) => nameOf(each) === table);
  const [name = table, schema = 'public'] = table.split('.').reverse();
  const key = status?.keys[0] ?? 'id';
  const params: RowQueryParams = { schema: status?.schema ?? schema, name: status?.name ?? name, key };
  const query = await services.language.ask<RowQueryResult>(rowQueryRequest, params);
  if (!query) {
    complain(services.log, l10n.t('The language server does not run. Restart it.'));
    return undefined;
  }
  const [row] = await connected.api.query(query, [id]);
  if (row !== undefined) return { kind: 'record', text: String(row.record) };
  complain(services.log, l10n.t('{0} has no row with {1} = {2}.', table, key, id));
  return undefined;
}

function nameOf({ schema, name }: TableStatus): string {
  return schema === 'public' ? name : `${schema}.${name}`;
}
