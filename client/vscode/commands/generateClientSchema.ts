/** Writes the tables of the clients of a sync config into a new document, in the form that their SDK expects. */
import { languages as editorLanguages, l10n, type QuickPickItem, type Uri, window, workspace } from 'vscode';
import {
  type ClientTablesParams,
  type ClientTablesResult,
  clientTablesRequest,
} from '../../../server/protocol.ts';
import { splitPath } from '../../../server/shared/uri.ts';
import { type languages, write } from '../../clientSchema/languages.ts';
import { chooseConfig, contentOf } from '../configs.ts';
import type { Services } from '../services.ts';
import { complain, warn, withProgress } from './telling.ts';

type Language = keyof typeof languages;

/** The offered languages. `language` is the id in the editor. */
const offers: readonly (QuickPickItem & { readonly id: Language; readonly language: string })[] = [
  { id: 'ts', label: 'TypeScript', language: 'typescript' },
  { id: 'js', label: 'JavaScript', language: 'javascript' },
  { id: 'dart', label: 'Dart', language: 'dart' },
  { id: 'kotlin', label: 'Kotlin', language: 'kotlin' },
  { id: 'swift', label: 'Swift', language: 'swift' },
  { id: 'dotNet', label: 'C#', description: 'Table', language: 'csharp' },
  { id: 'dotNetClass', label: 'C#', description: 'class', language: 'csharp' },
];

export async function generateClientSchema(services: Services, named: unknown): Promise<void> {
  const { log, language } = services;
  const document = await chooseConfig(named, () =>
    complain(log, l10n.t('Open the sync config whose clients need a schema.')),
  );
  if (document === undefined) return;
  await withProgress(log, l10n.t('Generating'), async () => {
    await language.ensure();
    const params: ClientTablesParams = { uri: document.uri.toString(), text: contentOf(document) };
    const found = await language.ask<ClientTablesResult>(clientTablesRequest, params);
    const name = splitPath(document.uri.path).name;
    if (found === undefined) return complain(log, l10n.t('The language server is not running. Restart it.'));
    if (found === null) return complain(log, l10n.t('{0} has errors. Fix them first.', name));
    if (found.tables.length === 0) return complain(log, l10n.t('{0} defines no tables.', name));
    const picked = await window.showQuickPick(offers, {
      title: l10n.t('Generate Client Schema'),
      placeHolder: l10n.t('The language of the app'),
    });
    if (picked === undefined) return;
    const content = write(picked.id, found.tables, await packageFor(document.uri));
    const known = await knownLanguage(picked.language);
    const written = await workspace.openTextDocument({ content, ...(known && { language: known }) });
    await window.showTextDocument(written, { preview: false });
    const [unknown] = found.unknown;
    if (unknown !== undefined)
      warn(
        log,
        l10n.t(
          'The columns of {0} are not known, so the schema has none of them. Add its SQL file, or refresh the schema from a service.',
          found.unknown.join(', '),
        ),
      );
  });
}

/** Returns the package of the package.json nearest to the sync config; undefined if it names none. */
async function packageFor(config: Uri): Promise<string | undefined> {
  const found = await workspace.findFiles('**/package.json', '**/node_modules/**', 50);
  const folder = workspace.getWorkspaceFolder(config);
  const near = found
    .filter((each) => folder === undefined || workspace.getWorkspaceFolder(each)?.index === folder.index)
    .toSorted((one, other) => one.path.length - other.path.length);
  for (const uri of near) {
    const text = new TextDecoder().decode(await workspace.fs.readFile(uri));
    const [, name] = /"(@powersync\/(?:web|node|react-native|capacitor|common))"\s*:/.exec(text) ?? [];
    if (name !== undefined) return name;
  }
  return undefined;
}

/** Returns the language if the editor knows it. An editor may lack the extension for a language. */
async function knownLanguage(wanted: string): Promise<string | undefined> {
  return (await editorLanguages.getLanguages()).includes(wanted) ? wanted : undefined;
}
