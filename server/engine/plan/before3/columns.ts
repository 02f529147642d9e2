/** Reads the columns that a query syncs. */
import type { Select, SelectColumn } from '../../sql/ast.ts';
import type { OutputColumn } from '../plan.ts';
import { classify } from './conditions/classify.ts';
import { originIn } from './place.ts';
import type { ReadingScope } from './scope.ts';

/**
 * Returns undefined after a problem. A named column overrides one from `*` in any order, unless it is NULL and the star follows it.
 * Therefore, the star comes first in the plan, where later columns overwrite earlier ones.
 */
export function readColumns(scope: ReadingScope, { columns }: Select): readonly OutputColumn[] | undefined {
  let named: NamedColumn[] = [];
  let star: OutputColumn | undefined;
  let failed = false;
  for (const column of columns) {
    const { expr } = column;
    if (expr.kind === 'star' && !column.alias) {
      star ??= { kind: 'star', visibleOnly: true, at: originIn(scope, expr.span) };
      named = named.map((each) => (each.name.startsWith('_') ? each : { ...each, yieldsToStar: true }));
      continue;
    }
    const output = readColumn(scope, column);
    if (output) named.push(output);
    else failed = true;
  }
  if (failed) return undefined;
  return star ? [star, ...named] : named;
}

type NamedColumn = OutputColumn & { readonly kind: 'column' };

function readColumn(scope: ReadingScope, column: SelectColumn): NamedColumn | undefined {
  const { expr, span } = column;
  const clause = classify(scope, expr);
  const name = columnName(scope, column);
  if (!clause || name === undefined) return undefined;
  if (clause.kind !== 'row' && clause.kind !== 'constant') {
    scope.report('match-not-allowed', expr.span, { place: 'synced column' });
    return undefined;
  }
  return { kind: 'column', name, value: clause.expression, at: originIn(scope, span) };
}

/** Returns the alias or the column name. Any other expression requires an alias. */
export function columnName(scope: ReadingScope, { alias, expr }: SelectColumn): string | undefined {
  if (alias) return alias.text;
  if (expr.kind === 'reference') return expr.column.text;
  if (expr.kind !== 'unreadable') scope.report('alias-required', expr.span, {});
  return undefined;
}

/** Reports a missing `id`, which clients need. A star may contain it, unless the table is known to have no such column. */
export function checkId(scope: ReadingScope, { columns, span }: Select): void {
  if (columns.some((column) => staticName(column) === 'id')) return;
  const star = columns.find(({ expr, alias }) => expr.kind === 'star' && !alias);
  if (!star) {
    scope.report('missing-id-column', columns.at(-1)?.span ?? span, {});
  } else if (
    // A schema that may have other columns shows nothing about an absent one.
    scope.surroundings.catalog?.open !== true &&
    scope.table?.known?.every((table) => !table.columns.has('id'))
  ) {
    scope.report('missing-id', star.expr.span, { table: scope.table.name });
  }
}

function staticName({ alias, expr }: SelectColumn): string | undefined {
  return alias?.text ?? (expr.kind === 'reference' ? expr.column.text : undefined);
}
