/** A completion, without anything of the language protocol. */
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

/** Literal text, and places to fill in, in their order. The cursor ends at the last one, or after the text. */
export type Insert = readonly (string | Stop)[];

interface Stop {
  /** The text there until something else is typed. */
  readonly stop: string;
  /** The same as an earlier one with this text: both are filled in at once. */
  readonly again?: true;
}

export interface Completion {
  readonly label: string;
  readonly kind: CompletionKind;
  /** A few words beside the label. */
  readonly detail?: string;
  readonly insert: Insert;
  /** The text to replace, in the file. */
  readonly span: Span;
  /** Lower ones come first; equal ones in the order of the list. */
  readonly rank: number;
  /** The text that typed letters are compared with, if not the label. */
  readonly filter?: string;
  readonly isDeprecated?: true;
  /** Something else has to be chosen directly after it. */
  readonly continues?: true;
  /** Markdown, made when someone wants to read it. */
  readonly docs?: () => string | undefined;
}

/** Returns an item that also writes blanks that are not in the file yet. */
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
 * Returns the text in the notation of snippets: `${1:…}` for places to fill in, and a backslash before characters with a
 * meaning there.
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
