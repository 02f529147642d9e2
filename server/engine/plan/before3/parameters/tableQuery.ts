/** Reads parameter queries over a table, which give a bucket for each row that matches the request. */
import type { Select, TableSource } from '../../../sql/ast.ts';
import type { Expression } from '../../expression.ts';
import { textOfLookup } from '../../identity.ts';
import type { Expansion, RouteStep, RouteValue } from '../../plan.ts';
import { classify } from '../conditions/classify.ts';
import { isElementKey } from '../conditions/clause.ts';
import { type Conjunction, fewBranches, only } from '../conditions/condition.ts';
import { requestSide, rowSide, stageOf } from '../conditions/lower.ts';
import { asMatch } from '../conditions/matches.ts';
import { parameterTable, parameterTables, requestCall } from '../conditions/requestValues.ts';
import { originIn, wholeQuery } from '../place.ts';
import { openReadingScope, type ReadingScope, reportUndefined, rowColumn } from '../scope.ts';
import { openQueryTable, type QueryTable } from '../table.ts';
import {
  allOf,
  type NamedColumn,
  type ParameterForm,
  type ParameterPlace,
  type ParameterRoute,
  readNames,
  readPriority,
  requestRouteValue,
  withoutPriority,
} from './parameterColumns.ts';

export function readTableQuery(
  place: ParameterPlace,
  select: Select,
  item: TableSource,
): ParameterForm | undefined {
  checkAlias(place, item);
  const table = openQueryTable(place, item);
  const scope = openReadingScope(place, {
    table,
    qualifier: table.name,
    resolve: (at, reference, qualifier) => {
      const value = parameterTable(at, reference, qualifier);
      if (value) return value;
      if (qualifier === table.name) return rowColumn(at, reference);
      return reportUndefined(at, reference, [table.name, ...parameterTables]);
    },
    resolveCall: (at, call) => requestCall(at, call, 'parameter query'),
  });
  const branches = readBranches(scope, select);
  const columns = readNames(scope, select);
  if (!columns) return undefined;
  const priority = readPriority(scope, place, columns);
  const own = withoutPriority(columns);
  const values = allOf(own.map((column) => readColumn(scope, table, column)));
  if (!branches || !values) return { columns: own };
  const reads = [
    ...values.flatMap(({ of, expression }) => (of === 'request' ? [expression] : [])),
    ...branches.flatMap(requestDataOf),
  ];
  return {
    columns: own,
    plan: {
      routes: branches.map((branch) => routeOf(scope, table, branch, values)),
      ...(priority !== undefined && { priority }),
      reads,
      decides: reads,
    },
  };
}

/** Checks the alias. An alias that repeats the name does not count. */
function checkAlias({ report }: ParameterPlace, { name, nameSpan, alias }: TableSource): void {
  if (!alias || alias.name.text === name.text) return;
  const end = alias.as ? alias.name.span.end : nameSpan.end;
  report('alias-in-parameter-query', { start: nameSpan.start, end }, {});
}

function readBranches(scope: ReadingScope, { where }: Select): readonly Conjunction[] | undefined {
  if (!where) return [only({})];
  const match = asMatch(scope, where, classify(scope, where));
  if (!match) return undefined;
  if ([...match.parameters.keys()].filter(isElementKey).length > 1) {
    scope.report('multiple-array-parameters', wholeQuery(scope), {});
    return undefined;
  }
  return fewBranches(scope.report, where.span, match.condition);
}

interface ColumnValue {
  readonly name: string;
  readonly of: 'row' | 'request';
  readonly expression: Expression;
}

/** Reads a plain column, or a value that does not depend on the row. */
function readColumn(
  scope: ReadingScope,
  table: QueryTable,
  { name, column: { expr } }: NamedColumn,
): ColumnValue | undefined {
  const clause = classify(scope, expr);
  if (!clause) return undefined;
  const isColumn = expr.kind === 'reference' && (expr.table?.text ?? table.name) === table.name;
  if (isColumn && clause.kind === 'row') return { name, of: 'row', expression: clause.expression };
  if (!isColumn && (clause.kind === 'request' || clause.kind === 'constant')) {
    return { name, of: 'request', expression: clause.expression };
  }
  scope.report('match-not-allowed', expr.span, { place: 'parameter' });
  return undefined;
}

function requestDataOf({ request, comparisons }: Conjunction): Expression[] {
  const compared = comparisons.map((comparison) => {
    if (comparison.kind === 'in request' || comparison.kind === 'overlap') return comparison.array;
    return comparison.parameter.kind === 'request' ? comparison.parameter.value : comparison.row;
  });
  return [...request, ...compared];
}

function routeOf(
  scope: ReadingScope,
  table: QueryTable,
  { row, request, comparisons }: Conjunction,
  values: readonly ColumnValue[],
): ParameterRoute {
  const expansions: Expansion[] = [];
  const expands: RouteStep[] = [];
  const inputs = comparisons.map((comparison) => rowSide(comparison, expansions));
  const asked = comparisons.map((comparison) => requestSide(comparison, expands));
  const outputs = values.filter(({ of }) => of === 'row').map(({ expression }) => expression);
  const lookup = {
    table: table.pattern,
    expansions,
    filter: row,
    inputs,
    outputs,
    at: originIn(scope, table.syntax.nameSpan),
  };
  const identity = textOfLookup(lookup);
  return {
    filter: request,
    at: lookup.at,
    steps: (addLookup) => [
      ...expands,
      {
        kind: 'lookup',
        lookup: addLookup({ ...lookup, identity }),
        stage: stageOf(asked),
        inputs: asked.map((value) => [value]),
      },
    ],
    values: new Map(values.map(({ name, of, expression }) => [name, routeValue(of, expression)])),
  };

  function routeValue(of: ColumnValue['of'], expression: Expression): RouteValue {
    if (of === 'request') return requestRouteValue(expression);
    return { kind: 'output', step: expands.length, output: outputs.indexOf(expression), at: expression.at };
  }
}
