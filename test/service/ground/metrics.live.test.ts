import { expect, test } from 'vitest';
import { createMetrics } from '../../../server/service/ground/metrics.ts';
import { metricsRoute } from '../../../server/service/http/metricsRoute.ts';
import { ask, recordLog, serve } from '../../support/processes/http.ts';

const labels = { service_version: '1.0', source_type: 'embedded' };
test('GET /metrics measures the storage at most once a minute', async () => {
  const clock = { time: 0, now: () => clock.time, steady: () => clock.time, sleep: async () => {} };
  const metrics = createMetrics({ role: 'unified', labels });
  const log = recordLog();
  let measured = 0;
  const measure = async (): Promise<void> => {
    metrics.set('powersync_operation_storage_size_bytes', ++measured);
    if (measured === 2) throw new Error('no storage');
  };
  const server = await serve([metricsRoute(metrics, measure, { clock, log })]);
  const sizeAfter = async (ms: number) => {
    clock.time += ms;
    const { text, status } = await ask(server, { path: '/metrics' });
    return [status, /operation_storage_size_bytes (\d)/.exec(text)?.[1]];
  };
  expect(await sizeAfter(0)).toEqual([200, '1']);
  expect(await sizeAfter(59_999)).toEqual([200, '1']);
  expect(await sizeAfter(1)).toEqual([200, '2']);
  expect(log.lines.map(({ message }) => message)).toEqual(['Metrics could not be measured: no storage']);
  expect((await ask(server, { path: '/metrics' })).headers['content-type']).toBe(
    'text/plain; version=0.0.4; charset=utf-8',
  );
});
