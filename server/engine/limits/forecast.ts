/**
 * Forecasts how much the clients of a config get, based on the stored data. A client has all its streams together: the amounts that
 * the values of one lookup decide are counted, and the upper bounds of all other streams are added. The clients with the most are
 * evaluated. The numbers of values under the keys are upper bounds for the other clients, so the evaluation stops when no remaining
 * client can change the result.
 */
import { append } from '../ground/append.ts';
import { type ClientAmounts, larger, largestNumber, measures, none, sumOf } from './amounts.ts';
import { clientsOf, type PossibleClient, restsOf } from './clients.ts';
import { deciderText } from './deciders.ts';
import type { CountedStream, ForecastGroup, ForecastPlan } from './forecastPlan.ts';
import { type Counting, type Portion, portionsOf } from './portions.ts';
import { amountsOfStream, isCounted, sureReadsOfStream } from './streamAmounts.ts';
import type { LookupWork } from './together.ts';

interface Spread {
  readonly most: number;
  /** The amount that 99 of 100 clients do not exceed. */
  readonly p99: number;
}

interface ForecastedGroup {
  readonly by: readonly string[];
  /** The number of distinct values for which there is data. */
  readonly clients: number;
  readonly evaluated: number;
  readonly buckets: Spread;
  readonly results: Spread;
  readonly reference: Spread;
  /** The largest amounts of each stream that these values decide. */
  readonly streams: readonly (ClientAmounts & { readonly name: string })[];
  /**
   * The amounts that a client may have in addition: from streams that other values decide, and from lookups that could not be
   * counted.
   */
  readonly others: ClientAmounts & { readonly streams: readonly string[] };
  /** The clients with the largest amounts, in descending order. */
  readonly most: readonly (ClientAmounts & { readonly values: readonly unknown[] })[];
}

interface StreamForecast extends ClientAmounts {
  readonly name: string;
  /** The fingerprint of the stream. It differs after any change of the stream. */
  readonly fingerprint: string;
  /** Present if the numbers are for each element of a list in the request. */
  readonly perElement?: true;
  /** The amount that PowerSync's service definitely reads for a user of the stream. */
  readonly surely: number;
  /** Present if the amount is only an upper bound, because not everything could be counted. */
  readonly atMost?: true;
}

export interface LimitForecast {
  readonly groups: readonly ForecastedGroup[];
  /** The largest amounts of each stream for one subscription of any user. */
  readonly streams: readonly StreamForecast[];
}

/** Counts and evaluates. A yielded item without keys only lets other work run. */
export function* forecast(plan: ForecastPlan, counting: Counting): LookupWork<LimitForecast> {
  const groups: ForecastedGroup[] = [];
  for (const group of plan.groups)
    if (group.deciders.length > 0 || group.told.length > 0)
      groups.push(yield* forecastGroup(group, plan, counting));
  const streams = plan.streams.map((stream) => forecastStream(stream, groups, counting));
  return { groups, streams };
}

function forecastStream(
  stream: CountedStream,
  groups: readonly ForecastedGroup[],
  counting: Counting,
): StreamForecast {
  const { name, fingerprint, readsList, own, reference } = stream;
  const read = groups.flatMap(({ streams }) =>
    streams.flatMap((each) => (each.name === name ? [each.reference] : [])),
  );
  const isWhole = isCounted(own, counting) && isCounted(reference, counting);
  return {
    name,
    fingerprint,
    ...leastOf([
      amountsOfStream(stream, counting),
      ...groups.flatMap((group) => amountsIn(group, stream, counting)),
    ]),
    surely: readsList ? 0 : Math.max(sureReadsOfStream(stream, counting), ...read),
    ...(readsList && { perElement: true }),
    ...(!isWhole && { atMost: true }),
  };
}

/** Returns the amounts of a group, which apply to every user with these values. A user with none of them gets no more. */
function amountsIn(
  { by, streams }: ForecastedGroup,
  { name, reference }: CountedStream,
  counting: Counting,
): readonly ClientAmounts[] {
  const found = streams.find((stream) => stream.name === name);
  if (found === undefined || by.length === 0) return [];
  return [isCounted(reference, counting) ? found : { ...found, reference: largestNumber }];
}

