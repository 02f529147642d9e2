/** Runs a worker: a process that another process of the same service has started. The other process sends all necessary orders. */
import { type RunningWorker, startWorker, type WorkerLine } from '../assembly/worker.ts';
import { createListeners } from '../ground/listeners.ts';
import type { Log } from '../ground/log.ts';
import type { LogPosition } from '../ground/logPosition.ts';
import { startAlone } from '../ground/unattended.ts';
import type { World } from '../ground/world.ts';
import { lostAfter } from '../storage/link.ts';
import type { Notice } from '../storage/storage.ts';
import { keepBeating } from '../workers/beats.ts';
import type { ProcessChannel } from '../workers/channel.ts';
import { noClients } from '../workers/counts.ts';
import { plainFailure } from '../workers/failures.ts';
import { openLine, type ProcessLine } from '../workers/line.ts';
import type { PrimaryProcedures, WorkerOrders, WorkerProcedures } from '../workers/procedures.ts';
import { openTunnels } from '../workers/tunnels.ts';
import type { Terminal } from './command.ts';
import { exitCodeOf, exitCodes } from './exitCodes.ts';
import { worldOfCommand } from './run.ts';

type WorkerTerminal = Pick<Terminal, 'env' | 'complain' | 'onStop'>;

type ToPrimary = ProcessLine<PrimaryProcedures>;

/** Runs the worker and returns its exit code. */
export function runWorker(channel: ProcessChannel, terminal: WorkerTerminal): Promise<number> {
  return new Promise((end) => {
    const published = createListeners<Notice>();
    const doubt = createListeners();
    const writeCheckpoints = createListeners<readonly [key: string, position: LogPosition]>();
    const admits = new Map<number, () => void>();
    let elsewhere = noClients;
    let worker: RunningWorker | undefined;
    let isStopping = false;
    const stop = (): void => {
      if (isStopping) return;
      isStopping = true;
      const stopped = worker?.stop() ?? Promise.resolve();
      stopped.then(
        () => end(exitCodes.done),
        () => end(exitCodes.failed),
      );
    };
    const begin = async (orders: WorkerOrders): Promise<void> => {
      const world = worldOfWorker(orders, terminal, line);
      watchPrimary(line, world, () => end(exitCodes.failed));
      try {
        const started = await startWorker(orders, toLine(), world);
        worker = started;
        if (isStopping) {
          await started.stop();
          return end(exitCodes.done);
        }
        line.tell('ready', { port: started.port, url: started.url });
      } catch (error) {
        await line.ask('failed', plainFailure(error)).catch(() => undefined);
        end(exitCodeOf(error));
      }
    };
    const tunnels = openTunnels(
      () => line,
      ({ socket }) => socket.destroy(),
    );
    const line: ToPrimary = openLine<WorkerProcedures, PrimaryProcedures>(channel, {
      ...tunnels.procedures,
      begin: (orders) => startAlone('Starting a worker', () => begin(orders)),
      beat: () => {},
      stop,
      published: published.call,
      doubt: doubt.call,
      writeCheckpoint: (...created) => writeCheckpoints.call(created),
      elsewhere: (clients) => {
        elsewhere = clients;
      },
      admitted: (tunnel) => admits.get(tunnel)?.(),
      report: () => worker?.report() ?? { changed: [], gone: [], hasMore: false },
    });
    const toLine = (): WorkerLine => ({
      ask: line.ask,
      tell: line.tell,
      elsewhere: () => elsewhere,
      openTunnel: (address, admit) => {
        const tunnel = tunnels.open(address);
        admits.set(tunnel.id, admit);
        tunnel.socket.once('close', () => admits.delete(tunnel.id));
        return tunnel;
      },
      published,
      doubt,
      writeCheckpoints: { watch: (listener) => writeCheckpoints.watch((created) => listener(...created)) },
    });
    // The primary asks this worker to stop. A terminal sends its signals to both processes, so only requests meant for this
    // process count here.
    terminal.onStop((request) => {
      if (request === 'disconnect') end(exitCodes.failed);
      else if (request === 'SIGTERM') stop();
    });
  });
}

/** Returns a world whose log lines include the number of the worker. Its errors also appear in the timeline of the service. */
function worldOfWorker({ number, settings }: WorkerOrders, terminal: WorkerTerminal, line: ToPrimary): World {
  const world = worldOfCommand(settings, terminal);
  const log: Log = {
    write: (level, message, facts = {}) => {
      world.log.write(level, message, { worker: number, ...facts });
      const { code } = facts;
      if (level === 'error') line.tell('happened', { message, ...(typeof code === 'string' && { code }) });
    },
  };
  return { ...world, log };
}

/** Ends the worker when the primary is silent, because clients would otherwise be told that they are up to date. */
function watchPrimary(line: ToPrimary, { clock, log }: World, end: () => void): void {
  const onSilence = (seconds: number): void => {
    if (seconds < lostAfter) return;
    log.write(
      'error',
      `The replicating process has not responded for ${lostAfter} s, so this worker is stopping`,
    );
    end();
  };
  const beat = (): void => line.tell('beat');
  line.onSign(keepBeating({ beat, onSilence }, clock, new AbortController().signal));
}
