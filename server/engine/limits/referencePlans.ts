/** The plans of a config as PowerSync's service makes them: it does lookups in a different order, and more of them. */
import type { Config } from '../file/sync.ts';
import type { Reporter } from '../model/definition.ts';
import { compileStream } from '../plan/compile/compile.ts';
import type { StreamPlan } from '../plan/plan.ts';

/** Returns the plans of all definitions without errors. Buckets and lookups with the same name are the same. */
export function referencePlansOf({ definitions, surroundings }: Config): readonly StreamPlan[] {
  return definitions.flatMap(({ definition, plan }) => {
    if (plan === undefined) return [];
    if (definition.kind !== 'stream' || surroundings.options.edition < 3) return [plan];
    return [compileStream(definition, surroundings, silent, 'reference').plan ?? plan];
  });
}

/** Reports nothing, because everything was reported when the config was first analysed. */
const silent: Reporter = { atPart: () => undefined, inSql: () => () => undefined };
