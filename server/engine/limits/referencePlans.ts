/** The plans of a config as PowerSync's service has them: it looks up in another order, and more often. */
import type { Config } from '../file/sync.ts';
import type { Reporter } from '../model/definition.ts';
import { compileStream } from '../plan/compile/compile.ts';
import type { StreamPlan } from '../plan/plan.ts';

/** Returns the plans of definitions without an error. Buckets and lookups of the same name are the same. */
export function referencePlansOf({ definitions, surroundings }: Config): readonly StreamPlan[] {
  return definitions.flatMap(({ definition, plan }) => {
    if (plan === undefined) return [];
    if (definition.kind !== 'stream' || surroundings.options.edition < 3) return [plan];
    return [compileStream(definition, surroundings, silent, 'reference').plan ?? plan];
  });
}

/** Reports nothing, because everything was reported when the config was analysed. */
const silent: Reporter = { atPart: () => undefined, inSql: () => () => undefined };
