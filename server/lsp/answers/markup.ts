/** Explanations as Markdown, or as plain text for clients that do not announce support for Markdown. */
import { type MarkupContent, MarkupKind } from 'vscode-languageserver';

export function markupFor(formats: readonly string[] | undefined, markdown: string): MarkupContent {
  if (formats?.includes(MarkupKind.Markdown)) return { kind: MarkupKind.Markdown, value: markdown };
  return { kind: MarkupKind.PlainText, value: withoutMarkdown(markdown) };
}

/** Converts Markdown to plain text: removes fences, marks and the addresses of links. Code is unchanged. */
function withoutMarkdown(markdown: string): string {
  return markdown
    .split(/^(```[^\n]*\n[\s\S]*?\n```)$/m)
    .map((piece, index) => (index % 2 === 1 ? codeIn(piece) : withoutMarks(piece)))
    .join('');
}

function codeIn(fenced: string): string {
  return fenced.split('\n').slice(1, -1).join('\n');
}

function withoutMarks(text: string): string {
  return text
    .split(/(`[^`\n]+`)/)
    .map((piece, index) =>
      index % 2 === 1
        ? piece.slice(1, -1)
        : piece
            .replaceAll(/\[([^\]\n]*)\]\([^)\n]*\)/g, '$1')
            .replaceAll(/\*\*([^*\n]+)\*\*/g, '$1')
            .replaceAll(/(^|[^\w\\])[*_]([^*_\n]+)[*_](?=\W|$)/g, '$1$2')
            .replaceAll(/^#+ /gm, '')
            .replaceAll(/^-{3,}$\n?/gm, '')
            .replaceAll(/\\([\\`*_{}[\]()#+.!|<>-])/g, '$1')
            .replaceAll('&nbsp;', ' '),
    )
    .join('');
}
