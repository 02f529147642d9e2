/** Decides whether there is a space between two neighbouring atoms in a line. */
import type { Select } from '../ast.ts';
import { expressionsIn, selectsIn } from '../walk.ts';
import type { Atom } from './atoms.ts';

/** Returns the offsets that are directly followed by a parenthesis: `upper(`, `q(a, b)`. */
export function calleesOf(statement: Select): ReadonlySet<number> {
  const ends = new Set<number>();
  for (const select of selectsIn(statement)) {
    for (const { source } of select.from) {
      if (source.kind === 'function') ends.add(source.nameSpan.end);
      if (source.alias?.columns) ends.add(source.alias.name.span.end);
    }
    for (const expr of expressionsIn(select)) if (expr.kind === 'call') ends.add(expr.nameSpan.end);
  }
  return ends;
}

/** Words before parentheses that belong to their own grammar. */
const callers: ReadonlySet<string> = new Set(
  'all any array cast exists extract overlay row some substring'.split(' '),
);

const opening: ReadonlySet<string> = new Set(['(', '[']);
const closing: ReadonlySet<string> = new Set([')', ']', ',', ';']);
/** Symbols without a space on either side. */
const tight: ReadonlySet<string> = new Set(['.', '::']);

export function standApart(
  before: Atom,
  after: Atom,
  callees: ReadonlySet<number>,
  prefixes: ReadonlySet<number>,
): boolean {
  if (before.kind === 'comment' || after.kind === 'comment' || after.kind === 'line comment') return true;
  if (opening.has(before.text) || closing.has(after.text)) return false;
  if (tight.has(before.text) || tight.has(after.text)) return false;
  if (after.text === '[') return false;
  if (after.text === '(') return !isCallee(before, callees);
  // The space between a sign and its value, or between a type and its string, stays as written.
  if (prefixes.has(before.start) || (before.kind === 'word' && after.text.startsWith("'")))
    return before.end < after.start;
  return true;
}

function isCallee(before: Atom, callees: ReadonlySet<number>): boolean {
  return callees.has(before.end) || (before.kind === 'word' && callers.has(before.text.toLowerCase()));
}

/** Returns the offsets of signs before their operand. */
export function prefixesOf(statement: Select): ReadonlySet<number> {
  const starts = new Set<number>();
  for (const select of selectsIn(statement))
    for (const expr of expressionsIn(select))
      if (expr.kind === 'unary' && expr.op !== 'NOT') starts.add(expr.span.start);
  return starts;
}
