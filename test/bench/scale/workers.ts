/** What workers change: the first sync of many clients, in the service itself and in two processes beside it. */
import { readFileSync } from 'node:fs';
import type { TestPostgres } from '../../support/processes/postgres.ts';
import { processorTime } from '../stage.ts';
import { connectCrowd } from './crowd.ts';
import { count, type Figure, perSecond } from './figure.ts';
import { each, ownConfig, rowTables } from './rows.ts';
import { complete, openWorld, requestsOf, type World } from './world.ts';

interface WorkersGround {
  readonly postgres: TestPostgres;
  readonly program: string | undefined;
}

const clients = 100;
const total = clients * each;
/** One more comes before, in which each process compiles what it runs. The best of them counts: others share the machine. */
const rounds = 12;
const counts = [0, 2] as const;

interface FirstSync {
  /** Milliseconds. */
  readonly elapsed: number;
  /** Of all processes of the service, and of the clients. */
  readonly processor: number;
  readonly reading: number;
}

export async function workers({ postgres, program }: WorkersGround): Promise<Figure[]> {
  const figures: Figure[] = [];
  let alone: number | undefined;
  for (const workers of counts) {
    const world = await openWorld(postgres, { tables: rowTables(total), program, workers });
    try {
      await world.deploy(ownConfig);
      const { elapsed, processor, reading } = await bestSync(world);
      alone ??= elapsed;
      figures.push({
        what: `first sync, ${clients} clients × ${count(each)} rows, ${workers} workers`,
        measured: `${perSecond(total, elapsed)} (${((processor * 1_000) / total).toFixed(2)} µs of the processor)`,
        limit: `${((reading * 1_000) / total).toFixed(2)} µs of the clients' processor`,
        ...(workers > 0 && { ratio: `${(alone / elapsed).toFixed(2)} × of none`, wanted: '≥ 1.7 ×' }),
      });
    } finally {
      await world.close();
    }
  }
  return figures;
}

async function bestSync(world: World): Promise<FirstSync> {
  const users = Array.from({ length: clients }, (_, n) => `owner-${n}`);
  const requests = await requestsOf(world.service, users, 'own');
  const results: FirstSync[] = [];
  for (let round = 0; round <= rounds; round += 1) results.push(await sync(world, requests));
  return results.slice(1).reduce((best, one) => (one.elapsed < best.elapsed ? one : best));
}

async function sync({ service }: World, requests: readonly string[]): Promise<FirstSync> {
  const processes = [service.pid, ...childrenOf(service.pid)];
  const spent = (): number => processes.reduce((sum, pid) => sum + processorTime(pid), 0);
  const [before, own] = [spent(), process.cpuUsage()];
  const start = performance.now();
  const crowd = await connectCrowd(service.port, requests, complete);
  const elapsed = performance.now() - start;
  const { user, system } = process.cpuUsage(own);
  const processor = spent() - before;
  await crowd.close();
  return { elapsed, processor, reading: (user + system) / 1_000 };
}

function childrenOf(pid: number): readonly number[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  return text === '' ? [] : text.split(' ').map(Number);
}
