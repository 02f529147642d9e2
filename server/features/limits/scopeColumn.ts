/** Suggests a column in the synced table that could replace a lookup, with the migration that adds it. */
import type { PlacedDefinition } from '../../engine/index.ts';
import type { Expr, In, Select } from '../../engine/sql/ast.ts';
import { selectsIn } from '../../engine/sql/walk.ts';
import { conjunctsOf, hasSubquery, referencesIn } from '../reading/conjuncts.ts';

/**
 * Suggests a column for a lookup such as `list_id IN (SELECT id FROM lists WHERE owner = auth.user_id())`, where each row has one
 * list and each list has one owner. Only a lookup of a key finds a single row, so other lookups are not considered.
 */
export function scopeColumnOf({ definition }: PlacedDefinition): string | undefined {
  if (definition.kind !== 'stream') return undefined;
  for (const { sql } of definition.queries) {
    const [select] = sql.statements.flatMap(selectsIn);
    for (const member of conjunctsOf(select?.where)) {
      const sentence = select && member.kind === 'in' && sentenceFor(select, member, sql.text);
      if (sentence) return sentence;
    }
  }
  return undefined;
}

function sentenceFor(select: Select, { negated, left, right }: In, text: string): string | undefined {
  const inner = right.kind === 'subquery' && right.query.kind === 'select' ? right.query : undefined;
  const [table, parent] = [onlyTable(select), inner && onlyTable(inner)];
  const key = inner?.columns.length === 1 ? inner.columns[0]?.expr : undefined;
  if (negated || table === undefined || parent === undefined || left.kind !== 'reference') return undefined;
  if (key?.kind !== 'reference' || key.column.text !== 'id') return undefined;
  const [condition, second] = conjunctsOf(inner?.where);
  const scope = condition && scopeIn(condition);
  if (scope === undefined || second !== undefined) return undefined;
  const { column, value } = scope;
  return [
    `With a column \`${column}\` in \`${table}\`, no lookup would be needed:`,
    `\`ALTER TABLE ${table} ADD COLUMN ${column} text;`,
    `UPDATE ${table} SET ${column} = ${parent}.${column} FROM ${parent} WHERE ${parent}.id = ${table}.${left.column.text};\``,
    `then \`WHERE ${column} = ${text.slice(value.span.start, value.span.end)}\`.`,
    'Your backend or a trigger must keep the column up to date.',
  ].join(' ');
}

function onlyTable({ from }: Select): string | undefined {
  const [item, second] = from;
  return item?.source.kind === 'table' && second === undefined ? item.source.name.text : undefined;
}

/** Reads a condition such as `owner = auth.user_id()`, in either order. */
function scopeIn(condition: Expr): { readonly column: string; readonly value: Expr } | undefined {
  if (condition.kind !== 'binary' || condition.op !== '=') return undefined;
  for (const [one, other] of [
    [condition.left, condition.right],
    [condition.right, condition.left],
  ] as const)
    if (one.kind === 'reference' && referencesIn(other).length === 0 && !hasSubquery(other))
      return { column: one.column.text, value: other };
  return undefined;
}
