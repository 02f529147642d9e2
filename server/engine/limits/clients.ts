/** Possible clients: request values for which data is stored, with upper bounds of what they can get. */
import { type Json, readJson, writeJson } from '../plan/values/json.ts';
import { type ClientAmounts, larger, none, sumOf } from './amounts.ts';
import { type Decider, deciderText } from './deciders.ts';
import type { ForecastGroup, ForecastPlan } from './forecastPlan.ts';
import { knownValues, type LookupCounts, sureAmountsOfStream } from './streamAmounts.ts';
import type { LookupWork } from './together.ts';

export interface PossibleClient {
  /** The values, in the order of the group's deciders. */
  readonly values: readonly Json[];
  readonly bound: ClientAmounts;
  /** The amounts of each stream, in the order of the streams. */
  readonly byStream: readonly ClientAmounts[];
}

interface PossibleClients {
  /** The clients, with those that can get the most first. */
  readonly clients: readonly PossibleClient[];
  /** The number of clients, including those that are not listed. */
  readonly count: number;
  /** The largest amounts that an unlisted client can have. */
  readonly rest: ClientAmounts;
}

/**
 * The number of clients in one turn. One client takes little time, but with many clients, other work must be able to run in
 * between.
 */
const inOneTurn = 500;

export function* clientsOf(
  { deciders, told }: ForecastGroup,
  { telling }: ForecastPlan,
  counts: LookupCounts,
): LookupWork<PossibleClients> {
  const texts = new Set<string>(deciders.length === 0 ? ['[]'] : []);
  let forgotten = 0;
  for (const [lookup, asked] of telling) {
    if (!includesAll(asked, deciders) || deciders.length === 0) continue;
    const { texts: keys, kept, count } = counts.sizes.keys(lookup);
    forgotten = Math.max(forgotten, count - kept);
    for (const key of keys) {
      const values = valuesIn(key, asked, deciders);
      if (values !== undefined) texts.add(values);
    }
  }
  const boundOf = (values: readonly Json[]): PossibleClient => {
    const known = knownValues(deciders, values);
    const byStream = told.map((stream) => sureAmountsOfStream(stream, counts, known));
    return { values, byStream, bound: byStream.reduce(sumOf, none) };
  };
  const clients: PossibleClient[] = [];
  for (const text of texts) {
    clients.push(boundOf(readJson(text) as readonly Json[]));
    if (clients.length % inOneTurn === 0) yield [];
  }
  clients.sort((a, b) => largest(b.bound) - largest(a.bound));
  const rest = forgotten === 0 ? none : boundOf([]).bound;
  return { clients, count: clients.length + forgotten, rest };
}

function largest({ buckets, reference }: ClientAmounts): number {
  return Math.max(buckets, reference);
}

function includesAll(asked: readonly Decider[], deciders: readonly Decider[]): boolean {
  const texts = new Set(asked.map(deciderText));
  return deciders.every((decider) => texts.has(deciderText(decider)));
}

/** Returns a text that is equal for equal values; undefined if no request can have the values. */
function valuesIn(key: string, asked: readonly Decider[], deciders: readonly Decider[]): string | undefined {
  const values = readJson(key);
  if (!Array.isArray(values)) return undefined;
  const byText = new Map(asked.map((decider, index) => [deciderText(decider), values[index] as Json]));
  const chosen = deciders.map((decider) => byText.get(deciderText(decider)) ?? null);
  const isPossible = deciders.every(
    (decider, index) => deciderText(decider) !== 'auth.user_id()' || typeof chosen[index] === 'string',
  );
  return isPossible ? writeJson(chosen) : undefined;
}

/** Returns for each position the largest amounts of any client from there on. After the last client, that is `last`. */
export function restsOf(clients: readonly PossibleClient[], last: ClientAmounts): readonly ClientAmounts[] {
  const rests: ClientAmounts[] = new Array(clients.length + 1);
  rests[clients.length] = last;
  let rest = last;
  for (let index = clients.length - 1; index >= 0; index -= 1) {
    rest = larger(rest, clients[index]?.bound ?? none);
    rests[index] = rest;
  }
  return rests;
}
