import { expect, test } from 'vitest';
import { createMetrics } from '../../../server/service/ground/metrics.ts';
import type { Role } from '../../../server/service/ground/world.ts';

const labels = { service_version: '1.0', source_type: 'embedded' };
const valuesIn = (text: string): readonly string[] =>
  text.split('\n').filter((line) => /^powersync_/.test(line));

test.each<[Role, readonly string[]]>([
  [
    'api',
    [
      'powersync_data_synced_bytes_total 0',
      'powersync_data_sent_bytes_total 0',
      'powersync_operations_synced_total 0',
      'powersync_concurrent_connections 0',
    ],
  ],
  [
    'sync',
    [
      'powersync_data_replicated_bytes_total 0',
      'powersync_rows_replicated_total 0',
      'powersync_transactions_replicated_total 0',
      'powersync_chunks_replicated_total 0',
    ],
  ],
])('a process with the role %s has only the metrics of this role', (role, values) => {
  const metrics = createMetrics({ role, labels });
  const other = role === 'api' ? 'powersync_rows_replicated_total' : 'powersync_operations_synced_total';
  metrics.add(other, 5);
  expect(valuesIn(metrics.text())).toEqual(values);
});

test('counters add up, and gauges appear with their first value and then change', () => {
  const metrics = createMetrics({ role: 'unified', labels });
  metrics.add('powersync_rows_replicated_total', 2);
  metrics.add('powersync_rows_replicated_total', 3);
  expect(metrics.text()).not.toContain('lag');
  metrics.set('powersync_replication_lag_seconds', 1.5);
  metrics.set('powersync_replication_lag_seconds', 0.5);
  expect(metrics.text()).toContain(
    '# TYPE powersync_rows_replicated_total counter\npowersync_rows_replicated_total 5\n',
  );
  expect(metrics.text()).toContain('\npowersync_replication_lag_seconds 0.5\n');
});

test('only the characters of a label that the format escapes are escaped', () => {
  const text = createMetrics({ role: 'unified', labels: { name: 'a\t"é\u0001' } }).text();
  expect(text).toContain('target_info{name="a\t\\"é\u0001"} 1\n');
});

test('labels are escaped, and belong to target_info', () => {
  const text = createMetrics({ role: 'unified', labels: { name: 'a "b"\\\n' } }).text();
  expect(text).toContain('target_info{name="a \\"b\\"\\\\\\n"} 1\n');
});
