/** A replication connection, which receives the source's log and reports the position before which the source may drop it. */
import type { Connection, Submittable } from 'pg';
import { quoteName } from '../../../../engine/sql/names.ts';
import type { PostgresConnection } from '../../../config/settings.ts';
import { type Lsn, toLsn } from '../../../ground/lsn.ts';
import { repeat, startAlone } from '../../../ground/unattended.ts';
import type { Clock } from '../../../ground/world.ts';
import { processOf } from '../../../postgres/answers.ts';
import { type Client, openClient, socketOf } from '../../../postgres/client.ts';
import { type ChangeEvent, isEnd, SourceFailure, type SourceHistory } from '../../source.ts';
import { publication } from '../health.ts';
import { readHistory } from '../history.ts';
import { isAboutSkippedPublication, toSourceFailure } from '../sourceFailures.ts';
import type { TypeCatalog } from '../types.ts';
import { Decoder } from './decoder.ts';
import { openFlow } from './flow.ts';
import type { RelationSettings } from './relations.ts';
import type { Visibility } from './visibility.ts';
import { farewell, openWalReader, receivedUpdate, statusUpdate } from './walMessages.ts';

interface WalSettings extends RelationSettings {
  readonly connection: PostgresConnection;
  readonly slot: string;
  readonly types: TypeCatalog;
  readonly visibility: Visibility;
  /** The version, as in `server_version_num`. */
  readonly version: number;
  /** The silence in milliseconds after which the source ends the connection; 0: never. */
  readonly senderTimeoutMs: number;
  readonly clock: Clock;
  readonly onConnection: ((history: SourceHistory) => void) | undefined;
  readonly onProgress: () => void;
  /** Returns the position to report to the source; undefined: nothing new yet. */
  readonly acknowledged: () => Lsn | undefined;
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

/** The maximum interval of reports to the source, in milliseconds. */
const reportEvery = 10_000;

/** The minimum interval of progress calls in milliseconds, because there may be hundreds of thousands of messages per second. */
const toldEvery = 100;

/**
 * If the source asks again within this time in milliseconds, it is shutting down. Normally, it asks once in half of its
 * `wal_sender_timeout`.
 */
const askedAgainWithin = 1_000;

/** The letters that begin messages. */
const tag = { data: 119, keepalive: 107 } as const;

/** The size of the header: the tag, the positions of the data in the log, and the time of sending. */
const dataHeader = 1 + 8 + 8 + 8;

export async function openWalStream(settings: WalSettings): Promise<WalStream> {
  const { connection, types, visibility, clock, onProgress, acknowledged, senderTimeoutMs } = settings;
  let isStarted = false;
  const prompt = (): void => {
    if (isStarted) report(true);
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
  const reader = openWalReader();
  const closing = new AbortController();
  /** Messages that wait, in order, until the preceding ones can be understood. */
  let held: Buffer[] | undefined;
  let bytesOfMessage = 0;
  let toldAt = 0;
  let askedAt = Number.NEGATIVE_INFINITY;
  let left: Promise<void> | undefined;

  const emit = (event: ChangeEvent): void => flow.push(event, bytesOfMessage);
  const decoder = new Decoder({ types, visibility, settings, emit });
  const marksArrive = settings.version >= marksSince;

  const report = (wantsAnswer = false) => {
    if (!closing.signal.aborted) socket.write(statusUpdate(acknowledged(), clock.now(), wantsAnswer));
  };
  /** Answers the server. A server that shuts down keeps asking until everything that it has sent is reported as received. */
  const answer = (sent: Lsn, now: number): void => {
    const isAgain = now - askedAt < askedAgainWithin;
    askedAt = now;
    report();
    if (isAgain && !closing.signal.aborted) socket.write(receivedUpdate(sent, now));
  };
  const decode = (message: Buffer): readonly number[] | undefined => {
    reader.open(message);
    bytesOfMessage = message.length;
    if (message[0] === tag.keepalive) return decodeKeepalive();
    if (message[0] !== tag.data) return undefined;
    reader.skip(dataHeader);
    return decoder.decode(reader);
  };
  const decodeKeepalive = (): undefined => {
    reader.skip(1);
    const lsn = reader.lsn();
    // Inside of a transaction, the position is ahead of the received data.
    if (!decoder.isInTransaction)
      flow.push({ kind: 'keepalive', lsn, marked: !marksArrive, passing: true }, 0);
  };
  const take = (message: Buffer): void => {
    // The bytes are copied, because the buffer is only valid during this call.
    if (held !== undefined) {
      held.push(Buffer.from(message));
      return;
    }
    try {
      const missing = decode(message);
      if (missing !== undefined) startAlone('Loading types', () => hold(message, missing));
    } catch (error) {
      // The flow ends here, so that nothing replaces a message that was not understood.
      flow.end(error);
    }
  };
  const hold = async (message: Buffer, missing: readonly number[]): Promise<void> => {
    held = [Buffer.from(message)];
    socket.pause();
    try {
      await visibility.settle(closing.signal);
      await types.load(missing);
    } catch (error) {
      flow.end(error);
      return;
    }
    // The wait was aborted, so the message would be held again, forever.
    if (closing.signal.aborted) return;
    const messages = held;
    held = undefined;
    for (const waiting of messages) take(waiting);
    if (held === undefined && !flow.isPaused()) socket.resume();
  };
  const receive = (message: Buffer): void => {
    if (closing.signal.aborted) return;
    const now = clock.steady();
    if (now - toldAt >= toldEvery) {
      toldAt = now;
      onProgress();
    }
    // The last byte asks for an answer, which must not wait until all earlier messages have been used.
    if (message[0] === tag.keepalive && message.at(-1) === 1)
      answer(toLsn(message.readBigUInt64BE(1)), clock.now());
    take(message);
  };

  client.query(
    toSubmittable(startStatement(settings), receive, (error) => {
      flow.end(error === undefined ? endFailure(connection) : toSourceFailure(error, connection));
    }),
  );
  isStarted = true;
  startAlone('Acknowledging', keepReporting);
  return {
    process: processOf(client),
    take: () => flow.take(),
    endsAgain: () => flow.waiting().some(isEnd),
    report: () => report(),
    close: () => {
      left ??= end();
      return left;
    },
  };

  async function end(): Promise<void> {
    report();
    closing.abort();
    flow.end();
    await leave(client, clock);
  }

  async function keepReporting(): Promise<void> {
    const every = Math.min(reportEvery, senderTimeoutMs > 0 ? senderTimeoutMs / 3 : reportEvery);
    // The server's answer to the report is a sign of life.
    await repeat('Acknowledging', { every, clock, signal: closing.signal }, () => report(true));
  }
}

/** Since this version, messages of `pg_logical_emit_message` reach `pgoutput`. */
const marksSince = 140_000;

function withoutPublication(message: string): SourceFailure {
  return new SourceFailure(
    'slot-lost',
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
