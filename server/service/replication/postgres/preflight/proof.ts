/** Proves that the log can be read: opens a replication connection, and creates and drops a temporary slot on it. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { quoteName } from '../../../../engine/sql/names.ts';
import type { PostgresServer } from '../../../config/settings.ts';
import { type Client, openClient, socketOf } from '../../../postgres/client.ts';
import {
  type PreflightCheck,
  type PreflightProblem,
  reportFailure,
  reportOk,
  reportUnchecked,
} from '../../preflight.ts';
import type { Queries } from '../queries.ts';
import { freeSlot } from '../slots.ts';
import { toSourceFailure } from '../sourceFailures.ts';
import { explainRefusal } from './explain.ts';
import type { ServerFacts } from './facts.ts';

/** The time limit for creating a slot, which waits for every open transaction of the server. */
const slotPatienceMs = 5_000;

interface Proof {
  readonly server: PostgresServer;
  readonly queries: Queries;
  readonly facts: ServerFacts;
  /** Whether the settings allow logical slots at all. */
  readonly allowsSlots: boolean;
}

export async function proveReplication(proof: Proof): Promise<readonly PreflightCheck[]> {
  const client = await openForReplication(proof);
  if ('cause' in client)
    return [
      reportFailure('replication', client),
      reportUnchecked('slots', 'A slot can be created only on a replication connection.'),
    ];
  try {
    const opened = reportOk('replication', 'The server accepts replication connections of this user.');
    return [opened, await proveSlot(client, proof)];
  } finally {
    socketOf(client).destroy();
  }
}

/** Checks whether a new connection would be accepted. Returns undefined if it would. */
export async function lostReplication(
  server: PostgresServer,
  facts: ServerFacts,
): Promise<PreflightProblem | undefined> {
  // If the role lacks the attribute, that proves nothing, because some hosts grant the right in other ways. So a connection is
  // tried.
  if (facts.mayReplicate) return undefined;
  const client = await openForReplication({ server, facts });
  if ('cause' in client) return client;
  socketOf(client).destroy();
  return undefined;
}

async function openForReplication(
  attempt: Pick<Proof, 'server' | 'facts'>,
): Promise<Client | PreflightProblem> {
  let client: Client | undefined;
  try {
    client = await openClient(attempt.server, 'replication');
    await client.query('IDENTIFY_SYSTEM');
    return client;
  } catch (error) {
    if (client !== undefined) socketOf(client).destroy();
    return refusalOf(error, attempt);
  }
}

async function proveSlot(
  client: Client,
  { server, queries, facts, allowsSlots }: Proof,
): Promise<PreflightCheck> {
  if (!allowsSlots) return reportUnchecked('slots', 'A slot can be created only if wal_level is logical.');
  const name = `headwater_preflight_${randomUUID().replaceAll('-', '').slice(0, 12)}`;
  const created = client
    .query(`CREATE_REPLICATION_SLOT ${quoteName(name)} TEMPORARY LOGICAL pgoutput NOEXPORT_SNAPSHOT`)
    .then(() => 'created' as const);
  try {
    if ((await Promise.race([created, afterPatience()])) === 'late') {
      created.catch(() => undefined);
      // The server does not notice that the connection has ended. It would keep waiting, and keep the slot.
      await freeSlot(queries, name);
      return reportUnchecked(
        'slots',
        'The server creates a slot only after all open transactions have ended, and one is still open: see pg_stat_activity and pg_prepared_xacts.',
      );
    }
    await client.query(`DROP_REPLICATION_SLOT ${quoteName(name)}`);
    return reportOk('slots', 'A temporary replication slot was created and dropped.');
  } catch (error) {
    return reportFailure('slots', refusalOf(error, { server, facts }));
  }
}

/** Resolves when the time is over. The timer does not keep the process alive. */
function afterPatience(): Promise<'late'> {
  return sleep(slotPatienceMs, 'late', { ref: false });
}

function refusalOf(error: unknown, { server, facts }: Pick<Proof, 'server' | 'facts'>): PreflightProblem {
  const explained = explainRefusal(error, { server, facts, purpose: 'replication' });
  if (explained !== undefined) return explained;
  const { code, message } = toSourceFailure(error, server);
  return {
    level: 'fatal',
    code,
    cause: `The server refuses to replicate: ${message}`,
    remedy: 'Ask the administrator of the server to allow logical replication.',
  };
}
