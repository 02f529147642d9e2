/** The amounts of certain clients, computed by evaluating their requests. */
import type { ConfigEvaluator } from '../plan/evaluate/evaluate.ts';
import type { LookupRead } from '../plan/evaluate/referenceReads.ts';
import type { RequestResult, SyncRequest } from '../plan/evaluate/requests.ts';
import { requestDocument } from '../plan/evaluate/scope.ts';
import { isJsonObject, type Json, writeJson } from '../plan/values/json.ts';
import { type ClientAmounts, none, sumOf } from './amounts.ts';
import type { PossibleClient } from './clients.ts';
import type { Decider } from './deciders.ts';
import type { ForecastGroup } from './forecastPlan.ts';
import { isCounted, type LookupCounts } from './streamAmounts.ts';
import { type LookupWork, together } from './together.ts';

export interface Counting extends LookupCounts {
  readonly own: Pick<ConfigEvaluator, 'request'>;
  readonly reference: Pick<ConfigEvaluator, 'referenceReads'>;
}

export interface Portion extends ClientAmounts {
  readonly values: readonly Json[];
  /** The amounts of each stream, in the order of the group's streams. */
  readonly byStream: readonly ClientAmounts[];
}

export function* portionsOf(
  group: ForecastGroup,
  clients: readonly PossibleClient[],
  counting: Counting,
): LookupWork<readonly Portion[]> {
  return yield* together(clients.map((client) => portionOf(group, client, counting)));
}

function* portionOf(
  group: ForecastGroup,
  { values }: PossibleClient,
  counting: Counting,
): LookupWork<Portion> {
  const request = requestOf(group, values);
  const result = yield* counting.own.request(request);
  const reads = yield* counting.reference.referenceReads(request);
  const byStream = group.told.map((stream, index): ClientAmounts => {
    const { buckets, results } = ownAmounts(result, index);
    const reference = isCounted(stream.reference, counting) ? readsOf(reads, index) : 0;
    return { buckets, results, reference };
  });
  const { reference } = byStream.reduce(sumOf, none);
  const results = result.buckets.filter(({ lookedUp }) => lookedUp).length;
  return { values, buckets: result.buckets.length, results, reference, byStream };
}

function ownAmounts({ buckets }: RequestResult, subscription: number): Omit<ClientAmounts, 'reference'> {
  const own = buckets.filter(({ reasons }) => reasons.some((reason) => reason.subscription === subscription));
  return { buckets: own.length, results: own.filter(({ lookedUp }) => lookedUp).length };
}

function readsOf(reads: readonly LookupRead[], subscription: number): number {
  return reads.reduce(
    (all, { reason, results }) => (reason.subscription === subscription ? all + results : all),
    0,
  );
}

/** Returns the request of a client with these values that asks for all streams of the group. */
function requestOf({ deciders, told }: ForecastGroup, values: readonly Json[]): SyncRequest {
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
    subscriptions: told.map(({ name }) => ({ stream: name, parameters })),
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
