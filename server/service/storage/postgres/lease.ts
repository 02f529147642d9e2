/**
 * The right to write for a deployment. It is taken for some seconds, and renewed as long as the process lives. It is not a lock
 * of a session, because poolers mix up sessions, and the sessions of a machine that has crashed can remain for hours.
 *
 * The holder of an expired right keeps it until another process takes it. From then on, no transaction of the former holder
 * succeeds, even if its process resumes much later.
 */
import { randomUUID } from 'node:crypto';
import { DatabaseError } from 'pg';
import { startAlone } from '../../ground/unattended.ts';
import type { World } from '../../ground/world.ts';
import { lostRight } from '../storageFailure.ts';
import type { Database, Run } from './database.ts';
import { signsChannel } from './messages.ts';
import { schema } from './schema.ts';

export interface Lease {
  /** Prevents others from taking the right until the transaction ends. Fails if another process has already taken it. */
  demand(run: Run): Promise<void>;
  /** Aborted when another process has taken the right. */
  readonly lost: AbortSignal;
  /** Whether the previous holder did not release the right. */
  readonly isTakenOver: boolean;
  release(): Promise<void>;
}

const table = `${schema}.leases`;
const until = "clock_timestamp() + interval '4 seconds'";
/**
 * The interval of renewals in milliseconds. Each renewal also sends a sign of life. The interval is below a second, because other
 * processes would otherwise ask for signs in between.
 */
const renewal = 800;
/** How long a takeover waits for a transaction of the former holder. After that, it is tried again later. */
const patience = '2s';

interface LeaseWays {
  readonly database: Database;
  /** Runs a statement on a connection that does not wait for other work of this process. */
  readonly renew: Run;
}

export async function takeLease(
  { database, renew }: LeaseWays,
  deployment: number,
  { clock, log }: Pick<World, 'clock' | 'log'>,
): Promise<Lease | undefined> {
  const holder = randomUUID();
  const taken = (await takeFree(database, deployment, holder))
    ? 'free'
    : (await takeOver(database, deployment, holder)) && 'over';
  if (!taken) return undefined;

  const ending = new AbortController();
  const lost = new AbortController();
  const keep = async () => {
    for (;;) {
      await clock.sleep(renewal, ending.signal);
      if (ending.signal.aborted) return;
      try {
        // The statement does not wait for the disk. If a crash of the server loses it, the previous expiry time applies.
        const sql = `UPDATE ${table} SET expires_at = ${until} WHERE deployment = $1 AND holder = $2
          RETURNING set_config('synchronous_commit', 'off', true), pg_notify('${signsChannel}', '')`;
        if ((await renew(sql, [deployment, holder])).length > 0) continue;
        if (!ending.signal.aborted) lost.abort();
        return;
      } catch (error) {
        if (ending.signal.aborted) return;
        log.write('warn', 'The right to write could not be renewed', { deployment, error: String(error) });
      }
    }
  };
  startAlone('Renewing the right to write', keep);

  return {
    // The lock prevents others from taking over, but does not prevent this process from renewing.
    demand: async (run) => {
      const held = await run(`SELECT 1 FROM ${table} WHERE deployment = $1 AND holder = $2 FOR KEY SHARE`, [
        deployment,
        holder,
      ]);
      if (held.length > 0) return;
      throw lostRight(deployment);
    },
    lost: lost.signal,
    isTakenOver: taken === 'over',
    release: async () => {
      ending.abort();
      await database.run(`DELETE FROM ${table} WHERE deployment = $1 AND holder = $2`, [deployment, holder]);
    },
  };
}

async function takeFree({ run }: Database, deployment: number, holder: string): Promise<boolean> {
  // The statement normally only reads, because a waiting process tries every second.
  const sql = `INSERT INTO ${table} SELECT $1, $2, ${until}
    WHERE NOT EXISTS (SELECT FROM ${table} WHERE deployment = $1) ON CONFLICT DO NOTHING RETURNING 1`;
  return (await run(sql, [deployment, holder])).length > 0;
}

async function takeOver(database: Database, deployment: number, holder: string): Promise<boolean> {
  const expired = `SELECT FROM ${table} WHERE deployment = $1 AND expires_at < clock_timestamp()`;
  if ((await database.run(expired, [deployment])).length === 0) return false;
  try {
    return await database.transaction(async (run) => {
      await run(`SELECT set_config('lock_timeout', '${patience}', true)`);
      // Waits for the transactions of the former holder, which may renew the right meanwhile.
      await run(`SELECT FROM ${table} WHERE deployment = $1 FOR UPDATE`, [deployment]);
      const taken = await run(
        `UPDATE ${table} SET holder = $2, expires_at = ${until}
         WHERE deployment = $1 AND expires_at < clock_timestamp() RETURNING 1`,
        [deployment, holder],
      );
      return taken.length > 0;
    });
  } catch (error) {
    if (isLockTimeout(error)) return false;
    throw error;
  }
}

function isLockTimeout(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof DatabaseError && cause.code === '55P03';
}
