/** A status item next to the language of a sync config: the origin of its tables. */
import {
  Disposable,
  type LanguageStatusItem,
  LanguageStatusSeverity,
  l10n,
  languages,
  window,
  workspace,
} from 'vscode';
import { type SchemaStatus, type SchemaStatusParams, schemaStatusRequest } from '../../server/protocol.ts';
import { looksLikeSyncConfig } from './configs.ts';
import type { LanguageServer } from './language.ts';

export function showSchemaStatus(language: Pick<LanguageServer, 'ask' | 'onDidStart'>): Disposable {
  let shown: LanguageStatusItem | undefined;

  async function update(): Promise<void> {
    const document = window.activeTextEditor?.document;
    if (document === undefined || !looksLikeSyncConfig(document)) {
      shown?.dispose();
      shown = undefined;
      return;
    }
    shown ??= createItem();
    const item = shown;
    const params: SchemaStatusParams = { uri: document.uri.toString() };
    const status = await language.ask<SchemaStatus>(schemaStatusRequest, params);
    if (status === undefined) return;
    const isBehind = status.behind !== undefined && status.behind.length > 0;
    item.text = textOf(status);
    item.severity = LanguageStatusSeverity[isBehind ? 'Warning' : 'Information'];
    item.detail = detailOf(status);
    item.command = isBehind ? { command: 'headwater.refreshSchema', title: l10n.t('Refresh') } : undefined;
  }

  void update();
  return Disposable.from(
    { dispose: () => shown?.dispose() },
    language.onDidStart(update),
    window.onDidChangeActiveTextEditor(update),
    workspace.onDidSaveTextDocument(update),
    // Update the item when diagnostics change, because the tables may have changed as well.
    languages.onDidChangeDiagnostics(({ uris }) => {
      const active = window.activeTextEditor?.document.uri.toString();
      if (uris.some((uri) => uri.toString() === active)) void update();
    }),
  );
}

/** Creates the item. It exists only while a sync config is in the active editor, because other YAML files have no tables. */
function createItem(): LanguageStatusItem {
  const item = languages.createLanguageStatusItem('headwater.schema', { language: 'yaml' });
  item.name = l10n.t('Tables of the source');
  item.text = l10n.t('Looking for tables');
  return item;
}

function textOf({ origin, tables }: SchemaStatus): string {
  const texts: Readonly<Record<SchemaStatus['origin'], string>> = {
    files: l10n.t('{0}, from SQL files', tablesText(tables)),
    snapshot: l10n.t('{0}, from the snapshot', tablesText(tables)),
    service: l10n.t('{0}, from a service', tablesText(tables)),
    none: l10n.t('Tables are not known'),
  };
  return texts[origin];
}

/** Returns a number of tables such as `1 table` or `17 tables`. */
export function tablesText(number: number): string {
  return number === 1 ? l10n.t('1 table') : l10n.t('{0} tables', number);
}

/** The maximum number of names, so that they can be read at a glance. */
const mostNames = 4;

function detailOf({ behind = [], isOpen }: SchemaStatus): string {
  if (behind.length === 0) return isOpen ? l10n.t('there may be others, so none is reported as missing') : '';
  const more = behind.length - mostNames;
  const names = [...behind.slice(0, mostNames), ...(more > 0 ? [l10n.t('{0} more', more)] : [])].join(', ');
  return l10n.t('older than the SQL files, which also create {0}', names);
}
