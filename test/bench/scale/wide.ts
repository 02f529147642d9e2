/** Users with very many buckets, many users with a bucket each, and many users whose buckets change at once. */
import { percentile } from '../measure.ts';
import { pause } from '../stage.ts';
import { connectCrowd } from './crowd.ts';
import { count, type Figure } from './figure.ts';
import { complete, processorFor, requestsOf, type World } from './world.ts';

const widths = [1_000, 10_000] as const;
/** The numbers of changes. The first hundred take twice as long, because Node has not yet compiled their code. */
const changes = { cold: 20, first: 200, measured: 100 } as const;
const strangers = 5_000;
const crew = 1_000;
/** Projects of each of the crew; one of them changes. */
const share = 3;
/** Enough for a median: one round takes up to a third more or less, depending on what V8 collects during it. */
const crewRounds = 15;

export const wideTables = `
CREATE TABLE parts (id text PRIMARY KEY, project text, body text);
CREATE TABLE members (id text PRIMARY KEY, person text, project text);
INSERT INTO parts SELECT 'p' || n, 'project-' || n, 'A part of the project' FROM generate_series(1, ${widths[1]}) n;
${widths.map((width) => `INSERT INTO members SELECT 'w${width}-' || n, 'wide-${width}', 'project-' || n FROM generate_series(1, ${width}) n;`).join('\n')}
INSERT INTO members SELECT 's' || n, 'stranger-' || n, 'project-' || n FROM generate_series(2, ${strangers + 1}) n;
INSERT INTO members VALUES ('w1', 'wide-1', 'project-1');
INSERT INTO members SELECT 'c' || n, 'crew-' || n % ${crew}, 'project-' || n FROM generate_series(0, ${crew * share - 1}) n;`;

export async function wide(world: World): Promise<Figure[]> {
  const { times } = await changesOf(world, 1, changes.first);
  const cold = percentile(times.slice(0, changes.cold), 50);
  const figures: Figure[] = [
    { what: `one of the first ${changes.cold} changes after a start, 1 bucket, p50`, measured: ms(cold) },
  ];
  const narrow = await changesOf(world, 1, changes.measured);
  for (const width of widths) figures.push(...(await oneWideUser(world, width, narrow)));
  figures.push(await amongStrangers(world, narrow), await changedCrew(world));
  return figures;
}

/** Each in one of the buckets of a user. */
interface Changes {
  /** Milliseconds of each, from before it is made until the client has it. */
  readonly times: readonly number[];
  /** Milliseconds of each until the source has committed it. */
  readonly commits: readonly number[];
  /** Milliseconds of the processor for one. */
  readonly processor: number;
}

async function changesOf(world: World, width: number, count: number): Promise<Changes> {
  const { service, query } = world;
  const crowd = await connectCrowd(
    service.port,
    await requestsOf(service, [`wide-${width}`], 'parts'),
    complete,
  );
  const times: number[] = [];
  const commits: number[] = [];
  const spent = await processorFor(world, async () => {
    for (let n = 0; n < count; n += 1) {
      const text = `part ${n} of ${count} and ${width}.`;
      const seen = crowd.saw(text);
      const start = performance.now();
      const change = query(`UPDATE parts SET body = '${text}' WHERE id = 'p1'`);
      await Promise.all([
        change.then(() => commits.push(performance.now() - start)),
        seen.then((all) => times.push(...all)),
      ]);
      await pause(20);
    }
  });
  await crowd.close();
  return { times, commits, processor: spent / count };
}

async function oneWideUser(world: World, width: number, narrow: Changes): Promise<Figure[]> {
  const { service } = world;
  const requests = await requestsOf(service, [`wide-${width}`], 'parts');
  const first: number[] = [];
  for (let round = 0; round < 3; round += 1) {
    const start = performance.now();
    const crowd = await connectCrowd(service.port, requests, '{"checkpoint"');
    first.push(performance.now() - start);
    await crowd.close();
    await pause(300);
  }
  const { times, commits, processor } = await changesOf(world, width, changes.measured);
  const [time, committed, alone] = [times, commits, narrow.times].map((all) => percentile(all, 50));
  const isWider = width === widths[1];
  return [
    {
      what: `a user with ${count(width)} buckets: first line`,
      measured: `${(first[0] ?? 0).toFixed(0)} ms, again ${Math.min(...first).toFixed(0)}`,
      wanted: isWider ? '≤ 200 ms' : '≤ 30 ms',
    },
    {
      what: '… a change in one of them, p50',
      measured: `${ms(time)} (${processor.toFixed(1)} ms of the processor)`,
      limit: `${ms(committed)} (the source alone), ${ms(alone)} with 1 bucket`,
      ratio: ((time ?? Number.NaN) / (alone ?? Number.NaN)).toFixed(2),
      wanted: '≤ 3 ms',
    },
  ];
}

async function amongStrangers(world: World, alone: Changes): Promise<Figure> {
  const { service } = world;
  const users = Array.from({ length: strangers }, (_, n) => `stranger-${n + 2}`);
  const crowd = await connectCrowd(service.port, await requestsOf(service, users, 'parts'), complete);
  await pause(1_500);
  const { times, processor } = await changesOf(world, 1, changes.measured);
  await crowd.close();
  const [time, lone] = [times, alone.times].map((all) => percentile(all, 50));
  return {
    what: `a change for one of ${count(strangers + 1)} users with a bucket each, p50`,
    measured: `${ms(time)} (${processor.toFixed(1)} ms of the processor)`,
    limit: `${ms(lone)} (${alone.processor.toFixed(1)} ms) where it is the only one`,
    ratio: ((time ?? Number.NaN) / (lone ?? Number.NaN)).toFixed(2),
  };
}

function ms(time = Number.NaN): string {
  return `${time.toFixed(1)} ms`;
}

async function changedCrew(world: World): Promise<Figure> {
  const { service, query } = world;
  const users = Array.from({ length: crew }, (_, n) => `crew-${n}`);
  const crowd = await connectCrowd(service.port, await requestsOf(service, users, 'parts'), complete);
  await pause(1_500);
  const times: number[] = [];
  const spent: number[] = [];
  for (let round = 1; round <= crewRounds; round += 1) {
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
