/** Reads the data queries of bucket definitions: which rows of a table belong to which buckets. */
import type { Report } from '../../diagnostics/diagnostics.ts';
import type { Select, TableSource } from '../../sql/ast.ts';
import type { Expression, Origin } from '../expression.ts';
import type { Expansion, OutputColumn, RowRule } from '../plan.ts';
import { checkId, readColumns } from './columns.ts';
import { unknownFunction } from './conditions/calls.ts';
import { classify } from './conditions/classify.ts';
import { type Comparison, type Conjunction, fewBranches, only } from './conditions/condition.ts';
import { rowSide } from './conditions/lower.ts';
import { asMatch } from './conditions/matches.ts';
import type { QueryPlace } from './place.ts';
import { openReadingScope, type ReadingScope, reportUndefined, rowColumn } from './scope.ts';
import { readSelect } from './statement.ts';
import { openQueryTable, outputNameOf, type QueryTable } from './table.ts';

export interface DataQuery {
  readonly text: number;
  readonly select: Select;
  readonly table: QueryTable;
  /** Absent after a problem, like the conditions and parameters. */
  readonly columns?: readonly OutputColumn[];
  readonly filter?: Filter;
}

interface Filter {
  readonly branches: readonly Conjunction[];
  /** The names of the bucket parameters that the query uses. Each branch has all of them. */
  readonly parameters: readonly string[];
}

export function readDataQuery(place: QueryPlace): DataQuery | undefined {
  const { source, text, report } = place;
  const select = readSelect(source, report);
  const item = select && singleTable(report, select);
  if (!item) return undefined;
  const table = openQueryTable(place, item);
  const scope = openReadingScope(place, {
    table,
    qualifier: table.name,
    equalConstants: 'row',
    resolve: (at, reference, qualifier) => {
      if (qualifier === 'bucket') return { kind: 'parameter', name: reference.column.text };
      if (qualifier === table.name) return rowColumn(at, reference);
      return reportUndefined(at, reference, [table.name, 'bucket']);
    },
    resolveCall: refuseRequest,
  });
  const filter = readFilter(scope, select);
  const columns = readColumns(scope, select);
  checkId(scope, select);
  return { text, select, table, ...(columns && { columns }), ...(filter && { filter }) };
}

/** Returns the only table of a query that can have just one. */
export function singleTable(report: Report, { from, span }: Select): TableSource | undefined {
  const [first, second] = from;
  if (first?.source.kind === 'table' && !second) return first.source;
  const { source } = first ?? {};
  const mark = source?.kind === 'subquery' && !second ? source.query.span : (source?.span ?? span);
  report('single-table-required', mark, {});
  return undefined;
}

/** Reports a call with a schema, because there is no request when rows are replicated. */
export function refuseRequest(
  scope: ReadingScope,
  call: Parameters<ReadingScope['resolveCall']>[1],
): undefined {
  const schema = call.schema?.text ?? '';
  if (schema !== 'request') return unknownFunction(scope, call, `${schema}.${call.name.text}`, classify);
  scope.report('request-function-in-data-query', call.span, {});
  return undefined;
}

function readFilter(scope: ReadingScope, { where }: Select): Filter | undefined {
  if (!where) return { branches: [only({})], parameters: [] };
  const match = asMatch(scope, where, classify(scope, where));
  const branches = match && fewBranches(scope.report, where.span, match.condition);
  return branches && { branches, parameters: [...match.parameters.keys()] };
}

interface ComparedRule {
  readonly rule: RowRule;
  /** The places at which the keys are compared with the parameters. */
  readonly comparedAt: readonly Origin[];
}

/**
 * Returns the rules that put rows into the buckets of a definition with these parameters, one rule for each branch. If there are
 * several conditions on one parameter, all of them must have the same value.
 */
export function rulesOf(
  { table, columns, filter, text, select }: DataQuery,
  names: readonly string[],
): readonly ComparedRule[] {
  if (!columns || !filter) return [];
  const output = { columns, ...outputNameOf(table), at: { text, span: select.span } };
  return filter.branches.map(({ row, comparisons }) => {
    const expansions: Expansion[] = [];
    const values = new Map<string, Expression[]>();
    const places = new Map<string, Origin>();
    for (const comparison of comparisons) {
      const name = parameterOf(comparison);
      if (!places.has(name)) places.set(name, comparison.at);
      values.set(name, [...(values.get(name) ?? []), rowSide(comparison, expansions)]);
    }
    const keys = names.flatMap((name) => values.get(name)?.slice(0, 1) ?? []);
    const repeated = [...values.values()].flatMap(([first, ...others]) =>
      others.map((other) => equal(first as Expression, other)),
    );
    const rule = { table: table.pattern, expansions, filter: [...row, ...repeated], keys, ...output };
    return { rule, comparedAt: names.flatMap((name) => places.get(name) ?? []) };
  });
}

/** Returns the parameter of a comparison. Data queries compare only with bucket parameters. */
function parameterOf(comparison: Comparison): string {
  const isBucket = 'parameter' in comparison && comparison.parameter.kind === 'bucket';
  return isBucket ? comparison.parameter.name : '';
}

function equal(left: Expression, right: Expression): Expression {
  return { kind: 'operation', op: '=', args: [left, right], at: right.at };
}
