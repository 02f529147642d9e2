/** Notices across processes: sent with the transaction that they tell of, and heard over a connection of their own. */
import { randomUUID } from 'node:crypto';
import type { PostgresServer } from '../../config/settings.ts';
import type { Lsn } from '../../lsn.ts';
import { type Client, openClient } from '../../postgres/client.ts';
import type { World } from '../../world.ts';
import type { Notices } from '../notices.ts';
import type { Notice, OpId } from '../storage.ts';
import type { Run } from './database.ts';
import { schema } from './schema.ts';

export interface Messages {
  /** To other processes, when the transaction is committed. */
  publish(run: Run, notice: Notice): Promise<void>;
  /** The records of deployments have changed: to other processes, when the transaction is committed. */
  publishDeployments(run: Run): Promise<void>;
  /** Hears of what others do with them. */
  watchDeployments(listener: () => void): () => void;
  /** To this process. */
  tell(notice: Notice): void;
  /** Listens, and when the connection was lost and found again calls back for what may have been missed. */
  listen(onGap: () => Promise<void>): Promise<void>;
  close(): Promise<void>;
}

const deploymentsChannel = `${schema}_deployments`;
/** What Postgres takes is less than 8000 bytes. */
const maxPayload = 7_900;
/** Milliseconds before the next attempt to listen. */
const pause = 2_000;

export function openMessages(
  server: PostgresServer,
  world: Pick<World, 'clock' | 'log'>,
  notices: Notices,
): Messages {
  const self = randomUUID();
  const closing = new AbortController();
  let client: Client | undefined;

  const watching = new Set<{ readonly call: () => void }>();
  const tellWatching = () => {
    for (const { call } of watching) call();
  };
  const hear = (payload: string | undefined) => {
    const message = payload === undefined ? undefined : readMessage(payload);
    if (message !== undefined && message.from !== self) notices.send(message.notice);
  };
  const connect = async () => {
    const opened = await openClient(server);
    opened.on('notification', ({ channel, payload }) => {
      if (channel === schema) hear(payload);
      else if (payload !== self) tellWatching();
    });
    await opened.query(`LISTEN ${deploymentsChannel}`);
    await opened.query(`LISTEN ${schema}`);
    client = opened;
    return opened;
  };
  const listenAgain = async (onGap: () => Promise<void>): Promise<void> => {
    while (!closing.signal.aborted) {
      try {
        follow(await connect(), onGap);
        tellWatching();
        await onGap();
        return;
      } catch (error) {
        world.log.write('warn', 'The storage does not tell of changes', { error: String(error) });
        await world.clock.sleep(pause, closing.signal);
      }
    }
  };
  const follow = (opened: Client, onGap: () => Promise<void>) => {
    opened.once('end', () => {
      if (!closing.signal.aborted) void listenAgain(onGap);
    });
  };

  return {
    publish: async (run, notice) => {
      await run(`SELECT pg_notify('${schema}', $1)`, [writeMessage(self, notice)]);
    },
    publishDeployments: async (run) => {
      await run('SELECT pg_notify($1, $2)', [deploymentsChannel, self]);
    },
    watchDeployments: (call) => {
      const listener = { call };
      watching.add(listener);
      return () => watching.delete(listener);
    },
    tell: notices.send,
    listen: async (onGap) => follow(await connect(), onGap),
    close: async () => {
      closing.abort();
      await client?.end().catch(() => undefined);
    },
  };
}

interface Message {
  readonly from: string;
  readonly notice: Notice;
}

interface Payload {
  readonly from: string;
  readonly deployment: number;
  readonly opId: OpId;
  readonly lsn: Lsn;
  readonly buckets?: readonly string[];
  readonly lookups?: readonly string[];
  readonly activated?: true;
}

export function writeMessage(from: string, { deployment, checkpoint, changed, activated }: Notice): string {
  const short: Payload = { from, deployment, ...checkpoint, ...(activated && { activated }) };
  if (changed === undefined || changed.buckets.size + changed.lookups.size > maxPayload / 4)
    return JSON.stringify(short);
  const full: Payload = { ...short, buckets: [...changed.buckets], lookups: [...changed.lookups] };
  const text = JSON.stringify(full);
  return Buffer.byteLength(text) <= maxPayload ? text : JSON.stringify(short);
}

/** Undefined: it is none of ours. */
export function readMessage(text: string): Message | undefined {
  try {
    const { from, deployment, opId, lsn, buckets, lookups, activated } = JSON.parse(text) as Payload;
    const isKnown = buckets !== undefined && lookups !== undefined;
    const changed = isKnown && { changed: { buckets: new Set(buckets), lookups: new Set(lookups) } };
    return {
      from,
      notice: { deployment, checkpoint: { opId, lsn }, ...changed, ...(activated && { activated }) },
    };
  } catch {
    return undefined;
  }
}
