/** The numbers of the last hour, one sample per second. They are in memory, in a compact form. */
import type { Metrics } from '../ground/metrics.ts';
import type { Clock } from '../ground/world.ts';

export interface ServiceSecond {
  /** The time in milliseconds since 1970. */
  readonly at: number;
  /** The lag in seconds; undefined while it is unknown. */
  readonly lag: number | undefined;
  /** The rows that were read from the source, and the operations that were sent to clients, during the sample. */
  readonly rows: number;
  readonly operations: number;
  readonly clients: number;
  /** The sizes in bytes. */
  readonly storage: number | undefined;
  readonly memory: number | undefined;
}

export interface Samples {
  /** Returns the samples, oldest first. */
  readonly seconds: () => readonly ServiceSecond[];
  /** Takes a sample of the numbers since the last call. */
  readonly take: () => ServiceSecond;
}

interface SamplesParts {
  readonly metrics: Pick<Metrics, 'value'>;
  /** Returns the largest lag of all jobs, in milliseconds. */
  readonly lag: () => number | undefined;
  readonly clients: () => number;
  /** Returns the memory in bytes. */
  readonly memory: () => number | undefined;
  readonly clock: Pick<Clock, 'now'>;
}

/** The number of samples, for one hour. */
const length = 3600;

const columns = ['at', 'lag', 'rows', 'operations', 'clients', 'storage', 'memory'] as const;
type ColumnName = (typeof columns)[number];

export function openSamples({ metrics, lag, clients, memory, clock }: SamplesParts): Samples {
  const rings = Object.fromEntries(columns.map((name) => [name, new Float64Array(length)])) as Record<
    ColumnName,
    Float64Array
  >;
  let count = 0;
  let before = readCounts(metrics);
  let lastAt = clock.now();

  const read = (index: number): ServiceSecond => {
    const of = (name: ColumnName): number => rings[name][index % length] ?? 0;
    return {
      at: of('at'),
      lag: knownOrUndefined(of('lag')),
      rows: of('rows'),
      operations: of('operations'),
      clients: of('clients'),
      storage: knownOrUndefined(of('storage')),
      memory: knownOrUndefined(of('memory')),
    };
  };

  return {
    seconds: () => {
      const first = Math.max(0, count - length);
      return Array.from({ length: count - first }, (_, offset) => read(first + offset));
    },
    take: () => {
      const at = clock.now();
      // Samples from before a clock was set back would be in the future.
      if (at < lastAt) count = 0;
      const now = readCounts(metrics);
      // After a time in which the process could not run, the sample covers more than a second.
      const seconds = Math.max(1, Math.round((at - lastAt) / 1000));
      const milliseconds = lag();
      const values: Record<ColumnName, number> = {
        at,
        lag: milliseconds === undefined ? Number.NaN : milliseconds / 1000,
        rows: Math.round((now.rows - before.rows) / seconds),
        operations: Math.round((now.operations - before.operations) / seconds),
        clients: clients(),
        storage: now.storage ?? Number.NaN,
        memory: memory() ?? Number.NaN,
      };
      for (const name of columns) rings[name][count % length] = values[name];
      count += 1;
      before = now;
      lastAt = at;
      return read(count - 1);
    },
  };
}

interface Counts {
  readonly rows: number;
  readonly operations: number;
  readonly storage: number | undefined;
}

function readCounts({ value }: Pick<Metrics, 'value'>): Counts {
  const parts = [
    value('powersync_replication_storage_size_bytes'),
    value('powersync_operation_storage_size_bytes'),
    value('powersync_parameter_storage_size_bytes'),
  ];
  const isKnown = parts.every((part) => part !== undefined);
  return {
    rows: value('powersync_rows_replicated_total') ?? 0,
    operations: value('powersync_operations_synced_total') ?? 0,
    storage: isKnown ? parts.reduce<number>((sum, part) => sum + (part ?? 0), 0) : undefined,
  };
}

function knownOrUndefined(value: number): number | undefined {
  return Number.isNaN(value) ? undefined : value;
}

/** Returns the sample in the form in which it is sent. */
export function describeSample({
  at,
  lag,
  rows,
  operations,
  clients,
  storage,
  memory,
}: ServiceSecond): object {
  return {
    at: new Date(at).toISOString(),
    ...(lag !== undefined && { lag_seconds: lag }),
    rows,
    operations,
    clients,
    ...(storage !== undefined && { storage_bytes: storage }),
    ...(memory !== undefined && { memory_bytes: memory }),
  };
}
