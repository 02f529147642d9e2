/** Beside the language of our files: where their tables are known from. */
import { Disposable, LanguageStatusSeverity, l10n, languages, window, workspace } from 'vscode';
import { type SchemaStatus, type SchemaStatusParams, schemaStatusRequest } from '../../server/protocol.ts';
import { looksLikeSyncConfig } from './configs.ts';
import type { LanguageServer } from './language.ts';
import { documentSelector } from './selector.ts';
import { readSettings } from './settings.ts';

export function showSchemaStatus(language: Pick<LanguageServer, 'ask' | 'onDidStart'>): Disposable {
  const item = languages.createLanguageStatusItem('headwater.schema', documentSelector(readSettings().files));
  item.name = l10n.t('Tables of the source');
  item.text = l10n.t('Looking for tables');

  async function update(): Promise<void> {
    const document = window.activeTextEditor?.document;
    if (document === undefined || !looksLikeSyncConfig(document)) return;
    const params: SchemaStatusParams = { uri: document.uri.toString() };
    const status = await language.ask<SchemaStatus>(schemaStatusRequest, params);
    if (status === undefined) return;
    const { behind = [] } = status;
    item.text = textOf(status);
    const { Information, Warning } = LanguageStatusSeverity;
    item.severity = behind.length > 0 ? Warning : Information;
    item.detail = behind.length > 0 ? detailOf(behind) : '';
    item.command =
      behind.length > 0 ? { command: 'headwater.refreshSchema', title: l10n.t('Refresh') } : undefined;
  }

  return Disposable.from(
    item,
    language.onDidStart(update),
    window.onDidChangeActiveTextEditor(update),
    workspace.onDidSaveTextDocument(update),
    // Updated whenever something else is learned about the tables.
    languages.onDidChangeDiagnostics(({ uris }) => {
      const shown = window.activeTextEditor?.document.uri.toString();
      if (uris.some((uri) => uri.toString() === shown)) void update();
    }),
  );
}

function textOf({ origin, tables }: SchemaStatus): string {
  switch (origin) {
    case 'files':
      return l10n.t('{0} tables, from SQL files', tables);
    case 'snapshot':
      return l10n.t('{0} tables, from the snapshot', tables);
    case 'service':
      return l10n.t('{0} tables, from a service', tables);
    case 'none':
      return l10n.t('Tables are not known');
  }
}

/** As many as can be read at a glance. */
const mostNames = 4;

function detailOf(behind: readonly string[]): string {
  const more = behind.length - mostNames;
  const names = [...behind.slice(0, mostNames), ...(more > 0 ? [l10n.t('{0} more', more)] : [])].join(', ');
  return l10n.t('older than the SQL files, which also create {0}', names);
}
