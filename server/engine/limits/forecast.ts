/**
 * How much the clients of a config get, found out from what is stored: the keys of lookups tell for which values of a
 * request there is anything, so nobody has to name users. Streams that depend on the same values are counted together, as
 * one client has them together.
 */
import type { RequestResult, SyncRequest } from '../plan/evaluate/requests.ts';
import { requestDocument } from '../plan/evaluate/scope.ts';
import type { StreamPlan } from '../plan/plan.ts';
import { isJsonObject, type Json, readJson, writeJson } from '../plan/values/json.ts';
import { type Decider, decidersAskedBy, decidersOf, deciderText, readsList } from './deciders.ts';

/** Streams that depend on the same values of a request. */
export interface ForecastGroup {
  readonly deciders: readonly Decider[];
  readonly streams: readonly string[];
  /** Names of lookups whose keys tell values of these deciders, in the order of the inputs. */
  readonly tellingLookups: ReadonlyMap<string, readonly Decider[]>;
}

interface ForecastPlan {
  readonly groups: readonly ForecastGroup[];
  /** What cannot be counted, with the reason. */
  readonly unknown: readonly { readonly stream: string; readonly reason: UnknownReason }[];
}

/**
 * `list`: the token or the client brings a list. `whole`: all claims or parameters are read as one. `subscription`: what the
 * client subscribes to decides, together with who it is. `several`: values that no lookup brings together.
 */
type UnknownReason = 'list' | 'whole' | 'subscription' | 'several';

/** @param lookupNames of each stream, as the keys of stored lookups begin with them */
export function planForecast(
  plans: readonly StreamPlan[],
  lookupNames: ReadonlyMap<string, readonly string[]>,
): ForecastPlan {
  const unknown: { stream: string; reason: UnknownReason }[] = [];
  const groups = new Map<string, GrowingGroup>();
  for (const plan of plans) {
    const deciders = decidersOf(plan);
    const telling = tellingLookups(plan, lookupNames.get(plan.name) ?? []);
    const reason = reasonAgainst(plan, deciders, telling);
    if (reason !== undefined || deciders === undefined) {
      unknown.push({ stream: plan.name, reason: reason ?? 'whole' });
      continue;
    }
    const id = deciders.map(deciderText).sort().join();
    const group: GrowingGroup = groups.get(id) ?? { deciders, streams: [], tellingLookups: new Map() };
    groups.set(id, group);
    group.streams.push(plan.name);
    for (const [name, asked] of telling) if (covers(asked, deciders)) group.tellingLookups.set(name, asked);
  }
  return { groups: [...groups.values()], unknown };
}

interface GrowingGroup extends ForecastGroup {
  readonly streams: string[];
  readonly tellingLookups: Map<string, readonly Decider[]>;
}

function reasonAgainst(
  plan: StreamPlan,
  deciders: readonly Decider[] | undefined,
  telling: ReadonlyMap<string, readonly Decider[]>,
): UnknownReason | undefined {
  if (deciders === undefined) return 'whole';
  if (readsList(plan)) return 'list';
  const looksUp = plan.routes.some(({ steps }) => steps.length > 0);
  const isTold = deciders.length === 0 || [...telling.values()].some((asked) => covers(asked, deciders));
  if (!looksUp || isTold) return undefined;
  return deciders.some(({ part }) => part === 'subscription') ? 'subscription' : 'several';
}

function tellingLookups(plan: StreamPlan, names: readonly string[]): Map<string, readonly Decider[]> {
  const found = new Map<string, readonly Decider[]>();
  for (const { steps } of plan.routes)
    for (const step of steps) {
      const asked = decidersAskedBy(step);
      const name = step.kind === 'lookup' ? names[step.lookup] : undefined;
      if (asked !== undefined && name !== undefined) found.set(name, asked);
    }
  return found;
}

function covers(asked: readonly Decider[], deciders: readonly Decider[]): boolean {
  const texts = new Set(asked.map(deciderText));
  return deciders.every((decider) => texts.has(deciderText(decider)));
}

/** The values that a key of a telling lookup holds, as a text that is equal for equal ones. Undefined: no request has them. */
export function candidateOf(
  { deciders }: ForecastGroup,
  asked: readonly Decider[],
  key: string,
): string | undefined {
  const values = readJson(key);
  if (!Array.isArray(values)) return undefined;
  const byText = new Map(asked.map((decider, index) => [deciderText(decider), values[index] as Json]));
  const chosen = deciders.map((decider) => byText.get(deciderText(decider)) ?? null);
  const isPossible = deciders.every(
    (decider, index) => deciderText(decider) !== 'auth.user_id()' || typeof chosen[index] === 'string',
  );
  return isPossible ? writeJson(chosen) : undefined;
}

/** What a client with these values asks for, if it asks for all streams of the group. */
export function requestOf({ deciders, streams }: ForecastGroup, candidate: string): SyncRequest {
  const values = readJson(candidate) as readonly Json[];
  const documentOf = (part: Decider['part']) => {
    const document: Record<string, Json> = Object.create(null);
    for (const [index, decider] of deciders.entries())
      if (decider.part === part) put(document, decider.path, values[index] ?? null);
    return requestDocument(writeJson(document));
  };
  const parameters = documentOf('subscription');
  return {
    claims: documentOf('auth'),
    connection: documentOf('connection'),
    includeDefaults: false,
    subscriptions: streams.map((stream) => ({ stream, parameters })),
  };
}

function put(document: Record<string, Json>, [name = '', ...rest]: readonly string[], value: Json): void {
  if (rest.length === 0) document[name] = value;
  else {
    const inner = document[name];
    const object: Record<string, Json> = Object.create(null);
    if (inner !== undefined && isJsonObject(inner)) Object.assign(object, inner);
    document[name] = object;
    put(object, rest, value);
  }
}

/** What one client gets. */
export interface Portion {
  /** JSON of the values, in the order of the deciders. */
  readonly candidate: string;
  readonly buckets: number;
  /** Values that were read for it, before duplicates and other conditions: what PowerSync's service counts, or less. */
  readonly results: number;
  /** In the order of the group's streams. */
  readonly byStream: readonly number[];
}

export function portionOf(
  { streams }: ForecastGroup,
  candidate: string,
  { buckets }: RequestResult,
  results: number,
): Portion {
  const byStream = streams.map(() => 0);
  for (const { reasons } of buckets)
    for (const { subscription } of reasons)
      if (typeof subscription === 'number') byStream[subscription] = (byStream[subscription] ?? 0) + 1;
  return { candidate, buckets: buckets.length, results, byStream };
}
