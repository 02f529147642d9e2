/**
 * Writes a row of the embedded database for an admin who edits it in the console, and follows it to the devices. The row is
 * committed, then stored, then it arrives on devices; each step is measured in milliseconds.
 */
import { type Row, selectRecord, traceConfig } from '../../engine/index.ts';
import { situationOf } from '../deployments/lifecycle.ts';
import { ServiceError } from '../ground/errors.ts';
import type { Parameters } from '../http/route.ts';
import type { RowEdit, WrittenRow } from '../replication/source.ts';
import type { ApiParts } from './parts.ts';
import { timestamp } from './status.ts';

const kinds = ['insert', 'update', 'delete'];

export function problemsInRow({ schema, table, change, key, values }: Parameters): readonly string[] {
  return [
    ...(typeof schema === 'string' ? [] : [`The property 'schema' must be a string.`]),
    ...(typeof table === 'string' ? [] : [`The property 'table' must be a string.`]),
    ...(kinds.includes(String(change)) ? [] : [`The property 'change' must be insert, update or delete.`]),
    ...(key === undefined || areValues(key) ? [] : [wrongValues('key')]),
    ...(values === undefined || areValues(values) ? [] : [wrongValues('values')]),
  ];
}

function wrongValues(name: string): string {
  return `The property '${name}' must have a string or null for each column.`;
}

function areValues(value: unknown): value is RowEdit['values'] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Object.values(value).every((each) => each === null || typeof each === 'string');
}

/** Writes a row. If the database refuses it, the refusal is the answer, as for `execute-sql`. */
export async function answerWriteRow(
  { schema, table, change, key = {}, values = {} }: Parameters,
  { source, hasConsole }: ApiParts,
  begin: WriteRow,
): Promise<unknown> {
  const { own } = source;
  if (own === undefined)
    throw new ServiceError(
      'SVC_S4107',
      `${source.uri} does not belong to the service, which only reads it. Rows can be written only to an embedded database.`,
    );
  if (!hasConsole)
    throw new ServiceError(
      'SVC_S4107',
      'Rows can be written only if the console is available: if only this machine can reach the service, or with `console: true`.',
    );
  try {
    const edit: RowEdit = {
      kind: change as RowEdit['kind'],
      schema: String(schema),
      table: String(table),
      key: key as RowEdit['key'],
      values: values as RowEdit['values'],
    };
    return { success: true, ...(await begin(edit, own.write)) };
  } catch (error) {
    return { success: false, error: error instanceof Error ? error.message : String(error) };
  }
}

type Answer = Readonly<Record<string, unknown>>;

export function problemsInJourney({ id }: Parameters): readonly string[] {
  return typeof id === 'number' ? [] : [`The property 'id' must be a number.`];
}

interface Journey {
  readonly id: number;
  /** The time in milliseconds since 1970. */
  readonly committedAt: number;
  /** The same moment by {@link Clock.steady}. */
  readonly begunAt: number;
  stored?: { readonly opId: number; readonly ms: number };
  /** The connected devices that have the row, with the time until each got it. */
  readonly devices: Map<
    object,
    { readonly user: string; readonly client: string | undefined; readonly ms: number }
  >;
  /** The number of devices that should get the row and do not have it yet. */
  awaited: number;
  isOver: boolean;
}

interface Journeys {
  /** Writes a row, and follows its journey to the devices. */
  readonly begin: (signal: AbortSignal) => WriteRow;
  readonly read: (parameters: Parameters) => Answer;
}

/** @returns the row, and the number of its journey */
type WriteRow = (
  edit: RowEdit,
  write: (edit: RowEdit) => Promise<WrittenRow>,
) => Promise<WrittenRow & { readonly journey: number }>;

/** The maximum number of stored journeys. */
const mostJourneys = 50;
/** Times in milliseconds: the interval of checks, the wait for devices that request a new bucket, and the maximum in total. */
const times = { look: 5, newcomers: 400, longest: 30_000 };

