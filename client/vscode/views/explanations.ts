/** Explains which users get a row, in a document with links into the config. */
import { DocumentLink, l10n, Range, type TextDocument, Uri, window, workspace } from 'vscode';
import type { ExplainedRule } from '../../../server/protocol.ts';
import { splitPath } from '../../../server/shared/uri.ts';
import { explainedScheme } from './answers.ts';
import { remember } from './remembered.ts';

interface Explanation {
  readonly table: string;
  /** The row as it is synced, or as the user has entered it. */
  readonly row: string;
  readonly config: Uri;
  readonly rules: readonly ExplainedRule[];
}

const shown = remember<Explanation>();

export async function showExplanation(explanation: Explanation): Promise<void> {
  const { table, row } = explanation;
  const uri = Uri.from({ scheme: explainedScheme, path: `/${table}`, query: row });
  shown.put(uri, explanation);
  await window.showTextDocument(await workspace.openTextDocument(uri), { preview: true });
}

export function explanationText(uri: Uri): string {
  return textOf(shown.get(uri));
}

/** Returns the links to places in the config. */
export function explanationLinks(document: TextDocument): readonly DocumentLink[] {
  const explanation = shown.get(document.uri);
  if (explanation === undefined) return [];
  const name = nameOf(explanation.config);
  return [...document.getText().matchAll(/(\S+):(\d+):(\d+)$/gm)].flatMap((match) => {
    const [text, file, line, column] = match;
    if (file !== name) return [];
    const start = document.positionAt(match.index);
    const target = explanation.config.with({ fragment: `L${line},${column}` });
    return [new DocumentLink(new Range(start, start.translate(0, text.length)), target)];
  });
}

function textOf(explanation: Explanation | undefined): string {
  if (explanation === undefined) return l10n.t('This is not remembered any more: look again.\n');
  const { table, row, config, rules } = explanation;
  const told = rules.map(({ stream, sentences, place }) =>
    [
      `${stream}  ${nameOf(config)}:${place.line + 1}:${place.character + 1}`,
      ...sentences.map((sentence) => `  ${sentence}`),
    ].join('\n'),
  );
  const nothing = l10n.t('No query of {0} reads {1}.', nameOf(config), table);
  return [l10n.t('A row of {0}:', table), row, ...(told.length === 0 ? [nothing] : told)]
    .join('\n\n')
    .concat('\n');
}

function nameOf(uri: Uri): string {
  return splitPath(uri.path).name;
}
