/** The procedures that the processes of a service call on each other. */
import type { ServiceSettings } from '../config/settings.ts';
import type { LogPosition } from '../ground/logPosition.ts';
import type { Notice, RequestedCheckpoint } from '../storage/storage.ts';
import type { ClientsReport } from './clientReports.ts';
import type { ClientCounts, Counts } from './counts.ts';
import type { PlainFailure } from './failures.ts';
import type { TunnelProcedures } from './tunnels.ts';

/** The procedures of the primary. */
export interface PrimaryProcedures extends TunnelProcedures {
  /** Reports that the worker listens and serves clients. */
  ready(address: { readonly port: number; readonly url: string }): void;
  /** Reports that the worker cannot serve clients and ends. */
  failed(failure: PlainFailure): void;
  beat(): void;
  position(): Promise<LogPosition>;
  mark(): Promise<void>;
  createWriteCheckpoint(key: string, position: LogPosition): Promise<bigint | undefined>;
  requestWriteCheckpoint(
    key: string,
    id: bigint,
    position: LogPosition,
    at: number,
  ): Promise<RequestedCheckpoint>;
  /** Reports that rows of a deployment are damaged. */
  damaged(deployment: number, message: string): void;
  /** Reports that the storage is corrupt. */
  corrupt(message: string): void;
  /** Adds an error to the timeline. */
  happened(happening: WorkerError): void;
  /** Reports the increases since the last call. */
  count(counts: Counts): void;
  /** Reports how many clients the worker has. */
  connected(clients: ClientCounts): void;
}

interface WorkerError {
  readonly message: string;
  readonly code?: string;
}

/** The procedures of a worker. */
export interface WorkerProcedures extends TunnelProcedures {
  /** Called first. */
  begin(orders: WorkerOrders): void;
  beat(): void;
  /** Ends streams and answers, then the process. */
  stop(): void;
  published(notice: Notice): void;
  /** Reports that something was deleted or rolled back. */
  doubt(): void;
  writeCheckpoint(key: string, position: LogPosition): void;
  /** Reports how many clients all other workers have together. */
  elsewhere(clients: ClientCounts): void;
  /** Reports that the tunnel carries a valid token, or the session of a console. */
  admitted(tunnel: number): void;
  /** Returns the changes of the worker's clients since the last call. */
  report(): ClientsReport;
}

export interface WorkerOrders {
  /** The number of the worker, beginning with 1. */
  readonly number: number;
  readonly workers: number;
  readonly settings: ServiceSettings;
  readonly instanceId: string;
  readonly defaultSchema: string;
}
