/** Sends notices to other processes with the transaction that they announce, and receives notices over a separate connection. */
import { randomUUID } from 'node:crypto';
import type { PostgresServer } from '../../config/settings.ts';
import { type Ear, type Hearing, type HearingPatience, listenFor } from '../../ground/hearing.ts';
import { createListeners } from '../../ground/listeners.ts';
import { startAlone } from '../../ground/unattended.ts';
import type { World } from '../../ground/world.ts';
import { type Client, openClient, socketOf } from '../../postgres/client.ts';
import { lostAfter, type StorageLink } from '../link.ts';
import type { Notices } from '../notices.ts';
import type { Notice } from '../storage.ts';
import { StorageFailure } from '../storageFailure.ts';
import type { Run } from './database.ts';
import { openMessageReader, writeMessage } from './noticeTexts.ts';
import { schema } from './schema.ts';

export interface Messages {
  readonly link: StorageLink;
  /** Sends a notice to other processes when the transaction is committed. */
  publish(run: Run, notice: Notice): Promise<void>;
  /** Reports to other processes that the records of deployments have changed, when the transaction is committed. */
  publishDeployments(run: Run): Promise<void>;
  /** Adds a listener, which is called when other processes have changed the records of deployments. */
  watchDeployments(listener: () => void): () => void;
  /** Delivers a notice in this process. */
  tell(notice: Notice): void;
  /**
   * Listens, and resolves when this process has heard itself. After the connection was lost and found again, calls back, because
   * messages may have been missed.
   */
  listen(onGap: () => Promise<void>): Promise<void>;
  close(): Promise<void>;
}

/** The channel of parts. Parts that do not fit into one message are sent before the message, in the same transaction. */
const partsChannel = `${schema}_parts`;
const deploymentsChannel = `${schema}_deployments`;
/** The channel of signs of life, which each process sends to all. */
export const signsChannel = `${schema}_signs`;
/** The delay before the next attempt to listen, in milliseconds. */
const pause = 2_000;
/** The time limit of an attempt to connect, in seconds. It is short, because messages that are lost meanwhile are not repeated. */
const connectTimeout = 5;
/** The time limits in seconds. A process that has heard nothing for the first one sends a message to itself. */
const patience: HearingPatience = { ask: 2, giveUp: 4 };

export function openMessages(
  server: PostgresServer,
  world: Pick<World, 'clock' | 'log'>,
  notices: Notices,
  run: Run,
): Messages {
  const { clock, log } = world;
  const self = randomUUID();
  const closing = new AbortController();
  let client: Client | undefined;
  let ear: Ear | undefined;
  let isLost = false;

  const changedDeployments = createListeners();
  const changedLink = createListeners();
  const connect = async () => {
    const opened = await openClient({
      ...server,
      connectTimeoutSeconds: Math.min(server.connectTimeoutSeconds, connectTimeout),
    });
    const reader = openMessageReader(self);
    opened.on('notification', ({ channel, payload = '' }) => {
      // A connection that was given up may still deliver messages.
      if (opened !== client) return;
      ear?.take('heard');
      if (channel === partsChannel) reader.takePart(payload);
      else if (channel === schema) {
        const notice = reader.take(payload);
        if (notice !== undefined) notices.send(notice);
      } else if (channel === deploymentsChannel && payload !== self) changedDeployments.call();
    });
    opened.once('end', () => {
      if (opened === client) ear?.take('ended');
    });
    client = opened;
    for (const channel of [signsChannel, deploymentsChannel, partsChannel, schema])
      await opened.query(`LISTEN ${channel}`);
  };
  const connectAgain = async (onGap: () => Promise<void>): Promise<void> => {
    while (!closing.signal.aborted) {
      try {
        await connect();
        changedDeployments.call();
        await onGap();
        ear?.take('renewed');
        return;
      } catch (error) {
        breakOff();
        log.write('warn', 'Lost the connection that announces changes', { error: String(error) });
        await clock.sleep(pause, closing.signal);
      }
    }
  };
  const breakOff = (): void => {
    const former = client;
    client = undefined;
    if (former !== undefined) socketOf(former).destroy();
  };
  const judge = (silent: number): void => {
    if (isLost === silent >= lostAfter) return;
    isLost = !isLost;
    if (isLost) log.write('error', lost, { code: 'SVC_S2402' });
    else log.write('info', 'The storage responds again');
    changedLink.call();
  };
  /**
   * Sends a sign of life in the way of other notices: from a statement on one connection to the connection that listens. All
   * processes hear it. The first process that has heard nothing for a while sends it for all, because each notification wakes
   * every process. The process that replicates sends signs with its right to write, so other processes rarely need to.
   */
  const beat = async (): Promise<void> => {
    // Losing such a beat in a crash of the server does no harm, so it does not wait for the disk.
    await run(`SELECT set_config('synchronous_commit', 'off', true), pg_notify($1, '')`, [signsChannel]);
  };

  return {
    publish: async (run, notice) => {
      const { parts, last } = writeMessage(self, notice);
      if (parts.length > 0)
        await run('SELECT pg_notify($1, part) FROM unnest($2::text[]) AS part', [partsChannel, parts]);
      await run(`SELECT pg_notify('${schema}', $1)`, [last]);
    },
    publishDeployments: async (run) => {
      await run('SELECT pg_notify($1, $2)', [deploymentsChannel, self]);
    },
    watchDeployments: changedDeployments.watch,
    tell: notices.send,
    link: {
      silence: () => ear?.state.silent ?? 0,
      isLost: () => isLost,
      watch: changedLink.watch,
    },
    listen: async (onGap) => {
      await connect();
      const renew = (): void => {
        breakOff();
        startAlone('Connecting to receive changes', () => connectAgain(onGap));
      };
      await new Promise<void>((resolve, reject) => {
        const onStep = ({ kind, silent }: Hearing): void => {
          judge(silent);
          if (kind === 'hearing') resolve();
          else if (isLost) reject(new StorageFailure('other', unheard));
        };
        ear = listenFor({ patience, ask: beat, renew, onStep }, clock, closing.signal);
        ear.take('renewed');
      });
    },
    close: async () => {
      closing.abort();
      const last = client;
      client = undefined;
      // Closes the socket without waiting for a server that does not answer.
      if (last !== undefined) socketOf(last).end();
    },
  };
}

const unheard =
  'The storage does not deliver notifications (LISTEN, NOTIFY), which tell processes what others have stored. A pooler in transaction mode drops them: connect to PostgreSQL itself, or through a pooler in session mode.';
const lost = `The storage has not responded for ${lostAfter} s: clients are disconnected until it responds`;
