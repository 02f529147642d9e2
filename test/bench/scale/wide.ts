/** Users with very many buckets, and many users whose buckets change at once. */
import { percentile } from '../measure.ts';
import { pause } from '../stage.ts';
import { connectCrowd } from './crowd.ts';
import { count, type Figure } from './figure.ts';
import { complete, processorFor, requestsOf, type World } from './world.ts';

const widths = [1_000, 10_000] as const;
const changes = 20;
const crew = 1_000;
/** Projects of each of the crew; one of them changes. */
const share = 3;

export const wideTables = `
CREATE TABLE parts (id text PRIMARY KEY, project text, body text);
CREATE TABLE members (id text PRIMARY KEY, person text, project text);
INSERT INTO parts SELECT 'p' || n, 'project-' || n, 'A part of the project' FROM generate_series(1, ${widths[1]}) n;
${widths.map((width) => `INSERT INTO members SELECT 'w${width}-' || n, 'wide-${width}', 'project-' || n FROM generate_series(1, ${width}) n;`).join('\n')}
INSERT INTO members SELECT 'c' || n, 'crew-' || n % ${crew}, 'project-' || n FROM generate_series(0, ${crew * share - 1}) n;`;

export async function wide(world: World): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const width of widths) figures.push(...(await oneWideUser(world, width)));
  figures.push(await changedCrew(world));
  return figures;
}

async function oneWideUser(world: World, width: number): Promise<Figure[]> {
  const { service, query } = world;
  const requests = await requestsOf(service, [`wide-${width}`], 'parts');
  const first: number[] = [];
  for (let round = 0; round < 3; round += 1) {
    const start = performance.now();
    const crowd = await connectCrowd(service.port, requests, '{"checkpoint"');
    first.push(performance.now() - start);
    await crowd.close();
    await pause(300);
  }
  const crowd = await connectCrowd(service.port, requests, complete);
  const times: number[] = [];
  const spent = await processorFor(world, async () => {
    for (let n = 0; n < changes; n += 1) {
      const seen = crowd.saw(`part ${n} of ${width}.`);
      const change = query(`UPDATE parts SET body = 'part ${n} of ${width}.' WHERE id = 'p${n + 1}'`);
      await Promise.all([change, seen.then((all) => times.push(...all))]);
      await pause(20);
    }
  });
  await crowd.close();
  const isWider = width === widths[1];
  return [
    {
      what: `a user with ${count(width)} buckets: first line`,
      measured: `${(first[0] ?? 0).toFixed(0)} ms, again ${Math.min(...first).toFixed(0)}`,
      wanted: isWider ? '≤ 200 ms' : '≤ 30 ms',
    },
    {
      what: '… a change in one of them, p50',
      measured: `${percentile(times, 50).toFixed(1)} ms (${(spent / changes).toFixed(1)} ms of the processor)`,
      wanted: '≤ 3 ms',
    },
  ];
}

async function changedCrew(world: World): Promise<Figure> {
  const { service, query } = world;
  const users = Array.from({ length: crew }, (_, n) => `crew-${n}`);
  const crowd = await connectCrowd(service.port, await requestsOf(service, users, 'parts'), complete);
  await pause(1_500);
  const times: number[] = [];
  const spent: number[] = [];
  for (let round = 1; round <= 3; round += 1) {
    const processor = await processorFor(world, async () => {
      const seen = crowd.saw(complete);
      const moved = query(
        `UPDATE members SET project = 'project-' || (substr(id, 2)::int + ${4_000 + round})
         WHERE person LIKE 'crew-%' AND substr(id, 2)::int < ${crew}`,
      );
      await Promise.all([moved, seen.then((all) => times.push(Math.max(...all)))]);
    });
    spent.push(processor);
    await pause(1_500);
  }
  await crowd.close();
  return {
    what: `${count(crew)} users whose lookups change in one transaction, until the last has its rows`,
    measured: `${percentile(times, 50).toFixed(0)} ms (${((percentile(spent, 50) * 1_000) / crew).toFixed(0)} µs of the processor a user)`,
    wanted: '≤ 1,000 ms',
  };
}
