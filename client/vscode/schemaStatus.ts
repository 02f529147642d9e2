/** Beside the language of our files: where their tables are known from. */
import { Disposable, l10n, languages, window, workspace } from 'vscode';
import { type SchemaStatus, type SchemaStatusParams, schemaStatusRequest } from '../../server/protocol.ts';
import { looksLikeSyncConfig } from './configs.ts';
import type { LanguageServer } from './language.ts';
import { documentSelector } from './selector.ts';
import { readSettings } from './settings.ts';

export function showSchemaStatus(language: Pick<LanguageServer, 'ask' | 'onDidStart'>): Disposable {
  const item = languages.createLanguageStatusItem('headwater.schema', documentSelector(readSettings().files));
  item.name = l10n.t('Tables of the source');
  item.text = l10n.t('Tables are being looked for');

  async function update(): Promise<void> {
    const document = window.activeTextEditor?.document;
    if (document === undefined || !looksLikeSyncConfig(document)) return;
    const params: SchemaStatusParams = { uri: document.uri.toString() };
    const status = await language.ask<SchemaStatus>(schemaStatusRequest, params);
    if (status !== undefined) item.text = textOf(status);
  }

  return Disposable.from(
    item,
    language.onDidStart(update),
    window.onDidChangeActiveTextEditor(update),
    workspace.onDidSaveTextDocument(update),
    // Told anew whenever something else becomes known of the tables.
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
