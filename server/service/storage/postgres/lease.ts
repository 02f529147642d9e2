/** The right to write for a deployment: taken for a minute, and renewed as long as the process lives. */
import { randomUUID } from 'node:crypto';
import type { World } from '../../world.ts';
import { lostRight } from '../failure.ts';
import type { Database, Run } from './database.ts';
import { schema } from './schema.ts';

export interface Lease {
  /** Inside of a transaction: nobody else takes it before that ends. Fails when somebody has taken it already. */
  demand(run: Run): Promise<void>;
  release(): Promise<void>;
}

const table = `${schema}.leases`;
const until = "now() + interval '60 seconds'";
/** Milliseconds. */
const renewal = 30_000;
/** After a renewal that failed. */
const retry = 5_000;

export async function takeLease(
  database: Database,
  deployment: number,
  { clock, log }: Pick<World, 'clock' | 'log'>,
): Promise<Lease | undefined> {
  const holder = randomUUID();
  const taken = await database.run(
    `INSERT INTO ${table} VALUES ($1, $2, ${until})
     ON CONFLICT (deployment) DO UPDATE SET holder = excluded.holder, expires_at = excluded.expires_at
     WHERE leases.expires_at < now() RETURNING 1`,
    [deployment, holder],
  );
  if (taken.length === 0) return undefined;

  const ending = new AbortController();
  const renew = async () => {
    for (let pause = renewal; ; ) {
      await clock.sleep(pause, ending.signal);
      if (ending.signal.aborted) return;
      try {
        const sql = `UPDATE ${table} SET expires_at = ${until} WHERE deployment = $1 AND holder = $2 RETURNING 1`;
        if ((await database.run(sql, [deployment, holder])).length === 0) return;
        pause = renewal;
      } catch (error) {
        log.write('warn', 'The right to write could not be renewed', { deployment, error: String(error) });
        pause = retry;
      }
    }
  };
  void renew();

  return {
    demand: async (run) => {
      const held = await run(`SELECT 1 FROM ${table} WHERE deployment = $1 AND holder = $2 FOR SHARE`, [
        deployment,
        holder,
      ]);
      if (held.length > 0) return;
      throw lostRight(deployment);
    },
    release: async () => {
      ending.abort();
      await database.run(`DELETE FROM ${table} WHERE deployment = $1 AND holder = $2`, [deployment, holder]);
    },
  };
}
