/**
 * The rows of one device as of the last complete checkpoint, never in a state that the source did not have. Later data is kept
 * back. Checksums are verified as in an SDK, and a damaged bucket is read again.
 */
import { type HeldRow, keepBuckets } from '../../api/bucketStates.ts';
import type { Fields } from '../../api/reading.ts';
import { problemsIn, type SyncQuestion } from '../../api/synced.ts';
import { cutRow } from './cutRow.ts';

export type RowOnDevice = Pick<HeldRow, 'id' | 'data' | 'cut'>;

/** The changes of one table at one checkpoint. */
export interface TableChange {
  readonly came: readonly RowOnDevice[];
  readonly changed: readonly RowOnDevice[];
  readonly gone: readonly RowOnDevice[];
}

export type DeviceStep =
  | { readonly kind: 'nothing' }
  | {
      readonly kind: 'published';
      readonly changes: ReadonlyMap<string, TableChange>;
      /** Whether the buckets of all priorities are complete, not only those of the more urgent ones. */
      readonly isWhole: boolean;
    }
  /** These buckets were dropped. The reader must start a new stream, which sends them again. */
  | { readonly kind: 'damaged'; readonly buckets: readonly string[] }
  | { readonly kind: 'token'; readonly expiresIn: number }
  /** The device is full, and accepts no further data. */
  | { readonly kind: 'full' };

export interface LiveDevice {
  readonly take: (line: Fields) => DeviceStep;
  /** The rows by table, then by id. */
  readonly tables: ReadonlyMap<string, ReadonlyMap<string, RowOnDevice>>;
  /** Returns the number of received rows, including those of an incomplete checkpoint. */
  readonly received: () => number;
  readonly opId: () => string;
  readonly buckets: () => readonly { readonly name: string; readonly rows: number }[];
  /** Returns the service's sentences about problems. */
  readonly problems: () => readonly string[];
  /** Returns the body of a request that continues at the position of this device. */
  readonly body: (question: SyncQuestion, clientId: string) => object;
}

interface DeviceLimits {
  readonly rows: number;
  /** The maximum number of characters of all kept data. */
  readonly characters: number;
}

/** A browser tab can hold this amount, and no user would read more. */
const usualLimits: DeviceLimits = { rows: 1_500_000, characters: 400_000_000 };

export function openDevice(limits: DeviceLimits = usualLimits): LiveDevice {
  const tables = new Map<string, Map<string, RowOnDevice>>();
  const places = new Map<string, Map<string, readonly HeldRow[]>>();
  const pending = new Map<string, Set<string>>();
  let rows = 0;
  let characters = 0;
  let isFull = false;

  const states = keepBuckets({
    cutData: cutRow,
    onRow(row, change) {
      const sign = change === 'there' ? 1 : -1;
      rows += sign;
      characters += sign * row.data.length;
      const ofTable = inner(places, row.table, () => new Map<string, readonly HeldRow[]>());
      const others = (ofTable.get(row.id) ?? []).filter((each) => each !== row);
      if (change === 'there') ofTable.set(row.id, [...others, row]);
      else if (others.length > 0) ofTable.set(row.id, others);
      else ofTable.delete(row.id);
      inner(pending, row.table, () => new Set<string>()).add(row.id);
    },
  });

  function take(line: Fields): DeviceStep {
    if (isFull) return { kind: 'full' };
    const taken = states.take(line);
    isFull = rows > limits.rows || characters > limits.characters;
    if (isFull) return { kind: 'full' };
    switch (taken.kind) {
      case 'complete':
        return publishVerified(Number.POSITIVE_INFINITY);
      case 'partly complete':
        return publishVerified(taken.priority);
      case 'token':
        return taken;
      default:
        return { kind: 'nothing' };
    }
  }

  function publishVerified(priority: number): DeviceStep {
    const damaged = [...states.buckets.values()]
      .filter((bucket) => bucket.priority <= priority && bucket.expectedChecksum !== undefined)
      .filter(({ checksum, expectedChecksum = 0 }) => checksum !== (expectedChecksum | 0))
      .map(({ name }) => name);
    for (const name of damaged) states.forget(name);
    if (damaged.length > 0) return { kind: 'damaged', buckets: damaged };
    return { kind: 'published', changes: publish(priority), isWhole: priority === Number.POSITIVE_INFINITY };
  }

  function publish(priority: number): ReadonlyMap<string, TableChange> {
    const changes = new Map<string, TableChange>();
    for (const [table, ids] of pending) {
      const shown = inner(tables, table, () => new Map<string, RowOnDevice>());
      const change: { [Key in keyof TableChange]: RowOnDevice[] } = { came: [], changed: [], gone: [] };
      for (const id of ids) {
        const all = places.get(table)?.get(id) ?? [];
        const ready = all.filter(({ bucket }) => priorityOf(bucket) <= priority);
        // A row that is only in incomplete buckets is published when these buckets are complete.
        if (priority !== Number.POSITIVE_INFINITY && ready.length === 0) continue;
        if (ready.length === all.length) ids.delete(id);
        show(shown, newest(ready), id, change);
      }
      if (ids.size === 0) pending.delete(table);
      if (shown.size === 0) tables.delete(table);
      if (change.came.length + change.changed.length + change.gone.length > 0) changes.set(table, change);
    }
    return changes;
  }

  function priorityOf(bucket: string): number {
    return states.buckets.get(bucket)?.priority ?? 3;
  }

  return {
    take,
    tables,
    received: () => rows,
    opId: states.opId,
    buckets: () => [...states.buckets.values()].map(({ name, rows: { size } }) => ({ name, rows: size })),
    problems: () => problemsIn(states.streams()),
    body: ({ parameters, subscriptions }, clientId) => ({
      buckets: [...states.buckets.values()].map(({ name, after }) => ({ name, after })),
      include_checksum: true,
      raw_data: true,
      client_id: clientId,
      app_metadata: { app: 'Headwater console' },
      parameters,
      streams: {
        include_defaults: true,
        subscriptions: subscriptions.map((each) => ({ ...each, override_priority: null })),
      },
    }),
  };
}

/** Returns the latest row of an id, because the id may come from several buckets and from several source rows. */
function newest(rows: readonly HeldRow[]): HeldRow | undefined {
  return rows.reduce<HeldRow | undefined>(
    (best, row) => (best === undefined || row.opId >= best.opId ? row : best),
    undefined,
  );
}

function show(
  shown: Map<string, RowOnDevice>,
  row: RowOnDevice | undefined,
  id: string,
  change: { readonly [Key in keyof TableChange]: RowOnDevice[] },
): void {
  const before = shown.get(id);
  if (row === undefined) {
    shown.delete(id);
    if (before !== undefined) change.gone.push(before);
    return;
  }
  if (before?.data === row.data && row.cut === undefined) return;
  shown.set(id, row);
  (before === undefined ? change.came : change.changed).push(row);
}

function inner<Value>(map: Map<string, Value>, key: string, make: () => Value): Value {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}
