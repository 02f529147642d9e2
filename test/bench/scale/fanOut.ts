/** One row to all clients of a bucket. */
import { existsSync, readFileSync } from 'node:fs';
import { median, percentile } from '../measure.ts';
import { pause, processorTime } from '../stage.ts';
import { connectCrowd } from './crowd.ts';
import { count, type Figure } from './figure.ts';
import { greeting, startRawServer } from './rawServer.ts';
import { complete, processorFor, requestsOf, type World } from './world.ts';

/** The wanted times until the last of so many clients has the row. */
const wanted = new Map([
  [5_000, '≤ 150 ms'],
  [10_000, '≤ 300 ms'],
]);
/** The changes of a round. The median of the rounds counts, because something else may run during one of them. */
const changes = 20;
const rounds = 3;
/** Not measured: Node compiles what runs often while it runs. */
const warmUp = 10;
/** The time in milliseconds after a change in which work still counts. */
const aftermath = 1_200;

interface Spread {
  readonly p99: number;
  /** Microseconds of the processor for a client and a change. */
  readonly each: number;
}

export async function fanOut(world: World, crowds: readonly number[]): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const clients of crowds) {
    const most = mostSockets();
    if (clients > most) {
      const measured = `not measured: a process may open ${count(most)} sockets here (ulimit -n)`;
      figures.push({ what: `one row to ${count(clients)} clients, p99`, measured });
      continue;
    }
    const users = Array.from({ length: clients }, (_, n) => `reader-${n}`);
    const crowd = await connectCrowd(
      world.service.port,
      await requestsOf(world.service, users, 'news'),
      complete,
    );
    const change = (n: number) =>
      world.query(`UPDATE news SET body = 'change ${n} for ${clients}.' WHERE id = 'n1'`);
    const spread = async (from: number, size: number): Promise<Spread> => {
      const times: number[] = [];
      const spent = await processorFor(world, async () => {
        for (let n = from; n < from + size; n += 1) {
          const seen = crowd.saw(`change ${n} for ${clients}.`);
          await Promise.all([change(n), seen.then((all) => times.push(...all))]);
          await pause(20);
        }
        await pause(aftermath);
      });
      return { p99: percentile(times, 99), each: (spent * 1_000) / clients / size };
    };
    await spread(0, warmUp);
    const all: Spread[] = [];
    for (let round = 0; round < rounds; round += 1) all.push(await spread(warmUp + round * changes, changes));
    const ours = { p99: median(all.map(({ p99 }) => p99)), each: median(all.map(({ each }) => each)) };
    await crowd.close();
    const raw = await rawSpread(clients);
    figures.push(
      {
        what: `one row to ${count(clients)} clients, p99`,
        measured: `${ours.p99.toFixed(1)} ms`,
        limit: `${raw.p99.toFixed(1)} ms (sockets)`,
        ratio: `${(ours.p99 / raw.p99).toFixed(1)} ×`,
        ...(wanted.has(clients) && { wanted: wanted.get(clients) ?? '' }),
      },
      {
        what: `… processor a client`,
        measured: `${ours.each.toFixed(1)} µs`,
        limit: `${raw.each.toFixed(1)} µs`,
        ratio: `${(ours.each / raw.each).toFixed(1)} ×`,
        wanted: '≤ 20 µs',
      },
    );
  }
  return figures;
}

/** The number of files that a process opens at most, besides its sockets. */
const otherFiles = 300;

function mostSockets(): number {
  if (!existsSync('/proc/self/limits')) return Number.POSITIVE_INFINITY;
  const [, most = '0'] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
  return Number(most) - otherFiles;
}

/** A line of about the size of what clients get for a change. */
const line = `${'x'.repeat(500)}\n`;

async function rawSpread(clients: number): Promise<Spread> {
  const server = await startRawServer();
  try {
    const crowd = await connectCrowd(server.port, Array(clients).fill(greeting.request), greeting.answer);
    const times: number[] = [];
    let spent = 0;
    for (let n = 0; n < warmUp + changes; n += 1) {
      if (n === warmUp) spent = processorTime(server.pid);
      const seen = crowd.saw(`change ${n}.`);
      server.send({ size: 0, end: `change ${n}.${line}` });
      const all = await seen;
      if (n >= warmUp) times.push(...all);
      await pause(20);
    }
    spent = processorTime(server.pid) - spent;
    await crowd.close();
    return { p99: percentile(times, 99), each: (spent * 1_000) / clients / changes };
  } finally {
    server.stop();
  }
}
