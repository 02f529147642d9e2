/** How long a change takes to a client while the data of a former deployment are being deleted. */
import { percentile } from '../measure.ts';
import { pause } from '../stage.ts';
import { connectCrowd } from './crowd.ts';
import type { Figure } from './figure.ts';
import { complete, requestsOf, type World } from './world.ts';

const changes = 150;

const configWith = (condition: string) => `config:
  edition: 3
streams:
  news:
    query: SELECT * FROM news${condition}
  everything:
    query: SELECT * FROM items${condition}
`;

export async function clearing(world: World): Promise<Figure[]> {
  await world.deploy(configWith(''));
  const idle = await latencies(world, 'alone');
  await world.deploy(configWith(` WHERE id <> 'none'`));
  const busy = await latencies(world, 'while clearing');
  const p99 = [percentile(busy, 99), percentile(idle, 99)] as const;
  return [
    {
      what: 'commit to client while 200,000 former operations are cleared, p99',
      measured: `${p99[0].toFixed(1)} ms, idle ${p99[1].toFixed(1)}`,
      ratio: `${(p99[0] / p99[1]).toFixed(1)} ×`,
      wanted: '≤ 3 ×',
    },
  ];
}

async function latencies({ service, query }: World, name: string): Promise<readonly number[]> {
  const crowd = await connectCrowd(service.port, await requestsOf(service, ['reader'], 'news'), complete);
  const times: number[] = [];
  for (let n = 0; n < changes; n += 1) {
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
