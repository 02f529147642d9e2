/** A completion, independent of the language protocol. */
import type { Span } from '../../engine/text/span.ts';

export type CompletionKind =
  | 'key'
  | 'value'
  | 'keyword'
  | 'table'
  | 'column'
  | 'cte'
  | 'alias'
  | 'function'
  | 'schema'
  | 'parameter'
  | 'variable'
  | 'code'
  | 'snippet';

/** Literal text and placeholders, in order. The cursor ends at the last placeholder, or after the text if there is none. */
export type Insert = readonly (string | Stop)[];

interface Stop {
  /** The initial text of the placeholder. */
  readonly stop: string;
  /** Present if an earlier placeholder has the same text, so that both are edited together. */
  readonly again?: true;
}

export interface Completion {
  readonly label: string;
  readonly kind: CompletionKind;
  /** A short text next to the label. */
  readonly detail?: string;
  readonly insert: Insert;
  /** The span in the file that the completion replaces. */
  readonly span: Span;
  /** The sort key: lower ranks come first, and equal ranks keep the order of the list. */
  readonly rank: number;
  /** The text that is compared with the typed letters; absent: the label. */
  readonly filter?: string;
  readonly isDeprecated?: true;
  /** Present if the editor must show another list directly after this completion. */
  readonly continues?: true;
  /** Returns Markdown, which is computed only when a user looks at it. */
  readonly docs?: () => string | undefined;
}

/** Returns an item that also inserts missing indentation. */
export function indentItem(item: Completion, blanks: string, span: Span): Completion {
  const parts = item.insert.map((part) =>
    typeof part === 'string' ? part.replaceAll('\n', `\n${blanks}`) : part,
  );
  return { ...item, span, insert: [blanks, ...parts] };
}

export function plainText(insert: Insert): string {
  return insert.map((part) => (typeof part === 'string' ? part : part.stop)).join('');
}

/**
 * Returns the text in snippet notation: `${1:…}` for placeholders, and a backslash before characters that have a special meaning
 * there.
 */
export function snippetText(insert: Insert): string {
  let stops = 0;
  const last = insert.filter((part) => typeof part !== 'string').length;
  const numbers = new Map<string, number>();
  return insert
    .map((part) => {
      if (typeof part === 'string') return escapeSnippet(part);
      if (part.again) return `$${numbers.get(part.stop)}`;
      stops += 1;
      numbers.set(part.stop, stops);
      if (part.stop !== '') return `\${${stops}:${escapeSnippet(part.stop)}}`;
      return stops === last ? '$0' : `$${stops}`;
    })
    .join('');
}

export function hasStops(insert: Insert): boolean {
  return insert.some((part) => typeof part !== 'string');
}

function escapeSnippet(text: string): string {
  return text.replace(/[\\$}]/g, '\\$&');
}
