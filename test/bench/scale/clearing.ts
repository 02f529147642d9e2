/** How long a change takes to a client while histories are compacted, and while a former deployment is cleared. */
import { percentile } from '../measure.ts';
import { pause, post } from '../stage.ts';
import { connectCrowd } from './crowd.ts';
import { count, type Figure } from './figure.ts';
import { complete, requestsOf, type World } from './world.ts';

/** The number of changes. With 400, the slowest four would decide the slowest hundredth, which then differs from run to run. */
const changes = 1_000;
/** Milliseconds in which what a large transaction has left in memory is collected. */
const settling = 3_000;

const configWith = (condition: string) => `config:
  edition: 3
streams:
  news:
    query: SELECT * FROM news${condition}
  everything:
    query: SELECT * FROM items${condition}
`;

/** The operations of each row, when it is compacted and when it is cleared. */
export const operationsOfRow = 2;

/** @param operations of the bucket */
export async function clearing(world: World, operations: number, storage: string): Promise<Figure[]> {
  await world.deploy(configWith(''));
  await world.query('UPDATE items SET done = NOT done');
  // A client that sees this change has everything before it.
  await latencies(world, 'after the update', 1);
  await pause(settling);
  const idle = await latencies(world, 'alone');
  const compacted = post(world.service, '/api/admin/v1/compact', '{}');
  const compacting = await latencies(world, 'while compacting');
  // Not waited for: it takes as long as changes leave it.
  compacted.catch(() => undefined);
  await world.deploy(configWith(` WHERE id <> 'none'`));
  const busy = await latencies(world, 'while clearing');
  const figure = (what: string, times: readonly number[]): Figure => {
    const p99 = [percentile(times, 99), percentile(idle, 99)] as const;
    return {
      what: `commit to client while ${count(operations)} operations are ${what}, p99 (${storage})`,
      measured: `${p99[0].toFixed(1)} ms, idle ${p99[1].toFixed(1)}`,
      ratio: `${(p99[0] / p99[1]).toFixed(1)} ×`,
      wanted: '≤ 3 ×',
    };
  };
  return [figure('compacted', compacting), figure('cleared', busy)];
}

async function latencies(
  { service, query }: World,
  name: string,
  most = changes,
): Promise<readonly number[]> {
  const crowd = await connectCrowd(service.port, await requestsOf(service, ['reader'], 'news'), complete);
  const times: number[] = [];
  for (let n = 0; n < most; n += 1) {
    const seen = crowd.saw(`change ${n} ${name}.`);
    await Promise.all([
      query(`UPDATE news SET body = 'change ${n} ${name}.' WHERE id = 'n1'`),
      seen.then((all) => times.push(...all)),
    ]);
    await pause(5);
  }
  await crowd.close();
  return times;
}