export function openJourneys(parts: ApiParts): Journeys {
  const journeys = new Map<number, Journey>();
  let last = 0;

  const begin: Journeys['begin'] = (signal) => async (edit, write) => {
    const before = await bucketsOf(edit, edit.key, parts, signal);
    const row = await write(edit);
    last += 1;
    const journey: Journey = {
      id: last,
      committedAt: parts.clock.now(),
      begunAt: parts.clock.steady(),
      devices: new Map(),
      awaited: 0,
      isOver: false,
    };
    journeys.set(journey.id, journey);
    journeys.delete(journey.id - mostJourneys);
    void follow(journey, before, edit, row).catch(() => {
      journey.isOver = true;
    });
    return { ...row, journey: journey.id };
  };

  async function follow(
    journey: Journey,
    before: ReadonlySet<string>,
    edit: RowEdit,
    { key, position }: WrittenRow,
  ): Promise<void> {
    const { store, storage, clock } = parts;
    const end = journey.begunAt + times.longest;
    const waiting = new AbortController().signal;
    const since = (): number => clock.steady() - journey.begunAt;
    const { serving } = situationOf(await store.all());
    if (serving === undefined) throw new ServiceError('SVC_S4104');
    const reader = storage.reader(serving.id);
    while (journey.stored === undefined && clock.steady() < end) {
      const checkpoint = await reader.checkpoint();
      if (checkpoint !== undefined && checkpoint.position >= position)
        journey.stored = { opId: checkpoint.opId, ms: since() };
      else await clock.sleep(times.look, waiting);
    }
    const after = bucketsOf(edit, key, parts, waiting);
    const buckets = new Set<string>();
    for (const names of [before, await after]) for (const name of names) buckets.add(`${serving.id}#${name}`);
    const { stored } = journey;
    while (stored !== undefined && clock.steady() < end) {
      let awaited = 0;
      for (const client of parts.clients()) {
        const at = client.position();
        if (at === undefined || journey.devices.has(client) || !at.buckets.some((name) => buckets.has(name)))
          continue;
        if (at.opId >= stored.opId && at.complete)
          journey.devices.set(client, { user: client.userId, client: client.clientId, ms: since() });
        else awaited += 1;
      }
      journey.awaited = awaited;
      if (awaited === 0 && since() > stored.ms + times.newcomers) break;
      await clock.sleep(times.look, waiting);
    }
    journey.isOver = true;
  }

  return {
    begin,
    read: ({ id }) => {
      const journey = journeys.get(id as number);
      if (journey === undefined) return { over: true, devices: [], awaited: 0 };
      return {
        committed_ts: timestamp(journey.committedAt),
        ...(journey.stored && { stored: { op_id: String(journey.stored.opId), ms: journey.stored.ms } }),
        devices: [...journey.devices.values()].map(({ user, client, ms }) => ({
          user_id: user,
          client_id: client,
          ms,
        })),
        awaited: journey.awaited,
        over: journey.isOver,
      };
    },
  };
}

/** Returns the buckets of the row. The set is empty if the key has several columns, because such rows are not looked up. */
async function bucketsOf(
  { schema, table }: RowEdit,
  key: RowEdit['key'],
  { source, store, configs }: ApiParts,
  signal: AbortSignal,
): Promise<ReadonlySet<string>> {
  const [column, ...others] = Object.entries(key);
  const { serving } = situationOf(await store.all());
  const config = serving && configs.of(serving).analysis.config;
  if (config === undefined || column === undefined || column[1] === null || others.length > 0)
    return new Set();
  const tracing = traceConfig(config);
  const statement = selectRecord({ schema, name: table, key: column[0] });
  const found = await source.query(statement, [column[1]], signal).catch(() => undefined);
  const text = found?.rows[0]?.[0];
  const row: Row | undefined = typeof text === 'string' ? tracing.recordOf(text) : undefined;
  if (row === undefined) return new Set();
  const rules = tracing.tracer.row({ tag: source.tag, schema, name: table }, row);
  return new Set(rules.flatMap(({ rows }) => rows.map(({ bucket }) => bucket)));
}
