/** Reads parameter queries without FROM, which give a single bucket made of values of the request. */
import type { Select } from '../../../sql/ast.ts';
import { parameterTable, parameterTables, requestCall } from '../conditions/requestValues.ts';
import { originIn } from '../place.ts';
import { openReadingScope, reportUndefined } from '../scope.ts';
import {
  allOf,
  type ParameterForm,
  type ParameterPlace,
  readNames,
  readPriority,
  readValue,
  requestRouteValue,
  withoutPriority,
} from './parameterColumns.ts';

export function readStaticQuery(place: ParameterPlace, select: Select): ParameterForm | undefined {
  const scope = openReadingScope(place, {
    resolve: (at, reference, qualifier) =>
      parameterTable(at, reference, qualifier) ?? reportUndefined(at, reference, parameterTables),
    resolveCall: (at, call) => requestCall(at, call, 'parameter query'),
  });
  const conditions = allOf(select.where ? [readValue(scope, select.where)] : []);
  const columns = readNames(scope, select);
  if (!columns) return undefined;
  const priority = readPriority(scope, place, columns);
  const own = withoutPriority(columns);
  const values = allOf(own.map(({ column }) => readValue(scope, column.expr)));
  if (!conditions || !values) return { columns: own };
  return {
    columns: own,
    plan: {
      routes: [
        {
          filter: conditions,
          steps: () => [],
          values: new Map(values.map((value, index) => [own[index]?.name ?? '', requestRouteValue(value)])),
          at: originIn(scope, select.span),
        },
      ],
      ...(priority !== undefined && { priority }),
      reads: [...conditions, ...values],
      decides: values,
    },
  };
}
