/** Lists the steps that an existing database needs before it can be replicated. */
import { preflightHere } from '../doctor/preflightHere.ts';
import { serviceConfigIn } from '../project/serviceConfig.ts';
import type { World } from '../world.ts';

interface NamedSource {
  readonly postgres: string | undefined;
  readonly isSupabase: boolean;
}

/** Runs after the files of the project were written. Returns sentences, or none if the user named no database. */
export async function adviceOnSource(
  { postgres, isSupabase }: NamedSource,
  world: World,
): Promise<readonly string[]> {
  if ((postgres === undefined && !isSupabase) || serviceConfigIn(world) === undefined) return [];
  // The service reads the address from .env, which has just been written.
  const preflight = await preflightHere({ text: () => undefined, world }, undefined);
  if (preflight === undefined)
    return ['It was not checked whether the database can be replicated. Run headwater doctor to check it.'];
  return preflight.checks.flatMap((check) =>
    check.state === 'failed'
      ? check.problems.map(({ code, cause, remedy }) => `[${code}] ${cause} ${remedy}`)
      : [],
  );
}
