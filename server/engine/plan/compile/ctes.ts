/** Finds CTEs by name. The CTEs of a stream hide global ones. */
import { oncePer } from '../../ground/oncePer.ts';
import type { Cte } from '../../model/definition.ts';
import { nameKey } from '../../model/scope.ts';

/** Finds a CTE, ignoring case and quotes. */
export interface FindCte {
  (name: string): Cte | undefined;
  /** The names that can be found. */
  readonly names: readonly string[];
}

export const findNoCte: FindCte = finderWith([], () => undefined);

export function finderOf(globals: readonly Cte[], own: readonly Cte[] = []): FindCte {
  const global = indexOf(globals);
  const ofStream = indexOf(own);
  return finderWith([...ofStream.keys(), ...global.keys()], (name) => {
    const key = nameKey(name);
    return ofStream.get(key) ?? global.get(key);
  });
}

function finderWith(names: readonly string[], find: (name: string) => Cte | undefined): FindCte {
  return Object.assign((name: string) => find(name), { names });
}

/** Creates the index only once, because all streams of a config share the global CTEs. */
const indexOf = oncePer(
  (ctes: readonly Cte[]): ReadonlyMap<string, Cte> => new Map(ctes.map((cte) => [nameKey(cte.name), cte])),
);

/** Returns the CTEs that are visible inside a CTE. Its own name means a table there. */
export function allBut(find: FindCte, cte: Cte): FindCte {
  const own = nameKey(cte.name);
  return finderWith(
    find.names.filter((name) => name !== own),
    (name) => (nameKey(name) === own ? undefined : find(name)),
  );
}
