/** A worker from the point of view of the primary process: its process, the line to it, and its reports. */
import type { World } from '../ground/world.ts';
import type { Notice } from '../storage/storage.ts';
import { keepBeating } from './beats.ts';
import type { WorkerProcess } from './channel.ts';
import { openReportedClients } from './clientReports.ts';
import { type ClientCounts, noClients } from './counts.ts';
import { openLine, type ProcessLine } from './line.ts';
import type { PrimaryProcedures, WorkerOrders, WorkerProcedures } from './procedures.ts';
import { openTunnels, type Tunnel, type TunnelProcedures } from './tunnels.ts';

/** The state of a worker for diagnostics. */
export interface WorkerState {
  readonly number: number;
  /** `ended`: a new one will be started soon. */
  readonly state: 'starting' | 'serving' | 'ended';
  readonly pid: number | undefined;
  readonly clients: number;
}

/** The procedures of the primary for one worker, except for its signs and its tunnels. */
type WorkerServices = Omit<PrimaryProcedures, 'beat' | keyof TunnelProcedures>;

interface WorkerParts {
  readonly number: number;
  readonly process: WorkerProcess;
  /** Returns the procedures for this worker. */
  readonly services: (worker: Worker) => WorkerServices;
  /** Answers a request that the worker does not answer itself. */
  readonly take: (tunnel: Tunnel, address: string, admit: () => void) => void;
  readonly world: Pick<World, 'clock' | 'log'>;
}

/** The number of seconds without a sign after which a worker is ended. A busy machine delays signs for less time. */
const longestSilence = 30;
/** The maximum number of messages in memory for a worker that has stopped reading. After that, it must look for changes itself. */
const mostUnheard = 100_000;

export class Worker {
  readonly number: number;
  readonly process: WorkerProcess;
  readonly line: ProcessLine<WorkerProcedures>;
  readonly reported = openReportedClients();
  clients: ClientCounts = noClients;
  isServing = false;
  readonly #tunnels: ReturnType<typeof openTunnels>;
  readonly #over = new AbortController();
  /** The number of changed parts that were sent to the worker since its last sign. */
  #unheard = 0;

  constructor({ number, process, services, take, world }: WorkerParts) {
    this.number = number;
    this.process = process;
    this.#tunnels = openTunnels(
      () => this.line,
      (tunnel, address) => take(tunnel, address, () => this.line.tell('admitted', tunnel.id)),
    );
    this.line = openLine<PrimaryProcedures, WorkerProcedures>(process.channel, {
      ...services(this),
      ...this.#tunnels.procedures,
      beat: () => {},
    });
    this.#watch(world);
  }

  begin(orders: WorkerOrders): void {
    this.line.tell('begin', orders);
  }

  /** Called when the process has ended. */
  end(): void {
    this.#over.abort();
    this.line.end();
    this.#tunnels.end();
  }

  publish({ changed, ...rest }: Notice): void {
    this.#unheard += changed === undefined ? 0 : changed.buckets.size + changed.lookups.size;
    const isMuch = changed === undefined || this.#unheard > mostUnheard;
    this.line.tell('published', isMuch ? rest : { ...rest, changed });
  }

  /** Takes all pages of a new report about the clients. */
  async refresh(): Promise<void> {
    for (;;) {
      const report = await this.line.ask('report');
      this.reported.take(report);
      if (!report.hasMore) return;
    }
  }

  get state(): WorkerState {
    const { number, process, clients, isServing } = this;
    const state = isServing ? 'serving' : 'starting';
    return { number, state, pid: process.pid, clients: sizeOfCounts(clients) };
  }

  /** Ends the process if it gives no sign for too long. */
  #watch({ clock, log }: Pick<World, 'clock' | 'log'>): void {
    const heard = keepBeating(
      {
        beat: () => this.line.tell('beat'),
        onSilence: (seconds) => {
          if (seconds !== longestSilence) return;
          log.write(
            'error',
            `Worker ${this.number} has not responded for ${longestSilence} s and is being stopped`,
          );
          this.process.kill();
        },
      },
      clock,
      this.#over.signal,
    );
    this.line.onSign(() => {
      this.#unheard = 0;
      heard();
    });
  }
}

export function sizeOfCounts({ http, websocket }: ClientCounts): number {
  return http + websocket;
}
