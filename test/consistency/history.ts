/** The transactions of the source in the order of their commits. Each one takes the next version. */
import { emptyState, type Row, type State, type TableName } from './scenario.ts';

export type Effect =
  | { readonly kind: 'put'; readonly table: TableName; readonly row: Row }
  | { readonly kind: 'remove'; readonly table: TableName; readonly id: string }
  | { readonly kind: 'truncate'; readonly table: TableName };

export interface CommittedState {
  readonly version: number;
  readonly effects: readonly Effect[];
  /** The version before this one, if the source was put back: the versions in between are lost. */
  readonly after?: number;
}

export interface History {
  add(committed: CommittedState): void;
  /** Returns the states in order, from version 0 on. The same state is changed in place, except after the source was put back. */
  states(): Iterable<{ readonly version: number; readonly state: State }>;
  readonly last: number;
}

/** @param publishedOf the part of a row that the source publishes */
export function openHistory(publishedOf = (row: Row): Row => row): History {
  const transactions = new Map<number, CommittedState>();
  const of = (version: number): CommittedState => {
    const found = transactions.get(version);
    if (found === undefined) throw new Error(`No transaction has version ${version}.`);
    return found;
  };
  /** Returns the state after a version, computed from all transactions before it. */
  const stateAfter = (last: number): State => {
    const way: CommittedState[] = [];
    for (let version = last; version > 0; ) {
      const committed = of(version);
      way.unshift(committed);
      version = committed.after ?? version - 1;
    }
    const state = emptyState();
    for (const effect of way.flatMap(({ effects }) => effects)) apply(state, effect, publishedOf);
    return state;
  };
  return {
    add(committed) {
      const { version } = committed;
      if (transactions.has(version)) throw new Error(`Two transactions have version ${version}.`);
      transactions.set(version, committed);
    },
    *states() {
      let state = emptyState();
      yield { version: 0, state };
      for (let version = 1; version <= transactions.size; version += 1) {
        const { effects, after } = of(version);
        if (after === undefined) for (const effect of effects) apply(state, effect, publishedOf);
        else state = stateAfter(version);
        yield { version, state };
      }
    },
    get last() {
      return transactions.size;
    },
  };
}

function apply(state: State, effect: Effect, publishedOf: (row: Row) => Row): void {
  const table = state[effect.table];
  if (effect.kind === 'put') table.set(effect.row.id, publishedOf(effect.row));
  else if (effect.kind === 'remove') table.delete(effect.id);
  else table.clear();
}
