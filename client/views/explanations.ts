/** Why a row goes where it goes, as a document with links into the config. */
import { Disposable, DocumentLink, languages, Range, Uri, window, workspace } from 'vscode';
import type { ExplainedRule } from '../../server/protocol.ts';

export interface Explanation {
  readonly table: string;
  /** As JSON. */
  readonly row: string;
  readonly config: Uri;
  readonly rules: readonly ExplainedRule[];
}

const scheme = 'headwater-explained';
/** By the address of their documents; the latest few. */
const shown = new Map<string, Explanation>();
const mostShown = 10;

export async function showExplanation(explanation: Explanation): Promise<void> {
  const { table, row } = explanation;
  const uri = Uri.from({ scheme, path: `/${table}`, query: row });
  shown.delete(uri.toString());
  shown.set(uri.toString(), explanation);
  for (const oldest of shown.keys()) {
    if (shown.size <= mostShown) break;
    shown.delete(oldest);
  }
  await window.showTextDocument(await workspace.openTextDocument(uri), { preview: true });
}

export function provideExplanations(): Disposable {
  return Disposable.from(
    workspace.registerTextDocumentContentProvider(scheme, {
      provideTextDocumentContent: (uri) => textOf(shown.get(uri.toString())),
    }),
    languages.registerDocumentLinkProvider(
      { scheme },
      {
        provideDocumentLinks(document) {
          const explanation = shown.get(document.uri.toString());
          if (explanation === undefined) return [];
          const name = nameOf(explanation.config);
          return [...document.getText().matchAll(/(\S+):(\d+):(\d+)$/gm)].flatMap((match) => {
            const [text, file, line, column] = match;
            if (file !== name) return [];
            const start = document.positionAt(match.index);
            const target = explanation.config.with({ fragment: `L${line},${column}` });
            return [new DocumentLink(new Range(start, start.translate(0, text.length)), target)];
          });
        },
      },
    ),
  );
}

function textOf(explanation: Explanation | undefined): string {
  if (explanation === undefined)
    return 'This is not remembered any more: run "Headwater: Explain Row" again.\n';
  const { table, row, config, rules } = explanation;
  const told = rules.map(({ stream, sentences, place }) =>
    [
      `${stream}  ${nameOf(config)}:${place.line + 1}:${place.character + 1}`,
      ...sentences.map((sentence) => `  ${sentence}`),
    ].join('\n'),
  );
  const nothing = `No query of ${nameOf(config)} reads ${table}.`;
  return [`A row of ${table}:`, row, ...(told.length === 0 ? [nothing] : told)].join('\n\n').concat('\n');
}

function nameOf(uri: Uri): string {
  return uri.path.split('/').at(-1) ?? '';
}
