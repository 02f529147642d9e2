/** A replication connection, which receives the source's log and reports the position before which the source may drop it. */
import type { Connection, Submittable } from 'pg';
import { quoteName } from '../../../../engine/sql/names.ts';
import type { PostgresConnection } from '../../../config/settings.ts';
import { startAlone } from '../../../ground/unattended.ts';
import type { Clock } from '../../../ground/world.ts';
import { processOf } from '../../../postgres/answers.ts';
import { type Client, openClient, socketOf } from '../../../postgres/client.ts';
import { type ChangeEvent, isEnd, SourceFailure, type SourceHistory } from '../../source.ts';
import { publication } from '../health.ts';
import { readHistory } from '../history.ts';
import { toLsn } from '../lsn.ts';
import { isAboutSkippedPublication, toSourceFailure } from '../sourceFailures.ts';
import { type ArrivalSettings, Arrivals, marksSince, tag } from './arrivals.ts';
import { openFlow } from './flow.ts';
import { type ReportSettings, Reports } from './reports.ts';
import { farewell } from './walMessages.ts';

interface WalSettings extends ArrivalSettings, ReportSettings {
  readonly connection: PostgresConnection;
  readonly slot: string;
  readonly onConnection: ((history: SourceHistory) => void) | undefined;
  readonly onProgress: () => void;
}

export interface WalStream {
  /** The id of the server's process. */
  readonly process: number;
  /** Returns the next events, or undefined at the end, which only {@link close} causes. */
  take(): Promise<ChangeEvent[] | undefined>;
  /** Whether the next items contain the end of a transaction. */
  endsAgain(): boolean;
  /** Reports the acknowledged position to the source immediately. */
  report(): void;
  close(): Promise<void>;
}

/** The limits of pending items, which are a few times as many as the consumer stores together. */
const limits = { items: 500, bytes: 2 * 1024 * 1024 };

/** The minimum interval of progress calls in milliseconds, because there may be hundreds of thousands of messages per second. */
const toldEvery = 100;

export async function openWalStream(settings: WalSettings): Promise<WalStream> {
  const { connection, clock, onProgress } = settings;
  let isStarted = false;
  const prompt = (): void => {
    if (isStarted) reports.report(true);
  };
  const client = await openClient(connection, 'replication', prompt);
  const socket = socketOf(client);
  const flow = openFlow<ChangeEvent>(socket, limits);
  client.on('notice', (notice) => {
    if (isAboutSkippedPublication(notice)) flow.end(withoutPublication(notice.message ?? ''));
  });
  try {
    settings.onConnection?.(await readHistory(client));
  } catch (error) {
    await client.end().catch(() => undefined);
    throw error;
  }
  const closing = new AbortController();
  const { signal } = closing;
  const reports = new Reports(settings, socket, signal);
  const arrivals = new Arrivals(settings, { flow, socket, closing: signal });
  let toldAt = 0;
  let left: Promise<void> | undefined;

  const receive = (message: Buffer): void => {
    if (signal.aborted) return;
    const now = clock.steady();
    if (now - toldAt >= toldEvery) {
      toldAt = now;
      onProgress();
    }
    // The last byte asks for an answer, which must not wait until all earlier messages have been used.
    if (message[0] === tag.keepalive && message.at(-1) === 1)
      reports.answer(toLsn(message.readBigUInt64BE(1)));
    arrivals.take(message);
  };
  const end = async (): Promise<void> => {
    reports.report();
    closing.abort();
    flow.end();
    await leave(client, clock);
  };

  client.query(
    toSubmittable(startStatement(settings), receive, (error) => {
      flow.end(error === undefined ? endFailure(connection) : toSourceFailure(error, connection));
    }),
  );
  isStarted = true;
  startAlone('Acknowledging', () => reports.keepReporting());
  return {
    process: processOf(client),
    take: () => flow.take(),
    endsAgain: () => flow.waiting().some(isEnd),
    report: () => reports.report(),
    close: () => {
      left ??= end();
      return left;
    },
  };
}

function withoutPublication(message: string): SourceFailure {
  return new SourceFailure(
    'backlog-lost',
    'SVC_S1146',
    `The publication "${publication}" did not exist for a part of the log (${message}), so changes are missing. All data must be copied again.`,
  );
}

function startStatement({ slot, version }: WalSettings): string {
  const messages = version >= marksSince ? `, messages 'true'` : '';
  // The position 0/0 means the last acknowledged one.
  return `START_REPLICATION SLOT ${quoteName(slot)} LOGICAL 0/0 (proto_version '1', publication_names '${publication}'${messages})`;
}

function toSubmittable(
  sql: string,
  receive: (message: Buffer) => void,
  end: (error?: unknown) => void,
): Submittable {
  const submittable = {
    submit: (connection: Connection) => connection.query(sql),
    handleCopyData: ({ chunk }: { readonly chunk: Buffer }) => receive(chunk),
    handleCommandComplete: () => end(),
    handleReadyForQuery: () => end(),
    handleError: (error: unknown) => end(error),
  };
  return submittable;
}

function endFailure({ hostname, port }: PostgresConnection): SourceFailure {
  return new SourceFailure('closed', 'SVC_S1121', `${hostname}:${port} has ended the replication.`);
}

/** The time that the source may take to release the slot, in milliseconds. */
const leaveWithin = 2000;

/**
 * Ends the copy mode in both directions, so that the last report is read. Waits until the source has closed the connection,
 * because only then the slot is free again.
 */
async function leave(client: Client, clock: Clock): Promise<void> {
  const socket = socketOf(client);
  if (socket.destroyed) return;
  const gone = new AbortController();
  socket.once('close', () => gone.abort());
  socket.resume();
  socket.end(farewell());
  await clock.sleep(leaveWithin, gone.signal);
  socket.destroy();
}
