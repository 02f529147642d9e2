/** The upper bounds for the amounts of one stream: for any user, or for users with certain values. */
import { oncePer } from '../ground/oncePer.ts';
import type { LookupStep } from '../plan/plan.ts';
import type { Json } from '../plan/values/json.ts';
import type { ClientAmounts } from './amounts.ts';
import { boundOf } from './bound.ts';
import { type Decider, decidersAskedBy, deciderText } from './deciders.ts';
import type { CountedPlan, CountedStream } from './forecastPlan.ts';
import type { KeySize, LookupSizes } from './sizes.ts';

export interface LookupCounts {
  readonly sizes: LookupSizes;
  /** Returns the maximum number of rows in the table of a lookup whose entries are unknown. Absent: all entries are known. */
  readonly rowsOfUncounted?: (lookup: string) => number | undefined;
}

/** Values by the text of their decider. */
type KnownValues = ReadonlyMap<string, Json>;

export function amountsOfStream(
  { own, reference }: CountedStream,
  counts: LookupCounts,
  known: KnownValues = new Map(),
): ClientAmounts {
  const { buckets, results } = boundOf(own.plan, sizesIn(own, counts, known));
  const { reads } = boundOf(reference.plan, sizesIn(reference, counts, known));
  return { buckets, results, reference: reads };
}

/** Whether the entries of all lookups of the plan are known. */
export function isCounted({ names }: CountedPlan, { rowsOfUncounted }: LookupCounts): boolean {
  return names.every((name) => rowsOfUncounted?.(name) === undefined);
}

/** Returns the upper bounds that are certain. The number for PowerSync's service is 0 unless all its lookups are counted. */
export function sureAmountsOfStream(
  stream: CountedStream,
  counts: LookupCounts,
  known: KnownValues = new Map(),
): ClientAmounts {
  const amounts = amountsOfStream(stream, counts, known);
  return isCounted(stream.reference, counts) ? amounts : { ...amounts, reference: 0 };
}

/**
 * Returns the amount that PowerSync's service definitely reads for a user of the stream: the values of a lookup that requires only
 * values of the request, because that service reads it no matter what other lookups find.
 */
export function sureReadsOfStream({ reference }: CountedStream, counts: LookupCounts): number {
  const sizeOf = sizesIn(reference, counts, new Map());
  const reads = reference.plan.routes.flatMap(({ filter, steps }) =>
    steps.flatMap((step) => {
      const isRead =
        step.kind === 'lookup' &&
        filter.length === 0 &&
        counts.rowsOfUncounted?.(reference.names[step.lookup] ?? '') === undefined &&
        (step.inputs.length === 0 || askedBy(step).deciders !== undefined);
      return isRead ? [sizeOf(step).values] : [];
    }),
  );
  return reads.reduce((most, each) => Math.max(most, each), 0);
}

const askedBy = oncePer((step: LookupStep) => ({ deciders: decidersAskedBy(step)?.map(deciderText) }));

function sizesIn({ names }: CountedPlan, { sizes, rowsOfUncounted }: LookupCounts, known: KnownValues) {
  return (step: LookupStep): KeySize => {
    const name = names[step.lookup] ?? '';
    const rows = rowsOfUncounted?.(name);
    if (rows !== undefined) return { values: rows, distinct: rows };
    const { deciders } = askedBy(step);
    if (deciders === undefined || deciders.length === 0 || !deciders.every((text) => known.has(text)))
      return sizes.most(name);
    return sizes.of(
      name,
      deciders.map((text) => known.get(text) ?? null),
    );
  };
}

export function knownValues(deciders: readonly Decider[], values: readonly Json[]): KnownValues {
  return new Map(deciders.map((decider, index) => [deciderText(decider), values[index] ?? null]));
}
