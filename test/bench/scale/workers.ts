/** Measures the effect of workers on the first sync of many clients: in the service itself, and in two processes beside it. */
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import type { TestPostgres } from '../../support/processes/postgres.ts';
import type { ServiceProcess } from '../../support/processes/serviceProcess.ts';
import { processorTime } from '../stage.ts';
import { connectCrowd } from './crowd.ts';
import { count, type Figure, perSecond } from './figure.ts';
import { greeting, type RawServer, startRawServer } from './rawServer.ts';
import { each, ownConfig, rowTables } from './rows.ts';
import { complete, openWorld, requestsOf, type World } from './world.ts';

interface WorkersGround {
  readonly postgres: TestPostgres;
  readonly program: string | undefined;
}

const clients = 100;
const total = clients * each;
const workerCount = 2;
const cores = availableParallelism();
/** The number of measured rounds of each, in turns. Earlier ones are not measured, because each process compiles its code. */
const rounds = 15;
const warmUp = 5;

/** A service, and what its clients send. */
interface Party {
  readonly service: ServiceProcess;
  readonly requests: readonly string[];
}

interface FirstSync {
  /** Milliseconds, as all that follow. */
  readonly elapsed: number;
  /** Processor of each process of each service: the one that was started, and its workers. */
  readonly spent: readonly number[];
  /** Processor of the clients. */
  readonly reading: number;
  readonly bytes: number;
}

export async function workers({ postgres, program }: WorkersGround): Promise<Figure[]> {
  const worlds: World[] = [];
  const open = async (workers: number): Promise<Party> => {
    const world = await openWorld(postgres, { tables: rowTables(total), program, workers });
    worlds.push(world);
    await world.deploy(ownConfig);
    return { service: world.service, requests: await requestsOf(world.service, users, 'own') };
  };
  try {
    const [alone, crew, other] = [await open(0), await open(workerCount), await open(0)];
    // The limit of the machine is that of independent processes, each with its part of the clients.
    const apart = [alone, other].map(({ service, requests }, part) => ({
      service,
      requests: requests.slice((part * clients) / workerCount, ((part + 1) * clients) / workerCount),
    }));
    const [one, many, limit] = await syncInTurns([alone], [crew], apart);
    return figuresOf(one, many, limit, await rawTimes(many.bytes));
  } finally {
    for (const { close } of worlds) await close();
  }
}

const users = Array.from({ length: clients }, (_, n) => `owner-${n}`);

type Three<Each> = readonly [Each, Each, Each];

/** Syncs in turns, so that other work of the machine disturbs all of them alike. */
async function syncInTurns(...turns: Three<readonly Party[]>): Promise<Three<FirstSync>> {
  const syncs: Three<FirstSync[]> = [[], [], []];
  for (let round = 0; round < warmUp + rounds; round += 1) {
    for (const [turn, parties] of turns.entries()) syncs[turn]?.push(await sync(parties));
  }
  const [one, many, limit] = syncs;
  return [summaryOf(one.slice(warmUp)), summaryOf(many.slice(warmUp)), summaryOf(limit.slice(warmUp))];
}

async function sync(parties: readonly Party[]): Promise<FirstSync> {
  const processes = parties.flatMap(({ service }) => [service.pid, ...childrenOf(service.pid)]);
  const [before, own] = [processes.map(processorTime), process.cpuUsage()];
  const start = performance.now();
  const crowds = await Promise.all(
    parties.map(({ service, requests }) => connectCrowd(service.port, requests, complete)),
  );
  const elapsed = performance.now() - start;
  const { user, system } = process.cpuUsage(own);
  const spent = processes.map((pid, index) => processorTime(pid) - (before[index] ?? 0));
  await Promise.all(crowds.map(({ close }) => close()));
  return { elapsed, spent, reading: (user + system) / 1_000, bytes: sum(crowds.map(({ bytes }) => bytes())) };
}

