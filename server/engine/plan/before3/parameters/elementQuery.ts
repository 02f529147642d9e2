/** Reads parameter queries over json_each(), which give a bucket for each element of an array in the request. */
import type { FunctionSource, Reference, Select } from '../../../sql/ast.ts';
import { tableFunctions } from '../../../sql/functions.ts';
import { nearest } from '../../../text/nearest.ts';
import { contains, type Expression } from '../../expression.ts';
import type { RouteStep, RouteValue } from '../../plan.ts';
import { type Clause, leafClause } from '../conditions/clause.ts';
import { parameterTable, parameterTables, requestCall } from '../conditions/requestValues.ts';
import { originIn } from '../place.ts';
import { openReadingScope, type ReadingScope, reportUndefined } from '../scope.ts';
import {
  allOf,
  checkIgnoredPriority,
  type ParameterForm,
  type ParameterPlace,
  readNames,
  readValue,
  requestRouteValue,
} from './parameterColumns.ts';

export function readElementQuery(
  place: ParameterPlace,
  select: Select,
  item: FunctionSource,
): ParameterForm | undefined {
  const name = (item.alias?.name ?? item.name).text;
  const scope = openReadingScope(place, {
    qualifier: name,
    resolve: (at, reference, qualifier) => {
      const value = parameterTable(at, reference, qualifier);
      if (value) return value;
      if (qualifier === name) return elementColumn(at, reference);
      return reportUndefined(at, reference, [name, ...parameterTables]);
    },
    resolveCall: (at, call) => requestCall(at, call, 'parameter query'),
  });
  // The service reads only the first argument, and ignores problems in the others.
  const args = allOf(item.args.slice(0, 1).map((arg) => readValue(scope, arg)));
  const conditions = allOf(select.where ? [readValue(scope, select.where)] : []);
  const own = readNames(scope, select);
  if (!own) return undefined;
  checkIgnoredPriority(scope, own);
  const values = allOf(own.map(({ column }) => readValue(scope, column.expr)));
  if (!args || !conditions || !values) return { columns: own };
  const outputs = values.filter(isOfElement);
  const expand: RouteStep = {
    kind: 'expand',
    stage: 0,
    expansion: { function: 'json_each', args, at: originIn(scope, item.callSpan) },
    filter: conditions.filter(isOfElement),
    outputs,
  };
  return {
    columns: own,
    plan: {
      routes: [
        {
          filter: conditions.filter((condition) => !isOfElement(condition)),
          steps: () => [expand],
          values: new Map(values.map((value, index) => [own[index]?.name ?? '', routeValue(value, outputs)])),
          at: originIn(scope, item.callSpan),
        },
      ],
      reads: [...args, ...conditions, ...values],
      decides: [...args, ...values],
    },
  };
}

function elementColumn(scope: ReadingScope, { column, span }: Reference): Clause {
  const known = tableFunctions.get('json_each')?.columns ?? [];
  if (!known.includes(column.text)) {
    const near = nearest(column.text, known);
    scope.report('unknown-function-column', span, { name: 'json_each', column: column.text, near });
  }
  return leafClause('request', {
    kind: 'element',
    expansion: 0,
    name: column.text,
    at: originIn(scope, span),
  });
}

function isOfElement(expression: Expression): boolean {
  return contains(expression, ({ kind }) => kind === 'element');
}

function routeValue(value: Expression, outputs: readonly Expression[]): RouteValue {
  const output = outputs.indexOf(value);
  return output < 0 ? requestRouteValue(value) : { kind: 'output', step: 0, output, at: value.at };
}
