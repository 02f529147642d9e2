/** How much the clients of the active deployment get, beside what one client may have. */

import { deciderText } from '../../engine/limits/deciders.ts';
import {
  candidateOf,
  type ForecastGroup,
  type Portion,
  planForecast,
  portionOf,
  requestOf,
} from '../../engine/limits/forecast.ts';
import type { ConfigEvaluator } from '../../engine/plan/evaluate/evaluate.ts';
import type { LookupAnswer, RequestEvaluation, RequestResult } from '../../engine/plan/evaluate/requests.ts';
import { situationOf } from '../deployments/lifecycle.ts';
import { ServiceError } from '../ground/errors.ts';
import type { BucketReader, OpId, Storage, StoredLookup } from '../storage/storage.ts';
import type { ApiParts } from './parts.ts';

/** Values of a request for which is evaluated what they give, of each group: those with the most entries. */
const mostCandidates = 20_000;
/** Clients that are named. */
const mostNamed = 20;
/** Evaluated together: some milliseconds of the event loop. */
const atOnce = 20;
/** Value sets of one reading: no client may have near as many. */
const mostRead = 1_000_000;

export async function answerLimits(parts: ApiParts): Promise<Record<string, unknown>> {
  const { serving } = situationOf(await parts.store.all());
  if (serving === undefined) throw new ServiceError('SVC_S4104');
  const config = parts.configs.of(serving);
  if (!config.valid) throw new ServiceError('SVC_S4104');
  const { evaluator } = config;
  const reader = parts.storage.reader(serving.id);
  const at = (await reader.checkpoint())?.opId;
  if (at === undefined) throw new ServiceError('SVC_S2302');
  const plan = planForecast(config.plans, evaluator.lookupNames);
  const counts = await countEntries(parts.storage, serving.id, at, plan.groups);
  const groups = [];
  for (const [index, group] of plan.groups.entries()) {
    const candidates = likeliest(counts[index] ?? new Map());
    const portions = await portionsOf(group, candidates, { evaluator, reader, at });
    groups.push({ ...describe(group, portions), clients: counts[index]?.size ?? 0 });
  }
  return { limits: parts.limits, groups, unknown: plan.unknown };
}

type EntryCounts = Map<string, number>;

/** For each group, how many entries there are for each of its candidates. */
async function countEntries(
  storage: Pick<Storage, 'stored'>,
  deployment: number,
  at: OpId,
  groups: readonly ForecastGroup[],
): Promise<readonly EntryCounts[]> {
  const counts = groups.map((): EntryCounts => new Map());
  for await (const { lookup } of entriesOf(storage, deployment, at)) {
    const end = lookup.indexOf('[');
    for (const [index, group] of groups.entries()) {
      const asked = group.tellingLookups.get(lookup.slice(0, end));
      const candidate = asked && candidateOf(group, asked, lookup.slice(end));
      const count = counts[index];
      if (candidate !== undefined && count !== undefined)
        count.set(candidate, (count.get(candidate) ?? 0) + 1);
    }
  }
  for (const [index, { deciders }] of groups.entries())
    if (deciders.length === 0) counts[index]?.set('[]', 1);
  return counts;
}

async function* entriesOf(
  { stored }: Pick<Storage, 'stored'>,
  deployment: number,
  at: OpId,
): AsyncGenerator<StoredLookup> {
  const store = stored(deployment);
  let last: StoredLookup | undefined;
  for (;;) {
    const page = await store.lookupsAfter(at, last);
    if (page.length === 0) return;
    yield* page;
    last = page.at(-1);
  }
}

function likeliest(counts: EntryCounts): readonly string[] {
  const sorted = [...counts].sort(([, a], [, b]) => b - a);
  return sorted.slice(0, mostCandidates).map(([candidate]) => candidate);
}

interface Evaluating {
  readonly evaluator: Pick<ConfigEvaluator, 'request'>;
  readonly reader: Pick<BucketReader, 'lookups'>;
  readonly at: OpId;
}

async function portionsOf(
  group: ForecastGroup,
  candidates: readonly string[],
  evaluating: Evaluating,
): Promise<readonly Portion[]> {
  const portions: Portion[] = [];
  for (let from = 0; from < candidates.length; from += atOnce) {
    const some = candidates.slice(from, from + atOnce);
    const evaluations = some.map((candidate) => evaluating.evaluator.request(requestOf(group, candidate)));
    const found = await evaluateTogether(evaluations, evaluating);
    for (const [index, { result, read }] of found.entries())
      portions.push(portionOf(group, some[index] ?? '', result, read));
  }
  return portions.sort((a, b) => b.buckets - a.buckets || b.results - a.results);
}

/** One reading for all of them at each stage. */
async function evaluateTogether(
  evaluations: readonly RequestEvaluation[],
  { reader, at }: Evaluating,
): Promise<readonly { readonly result: RequestResult; readonly read: number }[]> {
  const reads = evaluations.map(() => 0);
  let steps = evaluations.map((evaluation) => evaluation.next());
  for (;;) {
    const keys = [...new Set(steps.flatMap((step) => (step.done ? [] : step.value)))];
    if (keys.length === 0) break;
    const answer = await reader.lookups(at, keys, mostRead);
    steps = steps.map((step, index) => {
      if (step.done) return step;
      for (const key of step.value) reads[index] = (reads[index] ?? 0) + (answer.get(key)?.length ?? 0);
      return evaluations[index]?.next(answer satisfies LookupAnswer) ?? step;
    });
  }
  return steps.flatMap((step, index) => (step.done ? [{ result: step.value, read: reads[index] ?? 0 }] : []));
}

function describe(
  { deciders, streams }: ForecastGroup,
  portions: readonly Portion[],
): Record<string, unknown> {
  return {
    by: deciders.map(deciderText),
    streams: streams.map((name, index) => ({
      name,
      ...spread(portions.map(({ byStream }) => byStream[index] ?? 0)),
    })),
    buckets: spread(portions.map(({ buckets }) => buckets)),
    results: spread(portions.map(({ results }) => results)),
    evaluated: portions.length,
    most: portions.slice(0, mostNamed).map(({ candidate, buckets, results }) => ({
      values: JSON.parse(candidate) as unknown,
      buckets,
      results,
    })),
  };
}

/** The 99th percentile is of those that were evaluated. */
function spread(counts: readonly number[]): { readonly most: number; readonly p99: number } {
  const sorted = counts.toSorted((a, b) => a - b);
  return {
    most: sorted.at(-1) ?? 0,
    p99: sorted[Math.max(0, Math.ceil(sorted.length * 0.99) - 1)] ?? 0,
  };
}
