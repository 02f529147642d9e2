/**
 * Lays out a query: in one line if it fits and was written in one line, otherwise with one line for each clause. Only white space
 * and the case of keywords change, so the meaning stays the same. Names that are derived from the query's text do not change.
 */
import { applyEdits, type Edit } from '../../text/edit.ts';
import { type Span, span } from '../../text/span.ts';
import type { Select } from '../ast.ts';
import { parseSql } from '../parser/parser.ts';
import { selectsIn } from '../walk.ts';
import { type Atom, atomsOf } from './atoms.ts';
import { groupsOf, indentation, type LayoutGroup } from './groups.ts';
import { keywordEdits } from './keywords.ts';
import { calleesOf, prefixesOf, standApart } from './spacing.ts';

interface LayoutWish {
  /** The maximum number of characters in a line. */
  readonly width: number;
  /** The length of the text before the query in the first line. */
  readonly first?: number;
  /** Whether to use one line, or a line for each clause. A query that does not fit is broken in any case. */
  readonly lines: 'one' | 'many';
}

/** The text between two neighbouring atoms: nothing, a space, or a line break with this indentation. */
type Separator = '' | ' ' | { readonly indent: number };

export interface Gap {
  /** The span of the current white space. */
  readonly at: Span;
  readonly separator: Separator;
}

interface Layout {
  readonly gaps: readonly Gap[];
  /** Edits of keywords that are not in upper case. */
  readonly words: readonly Edit[];
  /** Whether the text has comments that need a line break after them. */
  readonly hasLineComments: boolean;
}

/** Returns undefined unless the text is exactly one SELECT without syntax errors. */
export function layoutOf(text: string, wish: LayoutWish): Layout | undefined {
  const { statements, problems } = parseSql(text);
  const [statement, second] = statements;
  if (problems.length > 0 || statement?.kind !== 'select' || second) return undefined;
  if (statement.refused.length > 0) return undefined;
  const atoms = atomsOf(text);
  if (!holdAll(text, atoms)) return undefined;
  const verbatim = unnamedIn(statement);
  const separators = separatorsOf(text, statement, atoms, wish);
  const isVerbatim = (at: number) => verbatim.some(({ start, end }) => at > start && at < end);
  return {
    gaps: separators.flatMap((separator, index) => {
      const before = atoms[index] as Atom;
      const after = atoms[index + 1] as Atom;
      return isVerbatim(after.start) ? [] : [{ at: span(before.end, after.start), separator }];
    }),
    hasLineComments: atoms.some(({ kind }) => kind === 'line comment'),
    words: keywordEdits(statement, atoms).filter(
      ({ span: { start, end } }) => !isVerbatim((start + end) / 2),
    ),
  };
}

/** Returns the text after layout. */
export function laidOut(text: string, wish: LayoutWish): string | undefined {
  const layout = layoutOf(text, wish);
  if (!layout) return undefined;
  const gaps = layout.gaps.map(({ at, separator }) => ({ span: at, text: separatorText(separator) }));
  return applyEdits(text, [...layout.words, ...gaps]).trim();
}

function separatorText(separator: Separator): string {
  return typeof separator === 'string' ? separator : `\n${' '.repeat(separator.indent)}`;
}

/** Whether there is only white space between the atoms. */
function holdAll(text: string, atoms: readonly Atom[]): boolean {
  let at = 0;
  for (const { start, end } of atoms) {
    if (text.slice(at, start).trim() !== '') return false;
    at = end;
  }
  return text.slice(at).trim() === '';
}

/** Returns the spans of columns without a name, because their text is their name. */
function unnamedIn(statement: Select): readonly Span[] {
  return selectsIn(statement).flatMap(({ columns }) =>
    columns.flatMap(({ expr, alias, span: at }) =>
      alias || expr.kind === 'reference' || expr.kind === 'star' ? [] : [at],
    ),
  );
}

interface Open {
  readonly end: number;
  /** The indentations of line breaks, by the index of the atom. */
  readonly breaks: ReadonlyMap<number, number>;
}

function separatorsOf(
  text: string,
  statement: Select,
  atoms: readonly Atom[],
  wish: LayoutWish,
): Separator[] {
  const [callees, prefixes] = [calleesOf(statement), prefixesOf(statement)];
  const apart = atoms.map((atom, index) => {
    const before = atoms[index - 1];
    return before !== undefined && standApart(before, atom, callees, prefixes) ? 1 : 0;
  });
  const widths = flatWidths(atoms, apart);
  const groups = groupsOf(atoms);
  const separators: Separator[] = [];
  let open: Open[] = [];
  let [column, lineIndent, next] = [wish.first ?? 0, 0, 0];
  for (const [index, atom] of atoms.entries()) {
    open = open.filter(({ end }) => end > index);
    const separator = separatorBefore(index);
    if (index > 0) separators.push(separator);
    const isLineStart = typeof separator !== 'string' || index === 0;
    if (typeof separator !== 'string') [column, lineIndent] = [separator.indent, separator.indent];
    else column += separator.length;
    for (; groups[next]?.start === index; next++)
      openGroup(groups[next] as LayoutGroup, isLineStart, next === 0);
    column += atom.text.length;
  }
  return separators;

  function separatorBefore(index: number): Separator {
    const atom = atoms[index] as Atom;
    const before = atoms[index - 1];
    const isComment = atom.kind === 'comment' || atom.kind === 'line comment';
    if (isComment && before && !/\n/.test(text.slice(before.end, atom.start))) return ' ';
    const broken = breakAt(isComment ? nextToken(index) : index);
    if (broken !== undefined) return { indent: broken };
    if (before?.kind === 'line comment' || isComment) return { indent: lineIndent };
    return apart[index] ? ' ' : '';
  }

  function breakAt(index: number): number | undefined {
    for (const { breaks } of open) {
      const indent = breaks.get(index);
      if (indent !== undefined) return indent;
    }
    return undefined;
  }

  function nextToken(index: number): number {
    let at = index;
    while (atoms[at]?.kind === 'comment' || atoms[at]?.kind === 'line comment') at++;
    return at;
  }

  function openGroup(group: LayoutGroup, isLineStart: boolean, isWhole: boolean): void {
    const width = (widths[group.end] ?? 0) - (widths[group.start] ?? 0) - (apart[group.start] ?? 0);
    if (column + width <= wish.width && !(isWhole && wish.lines === 'many')) return;
    const base = lineIndent + (group.hangs && !isLineStart ? indentation : 0);
    open.push({ end: group.end, breaks: new Map(group.breaks.map((at) => [at.before, base + at.indent])) });
  }
}

/** Returns the total widths of the atoms up to each one in a single line. A line comment counts as infinitely long. */
function flatWidths(atoms: readonly Atom[], apart: readonly number[]): number[] {
  const widths = [0];
  for (const [index, { kind, text }] of atoms.entries()) {
    const own = kind === 'line comment' || text.includes('\n') ? Number.MAX_SAFE_INTEGER / 1e6 : text.length;
    widths.push((widths[index] ?? 0) + (apart[index] ?? 0) + own);
  }
  return widths;
}
