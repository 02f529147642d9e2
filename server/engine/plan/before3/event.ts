/** Compiles payload queries of events. They are like data queries, but apply to all rows and have no buckets. */
import type { ConfigSurroundings, EventDefinition, Reporter, SqlText } from '../../model/definition.ts';
import type { Select } from '../../sql/ast.ts';
import type { OutputColumn, TablePattern } from '../plan.ts';
import { readColumns } from './columns.ts';
import { refuseRequest, singleTable } from './dataQuery.ts';
import { watchErrors } from './errors.ts';
import type { QueryPlace } from './place.ts';
import { openReadingScope, reportUndefined, rowColumn } from './scope.ts';
import { readSelect } from './statement.ts';
import { openQueryTable, outputNameOf, type QueryTable } from './table.ts';

/** The payload of an event: every row of the table. */
interface Payload {
  readonly table: TablePattern;
  readonly columns: readonly OutputColumn[];
  readonly outputTable?: string;
}

interface PayloadQuery {
  readonly text: number;
  readonly select: Select;
  readonly table: QueryTable;
  /** Absent after a problem. */
  readonly payload?: Payload;
}

interface CompiledEvent {
  /** Absent after an error. */
  readonly payloads?: readonly Payload[];
  readonly texts: readonly SqlText[];
  /** The readable queries. */
  readonly queries: readonly PayloadQuery[];
}

export function compileEvent(
  { payloads: texts }: EventDefinition,
  surroundings: ConfigSurroundings,
  reporter: Reporter,
): CompiledEvent {
  const watched = watchErrors(reporter, texts);
  const queries = texts.flatMap(
    (source, text) => readPayload({ surroundings, source, text, report: watched.inSql(source) }) ?? [],
  );
  const payloads = queries.flatMap(({ payload }) => payload ?? []);
  return { ...(!watched.failed() && { payloads }), texts, queries };
}

function readPayload(place: QueryPlace): PayloadQuery | undefined {
  const { source, text, report } = place;
  const select = readSelect(source, report);
  const item = select && singleTable(report, select);
  if (!item) return undefined;
  const table = openQueryTable(place, item);
  const scope = openReadingScope(place, {
    table,
    qualifier: table.name,
    resolve: (at, reference, qualifier) =>
      qualifier === table.name ? rowColumn(at, reference) : reportUndefined(at, reference, [table.name]),
    resolveCall: refuseRequest,
  });
  const columns = readColumns(scope, select);
  if (select.where) report('event-where-ignored', select.where.span, {});
  const payload = columns && { table: table.pattern, columns, ...outputNameOf(table) };
  return { text, select, table, ...(payload && { payload }) };
}
