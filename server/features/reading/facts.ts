/**
 * Facts about the tables and columns in the SQL of a file, for guesses about other places in it. A single pass over the syntax tree
 * of each text collects them all, because the tree has to be built again for a very large file.
 */
import { oncePer } from '../../engine/ground/oncePer.ts';
import type { SqlText } from '../../engine/model/definition.ts';
import type { Expr, Select } from '../../engine/sql/ast.ts';
import { children, expressionsIn, selectsIn } from '../../engine/sql/walk.ts';

interface TextFacts {
  /** The tables in the FROM of the outer query itself. */
  readonly outerTables: readonly string[];
  /** All tables that the text reads, with their aliases. */
  readonly sources: readonly NamedSource[];
  /** The columns in its conditions, once for each occurrence. */
  readonly inConditions: readonly string[];
  /** The columns that are compared with a text, and that text. */
  readonly comparisons: readonly (readonly [column: string, text: string])[];
}

interface NamedSource {
  readonly name: string;
  readonly alias?: string;
}

export const textFactsOf = oncePer(({ sql }: SqlText): TextFacts => {
  const { statements } = sql;
  const [query] = statements;
  const selects = statements.flatMap(selectsIn);
  return {
    outerTables: query?.kind === 'select' ? sourcesOf(query).map(({ name }) => name) : [],
    sources: selects.flatMap(sourcesOf),
    inConditions: selects.flatMap(columnsInWhere).map(({ name }) => name),
    comparisons: selects.flatMap(expressionsIn).flatMap(comparisonIn),
  };
});

function sourcesOf({ from }: Select): readonly NamedSource[] {
  return from.flatMap(({ source }) =>
    source.kind === 'table'
      ? [{ name: source.name.text, ...(source.alias && { alias: source.alias.name.text }) }]
      : [],
  );
}

/** Returns the columns in the conditions of a query, with their spans. */
export function columnsInWhere({
  where,
}: Select): readonly { readonly name: string; readonly span: Expr['span'] }[] {
  const found: { name: string; span: Expr['span'] }[] = [];
  const waiting: Expr[] = where ? [where] : [];
  for (let expr = waiting.pop(); expr !== undefined; expr = waiting.pop()) {
    if (expr.kind === 'reference') found.push({ name: expr.column.text, span: expr.span });
    for (const child of children(expr)) waiting.push(child);
  }
  return found;
}

function comparisonIn(expr: Expr): readonly (readonly [column: string, text: string])[] {
  if (expr.kind !== 'binary' || expr.left.kind !== 'reference' || expr.right.kind !== 'literal') return [];
  const { value } = expr.right;
  return value.type === 'text' && value.value !== '' ? [[expr.left.column.text, value.value]] : [];
}
