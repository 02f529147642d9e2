/** The stream of one deployment from the embedded database: a copy of its tables, then the log. */

import type { Row } from '../../../engine/plan/evaluate/scope.ts';
import { identifyingValue } from '../../../engine/plan/values/exactTexts.ts';
import { quoteName } from '../../../engine/sql/names.ts';
import type { TableId } from '../../ground/sourceIds.ts';
import type { World } from '../../ground/world.ts';
import type {
  ChangeChunk,
  ChangedRow,
  ChangeEvent,
  CopyPage,
  SourceStream,
  StreamSettings,
  TableInfo,
} from '../source.ts';
import { copyLines } from './copy.ts';
import type { EmbeddedDatabase } from './database.ts';
import { type LogEntry, type OpenGroup, readLog, toEvents } from './log.ts';
import { type RowReader, toRowReader } from './rows.ts';
import { confirmedIn, ensureSlot, historyIn, openLogCutter, positionIn } from './slots.ts';
import { type Description, readDescription, toTableInfo } from './tables.ts';

export function toStream(database: EmbeddedDatabase, settings: StreamSettings, world: World): SourceStream {
  const cutting = openLogCutter(database, settings.deploymentName, world);
  return {
    prepare: () => ensureSlot(database, settings.deploymentName),
    // Nothing must be waited for, because there is only one session.
    settle: async () => {},
    copy: (table, progress, signal) => copy(database, settings, table, progress, signal),
    changes: (signal) => changes(database, settings, world, signal),
    // The next page is only read when the previous one has been used, so nothing can have arrived.
    endsAgain: () => false,
    acknowledge: cutting.acknowledge,
    refetch: (table, keys) => refetch(database, settings, table, keys.map(String)),
    close: cutting.finish,
  };
}

async function* copy(
  database: EmbeddedDatabase,
  settings: StreamSettings,
  table: TableInfo,
  from: Parameters<SourceStream['copy']>[1],
  signal: AbortSignal,
): AsyncIterable<CopyPage> {
  const { description, read } = await readerOf(database, settings, table.sourceId);
  for await (const page of copyLines(database, table, description, from)) {
    if (signal.aborted) return;
    settings.onProgress();
    const changed = page.lines.map(read.ofLine);
    yield {
      rows: changed.filter(({ failure }) => failure === undefined).map(({ values }) => values),
      failed: changed.flatMap(({ values, failure: message }) =>
        message === undefined ? [] : [{ identity: identityOf(table, values), message }],
      ),
      progress: page.progress,
      ...(page.isLast && { position: await positionIn(database) }),
    };
  }
}

/** Returns only the identity columns, because the row may be too large. */
function identityOf({ identity }: TableInfo, values: Row): Row {
  return Object.fromEntries(identity.map(({ name }) => [name, values[name] ?? null]));
}

async function* changes(
  database: EmbeddedDatabase,
  settings: StreamSettings,
  world: World,
  signal: AbortSignal,
): AsyncIterable<ChangeChunk> {
  const aborted = new Promise<void>((resolve) =>
    signal.addEventListener('abort', () => resolve(), { once: true }),
  );
  settings.onConnection?.(await historyIn(database));
  const grouping: OpenGroup = { open: undefined };
  let position = await confirmedIn(database, settings.deploymentName);
  const reading = await startReading(database, settings, position);
  while (!signal.aborted) {
    const page = await readLog(database, position);
    settings.onProgress();
    const events = [
      ...toEvents(page, grouping, (entry) => toChange(reading, settings, entry), world.clock.now()),
    ];
    yield { events: reading.pending.splice(0).concat(events) };
    position = page.end;
    if (!page.isFull) await Promise.race([database.activity(page.turns), aborted]);
  }
}

/** The readers of each table's rows, according to the definitions at the current position. */
interface ReaderState {
  readonly readers: Map<number, { readonly table: TableInfo; readonly read: RowReader }>;
  /** The tables as they were at the start. They are sent before everything else. */
  readonly pending: ChangeEvent[];
}

async function startReading(
  database: EmbeddedDatabase,
  settings: StreamSettings,
  position: bigint,
): Promise<ReaderState> {
  const { rows } = await database.query(
    `SELECT DISTINCT ON (relation) relation, content FROM headwater.description AS d
     WHERE seq <= $1::int8 AND (
       EXISTS (SELECT FROM pg_class WHERE oid = d.relation) OR
       EXISTS (SELECT FROM headwater.log AS l WHERE l.relation = d.relation AND l.seq > $1::int8))
     ORDER BY relation, seq DESC`,
    [String(position)],
  );
  const reading: ReaderState = { readers: new Map(), pending: [] };
  for (const [oid, text] of rows)
    reading.pending.push(
      describe(reading, settings, Number(oid) as TableId, readDescription(text as string)),
    );
  return reading;
}

function describe(
  reading: ReaderState,
  settings: StreamSettings,
  oid: TableId,
  description: Description,
): ChangeEvent {
  const table = toTableInfo(oid, description);
  reading.readers.set(oid, { table, read: toRowReader(description, settings.options) });
  return { kind: 'table', table };
}

function toChange(reading: ReaderState, settings: StreamSettings, entry: LogEntry): ChangeEvent {
  const { kind, oid } = entry;
  if (kind === 'T') return describe(reading, settings, oid, readDescription(entry.row as string));
  if (kind === 'X') return { kind: 'truncate', sourceIds: [oid] };
  const { table, read } = reading.readers.get(oid) as { table: TableInfo; read: RowReader };
  const row = (text: string | null): ChangedRow => read.ofRow(text as string);
  if (kind === 'I') return { kind: 'insert', sourceId: oid, row: row(entry.row) };
  const old = row(entry.old).values;
  if (kind === 'D') return { kind: 'delete', sourceId: oid, old };
  const changed = row(entry.row);
  const moved = table.identity.some(
    ({ name }) => identifyingValue(old, name) !== identifyingValue(changed.values, name),
  );
  return { kind: 'update', sourceId: oid, row: changed, ...(moved && { old }) };
}

async function readerOf(
  database: EmbeddedDatabase,
  settings: StreamSettings,
  oid: number,
): Promise<{ readonly description: Description; readonly read: RowReader }> {
  const { rows } = await database.query('SELECT headwater.describe($1::int8::oid)', [oid]);
  const description = readDescription(rows[0]?.[0] ?? empty);
  return { description, read: toRowReader(description, settings.options) };
}

/** The description of a table that no longer exists. The statement of the copy reports the problem. */
const empty = '{"schema":"","name":"","identityKind":"d","columns":[],"identity":[]}';

async function refetch(
  database: EmbeddedDatabase,
  settings: StreamSettings,
  table: TableInfo,
  keys: readonly string[],
): Promise<readonly Row[]> {
  const { description, read } = await readerOf(database, settings, table.sourceId);
  const key = quoteName(table.identity[0]?.name ?? '');
  const { rows } = await database.queryAsUser(
    `SELECT ROW(t.*)::text FROM ${quoteName(description.schema)}.${quoteName(description.name)} AS t
     WHERE t.${key}::text IN (SELECT json_array_elements_text($1::json))`,
    [JSON.stringify(keys)],
  );
  return rows
    .map(([text]) => read.ofRow(text as string))
    .filter(({ failure }) => failure === undefined)
    .map(({ values }) => values);
}
