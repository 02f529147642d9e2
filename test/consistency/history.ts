/** What the source has committed, in the order of its commits: each transaction takes the next version. */
import { emptyState, type Row, type State, type TableName } from './scenario.ts';

export type Effect =
  | { readonly kind: 'put'; readonly table: TableName; readonly row: Row }
  | { readonly kind: 'remove'; readonly table: TableName; readonly id: string }
  | { readonly kind: 'truncate'; readonly table: TableName };

export interface Committed {
  readonly version: number;
  readonly effects: readonly Effect[];
}

export interface History {
  add(committed: Committed): void;
  /** States one after the other, from version 0 on. One state, changed in place. */
  states(): Iterable<{ readonly version: number; readonly state: State }>;
  readonly last: number;
}

export function openHistory(): History {
  const transactions = new Map<number, readonly Effect[]>();
  return {
    add({ version, effects }) {
      if (transactions.has(version)) throw new Error(`Two transactions have version ${version}.`);
      transactions.set(version, effects);
    },
    *states() {
      const state = emptyState();
      yield { version: 0, state };
      for (let version = 1; version <= transactions.size; version += 1) {
        const effects = transactions.get(version);
        if (effects === undefined) throw new Error(`No transaction has version ${version}.`);
        for (const effect of effects) apply(state, effect);
        yield { version, state };
      }
    },
    get last() {
      return transactions.size;
    },
  };
}

function apply(state: State, effect: Effect): void {
  const table = state[effect.table];
  if (effect.kind === 'put') table.set(effect.row.id, effect.row);
  else if (effect.kind === 'remove') table.delete(effect.id);
  else table.clear();
}
