/** The procedures by which the processes of a service call each other. */
import type { ServiceSettings } from '../config/settings.ts';
import type { Lsn } from '../ground/lsn.ts';
import type { Notice, RequestedCheckpoint } from '../storage/storage.ts';
import type { ClientsReport } from './clientReports.ts';
import type { ClientCounts, Counts } from './counts.ts';
import type { PlainFailure } from './failures.ts';
import type { TunnelProcedures } from './tunnels.ts';

/** The procedures of the primary. */
export interface PrimaryProcedures extends TunnelProcedures {
  /** The worker listens and serves. */
  ready(address: { readonly port: number; readonly url: string }): void;
  /** The worker cannot serve, and ends. */
  failed(failure: PlainFailure): void;
  beat(): void;
  position(): Promise<Lsn>;
  mark(): Promise<void>;
  createWriteCheckpoint(key: string, lsn: Lsn): Promise<bigint | undefined>;
  requestWriteCheckpoint(key: string, id: bigint, lsn: Lsn, at: number): Promise<RequestedCheckpoint>;
  /** Rows of a deployment are damaged. */
  damaged(deployment: number, message: string): void;
  /** Reports that the storage as a whole is damaged. */
  corrupt(message: string): void;
  /** For the timeline. */
  happened(happening: WorkerError): void;
  /** Since the last time. */
  count(counts: Counts): void;
  /** How many clients it has now. */
  connected(clients: ClientCounts): void;
}

interface WorkerError {
  readonly message: string;
  readonly code?: string;
}

/** The procedures of a worker. */
export interface WorkerProcedures extends TunnelProcedures {
  /** Comes first. */
  begin(orders: WorkerOrders): void;
  beat(): void;
  /** Ends streams and answers, then the process. */
  stop(): void;
  published(notice: Notice): void;
  /** Something was deleted or rolled back. */
  doubt(): void;
  writeCheckpoint(key: string, lsn: Lsn): void;
  /** How many clients all other workers have together. */
  elsewhere(clients: ClientCounts): void;
  /** This tunnel carries a good token, or the session of a console. */
  admitted(tunnel: number): void;
  /** Returns the changes of its clients since the last call. */
  report(): ClientsReport;
}

export interface WorkerOrders {
  /** Counted from 1. */
  readonly number: number;
  readonly workers: number;
  readonly settings: ServiceSettings;
  readonly instanceId: string;
  readonly defaultSchema: string;
}
