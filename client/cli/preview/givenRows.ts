/** Answers the request of a client from given rows, with the engine. */
import {
  answerFrom,
  documentOf,
  type LookupAnswer,
  matchesTable,
  nearest,
  type RequestTrace,
  type RuleTrace,
  type SourceRow,
  tableNamed,
} from '../../../server/engine/index.ts';
import type { Call } from '../command.ts';
import { CliFailure } from '../failure.ts';
import { readObject, type TracedConfig } from '../tracing.ts';
import type { World } from '../world.ts';

type BucketRow = RuleTrace['rows'][number];

/** The options that describe the client and the rows. */
export const requestOptions = {
  user: { value: 'USER', summary: 'The user: the value of auth.user_id()' },
  claims: { value: 'JSON', summary: 'Additional claims of the token: a JSON object, or @FILE' },
  parameters: { value: 'JSON', summary: 'Parameters of the connection: a JSON object, or @FILE' },
  subscribe: {
    value: 'STREAM[=JSON]',
    many: true,
    summary: 'A stream that the client subscribes to, and its parameters',
  },
} as const;

export const rowsOption = {
  value: 'JSON',
  summary: 'Rows of the source by table: {"lists": [{"id": "1"}]}, or @FILE',
} as const;

/** The sentence prevents users from looking for a mistake in the config. */
export const withoutRows = 'No rows were provided, so none are found. Provide them with --rows';

export type RequestCall = Pick<Call<keyof typeof requestOptions | 'rows'>, 'text' | 'texts' | 'world'>;

interface GivenRowsAnswer {
  readonly data: RowsAnswer;
  readonly request: RequestTrace;
  /** Whether rows of the table of a lookup were given, even if there are none of them. */
  readonly isGiven: (table: LookupTable) => boolean;
  /** Sentences about columns that given rows lack. */
  readonly advice: readonly string[];
}

export type LookupTable = NonNullable<RequestTrace['routes'][number]['steps'][number]['table']>;

export async function askGivenRows(
  { text, texts, world }: RequestCall,
  path: string,
  config: TracedConfig,
): Promise<GivenRowsAnswer> {
  const given = await readRows(text('rows'), world);
  const data = runRows(config, given.rows);
  const tables = given.tables.map((table) => tableNamed(table, config));
  const user = text('user');
  const claims = await readDocument(
    text('claims'),
    '--claims',
    world,
    user === undefined ? {} : { sub: user },
  );
  const connection = await readDocument(text('parameters'), '--parameters', world);
  const subscriptions = await Promise.all(
    texts('subscribe').map(async (given) => {
      const [stream = '', ...rest] = given.split('=');
      checkStream(stream, path, config.streams);
      return rest.length === 0
        ? { stream }
        : { stream, parameters: await readDocument(rest.join('='), '--subscribe', world) };
    }),
  );
  const tracing = config.tracer.request({ claims, connection, subscriptions, includeDefaults: true });
  return {
    data,
    request: answerFrom({ found: (key) => data.lookups.get(key) ?? [] }, tracing),
    isGiven: (pattern) => tables.some((table) => matchesTable(pattern, table)),
    advice: given.tables.flatMap((table) =>
      adviceOnColumns(
        config,
        table,
        given.rows.filter((each) => each.table === table).map(({ row }) => row),
      ),
    ),
  };
}

function checkStream(name: string, path: string, streams: readonly string[]): void {
  if (streams.includes(name)) return;
  const near = nearest(name, streams);
  const hint = near === undefined ? '' : ` Did you mean ${near}?`;
  throw new CliFailure(`There is no stream ${name} in ${path}.${hint}`);
}

async function readDocument(
  given: string | undefined,
  option: string,
  world: World,
  more: SourceRow = {},
): Promise<ReturnType<typeof documentOf>> {
  const values = given === undefined ? {} : await readObject(given, option, world);
  return documentOf({ ...values, ...more });
}

/** Returns a sentence about the columns that decide where rows go, but that some of the rows do not have. */
export function adviceOnColumns(
  config: TracedConfig,
  table: string,
  rows: readonly SourceRow[],
): readonly string[] {
  const lacking = [...config.decidingColumns(tableNamed(table, config))].filter((column) =>
    rows.some((row) => !Object.hasOwn(row, column)),
  );
  if (lacking.length === 0) return [];
  const have = rows.length === 1 ? 'The row has' : 'Some rows have';
  return [`${have} no value for ${lacking.join(', ')} of ${table}, which was therefore taken as NULL.`];
}

async function readRows(given: string | undefined, world: World) {
  if (given === undefined) return { tables: [], rows: [] };
  const tables = await readObject(given, '--rows', world);
  const found = Object.entries(tables).flatMap(([table, rows]) => {
    if (!Array.isArray(rows) || rows.some((row) => typeof row !== 'object' || row === null))
      throw new CliFailure(`--rows must contain a list of rows for ${table}: {"${table}": [{"id": "1"}]}.`);
    return rows.map((row) => ({ table, row: row as SourceRow }));
  });
  return { tables: Object.keys(tables), rows: found };
}

interface RowsAnswer {
  readonly rows: ReadonlyMap<string, readonly BucketRow[]>;
  readonly lookups: LookupAnswer;
}

function runRows(config: TracedConfig, all: readonly { table: string; row: SourceRow }[]): RowsAnswer {
  const rows = new Map<string, Map<string, BucketRow>>();
  const lookups = new Map<string, Map<string, LookupValues>>();
  for (const { table, row } of all)
    for (const traced of config.tracer.row(tableNamed(table, config), config.rowOf(row))) {
      // A row that belongs to several streams occurs several times.
      for (const given of traced.rows) into(rows, given.bucket).set(`${given.table} ${given.id}`, given);
      for (const { key, values } of traced.entries)
        into(lookups, key).set(values.map(String).join('\n'), values);
    }
  return { rows: listsOf(rows), lookups: listsOf(lookups) };
}

type LookupValues = LookupAnswer extends ReadonlyMap<string, readonly (infer V)[]> ? V : never;

function into<T>(map: Map<string, Map<string, T>>, key: string): Map<string, T> {
  const known = map.get(key) ?? new Map<string, T>();
  map.set(key, known);
  return known;
}

function listsOf<T>(map: ReadonlyMap<string, ReadonlyMap<string, T>>): ReadonlyMap<string, readonly T[]> {
  return new Map([...map].map(([key, values]) => [key, [...values.values()]]));
}