/** The shortest time, since others share the machine; and the mean of the processor, whose clock counts steps of 10 ms. */
function summaryOf(syncs: readonly FirstSync[]): FirstSync {
  const [first] = syncs;
  if (first === undefined) throw new Error('Nothing was measured.');
  return {
    elapsed: Math.min(...syncs.map(({ elapsed }) => elapsed)),
    spent: first.spent.map((_, index) => mean(syncs.map(({ spent }) => spent[index] ?? 0))),
    reading: mean(syncs.map(({ reading }) => reading)),
    bytes: first.bytes,
  };
}

function figuresOf(
  one: FirstSync,
  many: FirstSync,
  apart: FirstSync,
  raw: { readonly one: number; readonly two: number },
): Figure[] {
  const perOperation = (milliseconds: number) => `${((milliseconds * 1_000) / total).toFixed(2)} µs`;
  const rate = (what: string, { elapsed }: FirstSync, limit: number): Figure => ({
    what: `first sync, ${clients} clients × ${count(each)} rows, ${what}`,
    measured: perSecond(total, elapsed),
    limit: `${perSecond(total, limit)} (sockets)`,
    ratio: (limit / elapsed).toFixed(2),
  });
  const cost = (what: string, { spent, reading }: FirstSync): Figure => ({
    what: `… processor for an operation, ${what}`,
    measured: `${perOperation(sum(spent))}: ${perSecond(total, sum(spent))} of processor`,
    limit: `${perOperation(reading)} of the clients beside it`,
  });
  const workersSpent = many.spent.slice(1);
  const busiest = Math.max(...workersSpent);
  const onOwnCores = Math.max(busiest, sum(many.spent) / workerCount);
  const onAllCores = (sum(many.spent) + many.reading) / cores;
  const share = Math.round((100 * busiest) / sum(workersSpent));
  return [
    rate('one process', one, raw.one),
    rate(`${workerCount} workers`, many, raw.two),
    cost('one process', one),
    cost(`${workerCount} workers`, many),
    cost(`${workerCount} processes apart`, apart),
    {
      what: `… by ${workerCount} workers on ${workerCount} cores without the clients, by their processor time`,
      measured: `${(sum(one.spent) / onOwnCores).toFixed(2)} × of one process on one core`,
      limit: `${(sum(one.spent) / Math.max(...apart.spent)).toFixed(2)} × by processes apart (the busier worker did ${share} % of the work)`,
      wanted: '≥ 1.7 ×',
    },
    {
      what: `… by ${workerCount} workers in time, on ${cores} cores together with the clients`,
      measured: `${(one.elapsed / many.elapsed).toFixed(2)} ×`,
      limit: `${(one.elapsed / onAllCores).toFixed(2)} × (all cores busy all the time); sockets ${(raw.one / raw.two).toFixed(2)} ×`,
      ratio: (onAllCores / many.elapsed).toFixed(2),
    },
  ];
}

/** Milliseconds in which one process, and two, write the same bytes to the same clients. */
async function rawTimes(bytes: number): Promise<{ readonly one: number; readonly two: number }> {
  const servers = [await startRawServer(), await startRawServer()] as const;
  try {
    const [one, two]: [number[], number[]] = [[], []];
    for (let round = 0; round < rounds; round += 1) {
      one.push(await rawTime(servers.slice(0, 1), bytes));
      two.push(await rawTime(servers, bytes));
    }
    return { one: Math.min(...one), two: Math.min(...two) };
  } finally {
    for (const { stop } of servers) stop();
  }
}

async function rawTime(servers: readonly RawServer[], bytes: number): Promise<number> {
  const requests = Array<string>(clients / servers.length).fill(greeting.request);
  const start = performance.now();
  const crowds = await Promise.all(servers.map(({ port }) => connectCrowd(port, requests, greeting.answer)));
  const seen = crowds.map(({ saw }) => saw(complete));
  for (const { send } of servers) send({ size: Math.ceil(bytes / clients), end: `${complete}\n` });
  await Promise.all(seen);
  const elapsed = performance.now() - start;
  await Promise.all(crowds.map(({ close }) => close()));
  return elapsed;
}

function childrenOf(pid: number): readonly number[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  return text === '' ? [] : text.split(' ').map(Number);
}

function mean(numbers: readonly number[]): number {
  return sum(numbers) / numbers.length;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, number) => all + number, 0);
}