function leastOf(amounts: readonly ClientAmounts[]): ClientAmounts {
  const least = (measure: keyof ClientAmounts) => Math.min(...amounts.map((each) => each[measure]));
  return { buckets: least('buckets'), results: least('results'), reference: least('reference') };
}

/** The maximum number of named clients. */
const mostNamed = 20;
/** The number of clients that are evaluated together, which takes some milliseconds. */
const atOnce = 20;
/** The maximum number of evaluated clients. The report states the upper bounds of the others. */
const mostEvaluated = 20_000;

function* forecastGroup(
  { deciders, ...asked }: ForecastGroup,
  plan: ForecastPlan,
  counting: Counting,
): LookupWork<ForecastedGroup> {
  const told = asked.told.filter(({ own }) => isCounted(own, counting));
  const group = {
    deciders,
    told,
    others: [...asked.others, ...asked.told.filter((each) => !told.includes(each))],
  };
  const unread = told.filter(({ reference }) => !isCounted(reference, counting));
  const { clients, count, rest: last } = yield* clientsOf(group, plan, counting);
  const rests = restsOf(clients, last);
  const wanted = Math.max(mostNamed, Math.ceil(count / 100) + 1);
  const portions: Portion[] = [];
  let judgedAt = wanted;
  for (let from = 0; from < Math.min(clients.length, mostEvaluated); from += atOnce) {
    if (portions.length >= judgedAt) {
      if (isSettled(portions, wanted, rests[from] ?? last)) break;
      judgedAt = portions.length * 1.25;
    }
    append(portions, yield* portionsOf(group, clients.slice(from, from + atOnce), counting));
  }
  const rest = rests[portions.length] ?? last;
  const unseen = clients.slice(portions.length);
  return {
    by: group.deciders.map(deciderText),
    clients: count,
    evaluated: portions.length,
    ...spreads(portions, count, rest),
    streams: group.told.map(({ name }, index) => ({ name, ...mostOfStream(index, portions, unseen) })),
    others: {
      ...[
        ...group.others.map((stream) => amountsOfStream(stream, counting)),
        ...unread.map((stream) => ({ ...none, reference: amountsOfStream(stream, counting).reference })),
      ].reduce(sumOf, none),
      streams: [...group.others, ...unread].map(({ name }) => name),
    },
    most: portions
      .toSorted((a, b) => sizeOf(b) - sizeOf(a))
      .slice(0, mostNamed)
      .map(({ values, buckets, results, reference }) => ({ values, buckets, results, reference })),
  };
}

/** Whether no remaining client can be among those with the largest amounts. */
function isSettled(portions: readonly Portion[], wanted: number, rest: ClientAmounts): boolean {
  return measures.every((measure) => {
    const sorted = portions.map((portion) => portion[measure]).sort((a, b) => b - a);
    return (sorted[wanted - 1] ?? 0) >= rest[measure];
  });
}

function sizeOf({ buckets, reference }: ClientAmounts): number {
  return Math.max(buckets, reference);
}

function spreads(
  portions: readonly Portion[],
  count: number,
  rest: ClientAmounts,
): Pick<ForecastedGroup, (typeof measures)[number]> {
  const spreadOf = (measure: keyof ClientAmounts): Spread => {
    const sorted = portions.map((portion) => portion[measure]).sort((a, b) => b - a);
    const unseen = count > portions.length ? rest[measure] : 0;
    const atP99 = sorted[count - Math.ceil(count * 0.99)] ?? unseen;
    return { most: Math.max(sorted[0] ?? 0, unseen), p99: Math.max(atP99, unseen) };
  };
  return { buckets: spreadOf('buckets'), results: spreadOf('results'), reference: spreadOf('reference') };
}

/** Returns upper bounds for streams that were not evaluated. */
function mostOfStream(
  index: number,
  portions: readonly Portion[],
  unseen: readonly PossibleClient[],
): ClientAmounts {
  const seen = portions.map(({ byStream }) => byStream[index] ?? none);
  return [...seen, ...unseen.map(({ byStream }) => byStream[index] ?? none)].reduce(larger, none);
}
