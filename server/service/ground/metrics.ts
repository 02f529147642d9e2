/** Numbers about the running service, as Prometheus text. If the reference service has the same metric, the name is the same. */
import type { Role } from './world.ts';

interface Metric {
  readonly type: 'counter' | 'gauge';
  readonly help: string;
  readonly side: 'clients' | 'replication' | 'both';
}

/** All metrics: the type, the side of the service that has it, and what it counts. */
export const metricCatalogue = {
  powersync_data_synced_bytes_total: [
    'counter',
    'clients',
    'Bytes of sync data for clients, before compression',
  ],
  powersync_data_sent_bytes_total: [
    'counter',
    'clients',
    'Bytes of sync data sent to clients, after compression',
  ],
  powersync_operations_synced_total: ['counter', 'clients', 'Operations sent to clients'],
  powersync_concurrent_connections: ['gauge', 'clients', 'Open sync streams'],
  headwater_connections_over_budget_total: [
    'counter',
    'both',
    'Connections closed because they exceeded the budget of a connection',
  ],
  headwater_connections_displaced_total: [
    'counter',
    'both',
    'Connections without a token or a request, closed to make room',
  ],
  headwater_unattended_failures_total: [
    'counter',
    'both',
    'Failed readings and steps of periodic work; the log has the first of each kind',
  ],
  headwater_client_buckets_most: ['gauge', 'replication', 'Most buckets that a client has, connected or not'],
  headwater_client_results_most: [
    'gauge',
    'replication',
    'Most lookup results of a client, as counted by this service',
  ],
  headwater_client_reference_results_most: [
    'gauge',
    'replication',
    "Most lookup results of a client, as counted by PowerSync's service",
  ],
  powersync_data_replicated_bytes_total: ['counter', 'replication', 'Bytes of rows read from the source'],
  powersync_rows_replicated_total: ['counter', 'replication', 'Rows read from the source'],
  powersync_transactions_replicated_total: ['counter', 'replication', 'Transactions read from the source'],
  powersync_chunks_replicated_total: ['counter', 'replication', 'Batches of rows copied from the source'],
  headwater_tables_verified_total: [
    'counter',
    'replication',
    'Tables whose stored rows were compared with the source',
  ],
  headwater_wrong_rows_total: [
    'counter',
    'replication',
    'Stored rows that differed from the source when compared',
  ],
  powersync_replication_lag_seconds: [
    'gauge',
    'replication',
    'Age of the oldest change that is not yet replicated',
  ],
  powersync_replication_storage_size_bytes: ['gauge', 'replication', 'Size of the current rows in storage'],
  powersync_operation_storage_size_bytes: ['gauge', 'replication', 'Size of the operations in storage'],
  powersync_parameter_storage_size_bytes: [
    'gauge',
    'replication',
    'Size of the parameter lookups in storage',
  ],
} as const satisfies Record<string, readonly [Metric['type'], Metric['side'], string]>;

type MetricName = keyof typeof metricCatalogue;

export interface Metrics {
  readonly add: (name: MetricName, amount: number) => void;
  readonly set: (name: MetricName, value: number) => void;
  /** Returns undefined for a gauge before its first value, and for a metric of another role. */
  readonly value: (name: MetricName) => number | undefined;
  /** Returns the text in the exposition format 0.0.4. It contains all counters from the start, and a gauge once it has a value. */
  readonly text: () => string;
}

interface MetricsOptions {
  /** Decides which metrics exist. */
  readonly role: Role;
  /** The labels of all metrics: version, types of source and storage, instance. */
  readonly labels: Readonly<Record<string, string>>;
}

export function createMetrics({ role, labels }: MetricsOptions): Metrics {
  const names = Object.keys(metricCatalogue).filter((name): name is MetricName =>
    concerns(role, name as MetricName),
  );
  const counters = names.filter((name) => metricCatalogue[name][0] === 'counter');
  const values = new Map<MetricName, number>(counters.map((name) => [name, 0]));
  if (role !== 'sync') values.set('powersync_concurrent_connections', 0);
  return {
    add: (name, amount) => {
      if (concerns(role, name)) values.set(name, (values.get(name) ?? 0) + amount);
    },
    set: (name, value) => {
      if (concerns(role, name)) values.set(name, value);
    },
    value: (name) => values.get(name),
    text: () => [targetInfo(labels), ...names.flatMap((name) => linesOf(name, values.get(name)))].join(''),
  };
}

function concerns(role: Role, name: MetricName): boolean {
  const side = metricCatalogue[name][1];
  return role === 'unified' || side === 'both' || (role === 'api') === (side === 'clients');
}

function targetInfo(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(([key, value]) => `${key}="${escapeLabel(value)}"`);
  return `# HELP target_info Information about the service\n# TYPE target_info gauge\ntarget_info{${pairs.join(',')}} 1\n`;
}

/** Escapes the value of a label. The format has no other escapes, so all other characters stay as they are. */
function escapeLabel(value: string): string {
  return value.replaceAll(/[\\"]/g, '\\$&').replaceAll('\n', '\\n');
}

function linesOf(name: MetricName, value: number | undefined): readonly string[] {
  if (value === undefined) return [];
  const [type, , help] = metricCatalogue[name];
  return [`# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${name} ${value}\n`];
}
