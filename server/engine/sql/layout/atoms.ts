/** The tokens and comments of a text in reading order. The layout changes the space between them but never the atoms. */
import { append } from '../../ground/append.ts';
import { tokenize } from '../lexer.ts';

export interface Atom {
  readonly kind: 'word' | 'comment' | 'line comment' | 'other';
  /** The text of the atom as written. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

export function atomsOf(text: string): readonly Atom[] {
  const atoms: Atom[] = [];
  let end = 0;
  for (const token of tokenize(text).tokens) {
    append(atoms, commentsIn(text, end, token.start));
    const kind = token.kind === 'word' ? 'word' : 'other';
    if (token.kind !== 'end')
      atoms.push({ kind, text: text.slice(token.start, token.end), start: token.start, end: token.end });
    end = token.end;
  }
  return atoms;
}

function commentsIn(text: string, from: number, to: number): Atom[] {
  const comments: Atom[] = [];
  let at = from;
  while (at < to) {
    const isLine = text.startsWith('--', at);
    if (!isLine && !text.startsWith('/*', at)) {
      at++;
      continue;
    }
    const end = isLine ? endOfLine(text, at, to) : endOfBlock(text, at, to);
    comments.push({
      kind: isLine ? 'line comment' : 'comment',
      text: text.slice(at, end),
      start: at,
      end,
    });
    at = end;
  }
  return comments;
}

/** Returns the end of the line, before the blanks at its end. */
function endOfLine(text: string, from: number, to: number): number {
  const line = /[^\r\n]*/y;
  line.lastIndex = from;
  const written = line.exec(text.slice(0, to))?.[0] ?? '';
  return from + written.trimEnd().length;
}

/** Returns the end of a block comment. Block comments nest, and an unclosed one extends to the end. */
function endOfBlock(text: string, from: number, to: number): number {
  let depth = 0;
  let at = from;
  while (at < to) {
    const pair = text.slice(at, at + 2);
    if (pair === '/*') depth++;
    if (pair === '*/') depth--;
    at += pair === '/*' || pair === '*/' ? 2 : 1;
    if (depth === 0) break;
  }
  return Math.min(at, to);
}
