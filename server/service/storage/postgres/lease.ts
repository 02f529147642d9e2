/**
 * The right to write for a deployment: taken for some seconds, and renewed as long as the process lives. Not a lock of a
 * session: poolers mix sessions up, and a machine that is gone without a word keeps its sessions for hours.
 *
 * That a right has run out takes nothing from its holder before somebody else takes it. From then on none of the former
 * holder's transactions comes through, whenever that process wakes up again.
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
  /** Inside of a transaction: nobody else takes it before that ends. Fails when somebody has taken it already. */
  demand(run: Run): Promise<void>;
  /** Aborted when somebody else has taken it. */
  readonly lost: AbortSignal;
  /** The holder before did not give it back. */
  readonly isTakenOver: boolean;
  release(): Promise<void>;
}

const table = `${schema}.leases`;
const until = "clock_timestamp() + interval '4 seconds'";
/** Milliseconds. With it goes a sign of life: more than a second apart, others would ask for one in between. */
const renewal = 800;
/** For what the former holder is just writing; then it is tried again later. */
const patience = '2s';

interface LeaseWays {
  readonly database: Database;
  /** Waits for nothing else of this process. */
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
        // The statement need not wait for the disk: a server that loses it in a crash begins with an older lease.
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
    // Keeps others from taking over, and not this one from renewing.
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
  // The statement mostly only looks, because a waiting process asks every second.
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
      // Waits for what the former holder is writing. Meanwhile it may have renewed it.
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
