/** Resolves the names in a query from before edition 3, and the known columns of its table. */
import type { FunctionCall, Reference } from '../../sql/ast.ts';
import { nearest } from '../../text/nearest.ts';
import type { EvaluationRules } from '../evaluate/scope.ts';
import { type Clause, leafClause } from './conditions/clause.ts';
import { checkCapitals, originIn, type QueryPlace } from './place.ts';
import type { QueryTable } from './table.ts';

/** The rules for resolving names in one kind of query. */
export interface NameRules {
  readonly table?: QueryTable;
  /** The qualifier of unqualified columns. */
  readonly qualifier?: string;
  /**
   * The dependency that a service assigns to `1 = 1`, which matters next to a bare bucket parameter. Absent: none, as for a
   * constant.
   */
  readonly equalConstants?: 'row';
  /** Returns the value of a column with this qualifier, or reports an unknown qualifier. */
  readonly resolve: (
    scope: ReadingScope,
    reference: Reference,
    qualifier: string | undefined,
  ) => Clause | undefined;
  /** Returns the value of a call with a schema. */
  readonly resolveCall: (scope: ReadingScope, call: FunctionCall) => Clause | undefined;
}

export interface ReadingScope extends QueryPlace, NameRules {
  /** The rules for computing constants. */
  readonly rules: EvaluationRules;
  /** The number of expressions around the current one. */
  depth: number;
}

export function openReadingScope(
  { surroundings, source, text, report }: QueryPlace,
  names: NameRules,
): ReadingScope {
  const rules = { wholeKeys: surroundings.options.fixedJsonExtract, sqliteEngine: false };
  return { surroundings, source, text, report, ...names, rules, depth: 0 };
}

export function clauseOfReference(scope: ReadingScope, reference: Reference): Clause | undefined {
  checkCapitals(scope, reference.table);
  checkCapitals(scope, reference.column);
  if (reference.schema) {
    scope.report('schema-in-column-reference', reference.span, {});
    return undefined;
  }
  return scope.resolve(scope, reference, reference.table?.text ?? scope.qualifier);
}

/** An additional column of wildcard tables, which contains the part that the wildcard matched. */
const suffixColumn = '_table_suffix';

/** Returns the value of a column of the scope's table. */
export function rowColumn(scope: ReadingScope, { column, span }: Reference): Clause {
  const { table } = scope;
  const at = originIn(scope, span);
  if (column.text === suffixColumn && table?.pattern.name.wildcard) {
    return leafClause('row', { kind: 'metadata', what: 'table_suffix', at });
  }
  const known = table?.known;
  const { catalog } = scope.surroundings;
  if (known && !catalog?.open && !known.some(({ columns }) => columns.has(column.text))) {
    const near = nearest(column.text, known[0]?.columns ?? []);
    scope.report('unknown-column', span, {
      // The message names the table itself, because an alias is known only in this query.
      table: (known.length === 1 ? known[0] : table)?.name ?? table.name,
      column: column.text,
      from: catalog?.from,
      near,
    });
  }
  return leafClause('row', { kind: 'column', name: column.text, at });
}

export function reportUndefined(
  scope: ReadingScope,
  { table, column, span }: Reference,
  qualifiers: readonly string[],
): undefined {
  const instead = table && insteadOf(table.text, column.text, qualifiers);
  const near = table && nearest(table.text, qualifiers);
  scope.report('undefined-reference', span, {
    reference: table ? `${table.text}.${column.text}` : column.text,
    ...(instead !== undefined && { instead }),
    ...(near !== undefined && { near: `${near}.${column.text}` }),
  });
  return undefined;
}

/** Returns how the other kind of query names the request or a bucket parameter. */
function insteadOf(table: string, column: string, qualifiers: readonly string[]): string | undefined {
  if (table === 'request' && qualifiers.includes('token_parameters')) return `Write request.${column}().`;
  if (table === 'bucket') return 'Only data queries have bucket parameters.';
  if (table !== 'token_parameters' && table !== 'user_parameters') return undefined;
  return qualifiers.includes('bucket')
    ? `Select it in \`parameters\`, and compare with bucket.${column}.`
    : 'In a stream write auth.user_id(), or connection.parameter(…).';
}
