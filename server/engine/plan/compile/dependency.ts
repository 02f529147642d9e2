/**
 * The dependency of a value: nothing, the request, or one row. An expansion of a row counts as that row, but two expansions are
 * connected only through their row. The rule depends on the order of the operands. It is that of the reference, and every service
 * rejects a config that breaks it.
 */
import { textMeant } from './quotes.ts';
import type { Dependency, EnclosingTest, TableRelation, Use } from './relations.ts';

/**
 * Returns the dependency of a value, or `mixed` if it has two. `onMixed` is called with the first use that does not fit. A function
 * of constants joins the first table that it meets.
 */
export function dependencyOf(
  uses: readonly Use[],
  onMixed?: (use: Use, first: Dependency) => void,
): Dependency | undefined | 'mixed' {
  let current: Dependency | undefined;
  for (const use of uses) {
    if (current !== undefined && !fits(current, use.of)) {
      onMixed?.(use, current);
      return 'mixed';
    }
    current = use.of;
  }
  return current;
}

function fits(current: Dependency, next: Dependency): boolean {
  if (current === next) return true;
  if (next.kind === 'function') return current.kind === 'table' && isOver(next, current);
  return current.kind === 'function' && next.kind === 'table' && isOver(current, next);
}

function isOver(relation: Extract<Dependency, { kind: 'function' }>, table: TableRelation): boolean {
  if (relation.base === 'constants') relation.base = table;
  return relation.base === table;
}

/** Reports that a value depends on two things, at the second one. For a buried subquery, reports the subquery instead. */
export function reportMixed(use: Use, first: Dependency): void {
  const buried = buriedIn(use.of) ?? buriedIn(first);
  if (buried) buried.text.reportUse('negated-subquery', buried.at.span, {});
  else if (use.of.kind === 'request' || first.kind === 'request') {
    use.text.reportUse('mixed-row-and-parameter', use.at.span, quotedText(use));
  } else {
    const isList = [first, use.of].some((each) => each.kind === 'function' && each.syntax === undefined);
    const names = { first: first.name, second: use.of.name };
    use.text.reportUse('mixed-tables', use.at.span, { ...names, ...(isList && { isList }) });
  }
}

function buriedIn(dependency: Dependency): EnclosingTest | undefined {
  return dependency.kind === 'request' ? undefined : dependency.buried;
}

/**
 * Returns advice for a column in unnecessary double quotes, which was probably intended as text, and for the name of a parameter.
 */
function quotedText({ text, at }: Use): { instead?: string } {
  if (at.text !== text.index) return {};
  const { start, end } = at.span;
  const { text: sql } = text.source.sql;
  if (/\.\s*parameter\s*\(\s*$/i.test(sql.slice(0, start)) && /^\s*\)/.test(sql.slice(end)))
    return {
      instead: `The name of a parameter is a string: write '${sql.slice(start, end).replaceAll('"', '')}'.`,
    };
  const instead = textMeant(text, at.span);
  return instead === undefined ? {} : { instead };
}

/** Returns the rows to which a dependency belongs: a table, the elements of request data (or constants), or the request. */
export function rowsOf(dependency: Dependency): Dependency {
  if (dependency.kind !== 'function') return dependency;
  return typeof dependency.base === 'string' ? dependency : dependency.base;
}
