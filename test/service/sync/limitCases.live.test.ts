/** Configs that PowerSync's service refused in public reports. They sync here unchanged. */
import { expect, test } from 'vitest';
import { startSyncing } from '../../support/clients/syncing.ts';
import { limitCases } from '../../support/engine/limits/cases.ts';

test.each(limitCases)('$source syncs with all of its streams', async ({ config, rows, user }) => {
  const syncing = await startSyncing({ tables: [...rows.keys()] });
  syncing.source.commit((t) => {
    for (const [table, some] of rows) for (const row of some) t.insert(table, row);
  });
  await syncing.deploy(config);
  const stream = await syncing.stream({ token: user });
  await stream.until(({ client }) => client.completed !== undefined);
  const first = stream.lines[0]?.checkpoint ?? {};
  const { streams, buckets } = first as unknown as CheckpointLine;
  expect(stream.client.rows.size).toBeGreaterThan(0);
  expect(streams.flatMap(({ errors }) => errors)).toEqual([]);
  expect(buckets.length).toBeGreaterThan(0);
  expect(buckets.length).toBeLessThanOrEqual(1_000);
});

interface CheckpointLine {
  readonly streams: readonly { readonly errors: readonly unknown[] }[];
  readonly buckets: readonly unknown[];
}
