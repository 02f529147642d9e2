/** A column that would say in the synced table itself what a lookup finds out, as a sentence with its migration. */
import type { PlacedDefinition } from '../../engine/index.ts';
import type { Expr, In, Select } from '../../engine/sql/ast.ts';
import { selectsIn } from '../../engine/sql/walk.ts';
import { conjunctsOf, hasSubquery, referencesIn } from '../reading/conjuncts.ts';

/**
 * For `list_id IN (SELECT id FROM lists WHERE owner = auth.user_id())`: each row has one list, which has one owner. A lookup of
 * anything else than a key may find several.
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
    `A column \`${column}\` in \`${table}\` would need no lookup:`,
    `\`ALTER TABLE ${table} ADD COLUMN ${column} text;`,
    `UPDATE ${table} SET ${column} = ${parent}.${column} FROM ${parent} WHERE ${parent}.id = ${table}.${left.column.text};\``,
    `then \`WHERE ${column} = ${text.slice(value.span.start, value.span.end)}\`.`,
    'Your backend or a trigger has to keep it up to date.',
  ].join(' ');
}

function onlyTable({ from }: Select): string | undefined {
  const [item, second] = from;
  return item?.source.kind === 'table' && second === undefined ? item.source.name.text : undefined;
}

/** `owner = auth.user_id()`, either way round. */
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
