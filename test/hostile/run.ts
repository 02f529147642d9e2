/** Runs one attack in an arena: for some seconds, or until it has made enough attempts. */
import { type ChildProcess, execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { patient } from '../../scripts/run/patience.ts';
import { percentile } from '../bench/measure.ts';
import type { Arena } from './arena.ts';
import { aborted, pause, type Target } from './attacks/attack.ts';
import { type AttackName, attackOf } from './attacks/index.ts';
import { endOf, last, messageOf, startBeside, usual } from './beside.ts';
import { connectOverHttp, connectOverSocket } from './honest.ts';
import type { Criterion, HostileReport, Times } from './report.ts';

const execute = promisify(execFile);

export interface AttackSize {
  /** The number of clients that are connected during an attack that needs them. */
  readonly clients: number;
  /** The number of sockets at the same time, for attacks that need very many. */
  readonly sockets: number;
}

export const usualSize: AttackSize = { clients: 300, sockets: 10_000 };

/** The length of the attack. If it is undefined, the attack ends when it has made enough attempts. */
type Duration = { readonly seconds: number } | undefined;

/** Milliseconds within which the attack must make enough attempts. */
const patience = patient(180_000);

export async function runHostile(
  arena: Arena,
  name: AttackName,
  size: AttackSize,
  duration?: Duration,
): Promise<HostileReport> {
  const { enough, needs = {} } = attackOf(name);
  const { service, prober, complain } = arena;
  forgetPeak(service.pid);
  prober.send('begin again');
  const target: Target = { port: service.port, seed: Date.now() % 100_000, ...size, clock: arena.clock };
  // The prober has a high priority in the long run, so the attacker gets a low one. While other tests run, an attacker with a low
  // priority would hardly ever get the processor.
  const attacker = startBeside('./attacker.ts', { name, target }, duration === undefined ? usual : last);
  let attempts = 0;
  attacker.on('message', (message: { readonly attempts?: number; readonly complaint?: string }) => {
    attempts = message.attempts ?? attempts;
    if (message.complaint !== undefined) complain('attack', message.complaint);
  });
  void messageOf(attacker, 'begun').then(
    () => prober.send('begin again'),
    () => undefined,
  );
  let hasEnded = false;
  void service.ended.then(() => {
    hasEnded = true;
  });
  const begun = Date.now();
  const isOver = (served: Observation): boolean => {
    if (hasEnded) return true;
    if (duration !== undefined) return Date.now() - begun >= duration.seconds * 1000;
    const isLate = Date.now() - begun > patience;
    if (isLate)
      complain(
        'attack',
        `There were ${attempts} attempts within ${patience / 1000} s, instead of ${enough}.`,
      );
    return isLate || (attempts >= enough && served.changes.length >= leastChanges && served.connected > 0);
  };
  try {
    // Changes and connections before the attack would show nothing.
    await messageOf(attacker, 'attempts');
    const rhythm = duration === undefined ? slowing : steady;
    const served = await serveMeanwhile({ arena, attacker, isOver, rhythm });
    const times = messageOf<{ readonly times: readonly (readonly number[])[] }>(prober, 'times');
    prober.send('report');
    // The attack continues until at least one probe is answered.
    const reported = await Promise.race([times, service.ended, pause(patience)]);
    attacker.send('stop');
    const [probes = [], idle = []] = typeof reported === 'object' && reported !== null ? reported.times : [];
    await Promise.race([messageOf(attacker, 'stopped').catch(() => undefined), pause(5_000)]);
    return {
      peakMemory: served.peakMemory,
      connected: served.connected,
      changes: timesOf(served.changes),
      complaints: arena.takeComplaints(),
      attempts,
      clients: needs.clients === undefined ? 0 : size.clients,
      probes: timesOf(probes),
      idle: timesOf(idle),
    };
  } finally {
    await endOf(attacker);
  }
}

const leastChanges = 3;

interface Observation {
  readonly changes: number[];
  connected: number;
  peakMemory: number;
}

/** Returns the milliseconds until the next change and until the next connection, after this many of them. */
interface Rhythm {
  readonly change: (count: number) => number;
  readonly connection: (count: number) => number;
}

const steady: Rhythm = { change: () => 300, connection: () => 1_000 };
/**
 * For attacks that end after enough attempts. The first changes follow each other quickly, because an attack cannot end before them.
 * A long attack then only needs some change at any time.
 */
const slowing: Rhythm = {
  change: (count) => (count < leastChanges ? 100 : 1_000),
  connection: () => 3_000,
};

interface Serving {
  readonly arena: Arena;
  readonly attacker: ChildProcess;
  readonly isOver: (served: Observation) => boolean;
  readonly rhythm: Rhythm;
}

/** Observes the service until the attack is over, which it checks after each observation and each message of the attacker. */
async function serveMeanwhile({ arena, attacker, isOver, rhythm }: Serving): Promise<Observation> {
  const { service, database, honest, complain } = arena;
  const served: Observation = { changes: [], connected: 0, peakMemory: 0 };
  const over = new AbortController();
  const look = (): void => {
    if (!over.signal.aborted && isOver(served)) over.abort();
  };
  attacker.on('message', look);
  const untilOver = async (
    criterion: Criterion,
    every: () => number,
    act: () => Promise<void>,
  ): Promise<void> => {
    while (!over.signal.aborted) {
      await act().catch((error: Error) => complain(criterion, error.message));
      look();
      await Promise.race([pause(every()), aborted(over.signal)]);
    }
  };
  const lost = (complaint: string): void => complain('clients', complaint);
  await Promise.all([
    untilOver(
      'process',
      () => 500,
      async () => {
        served.peakMemory = Math.max(served.peakMemory, await memoryOf(service.pid));
      },
    ),
    untilOver(
      'changes',
      () => rhythm.change(served.changes.length),
      async () => {
        lastChange += 1;
        const id = `change-${lastChange}`;
        await database.query('INSERT INTO lists VALUES ($1, $2)', [id, 'x']);
        served.changes.push(await honest.received(id));
      },
    ),
    untilOver(
      'clients',
      () => rhythm.connection(served.connected),
      async () => {
        (await connectOverHttp(service.port, half, lost)).close();
        (await connectOverSocket(service.port, half, lost)).close();
        served.connected += 1;
      },
    ),
  ]);
  return served;
}

/** A client number that no other client has. */
const half = 1_000;
let lastChange = 0;

/** Returns the memory of a process in MB: on Linux the peak since it was last reset, on other systems the current use. */
async function memoryOf(pid: number): Promise<number> {
  if (process.platform === 'linux') {
    const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Number(kilobytes) / 1024;
  }
  const { stdout } = await execute('ps', ['-o', 'rss=', '-p', String(pid)]);
  return Number(stdout) / 1024;
}

/** Resets the peak of the memory: see `proc_pid_clear_refs(5)`. */
function forgetPeak(pid: number): void {
  if (process.platform === 'linux') writeFileSync(`/proc/${pid}/clear_refs`, '5');
}

function timesOf(values: readonly number[]): Times {
  return {
    count: values.length,
    p50: percentile(values, 50),
    p99: percentile(values, 99),
    max: Math.max(0, ...values),
  };
}
