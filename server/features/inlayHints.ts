/** How many buckets one client gets of a stream, said behind its name. */
import type { Analysis, PlacedDefinition } from '../engine/index.ts';
import { type BucketCount, bucketsOf, type Factor } from '../engine/plan/buckets.ts';
import type { StreamPlan } from '../engine/plan/plan.ts';
import { innerConfigOf } from './reading/inner.ts';

interface Hint {
  /** Behind the colon of the key. */
  readonly offset: number;
  readonly label: string;
  /** One line for each way in which a client gets buckets. */
  readonly details: readonly string[];
}

/** Of what has no errors. */
export function inlayHints(analysis: Analysis): readonly Hint[] {
  const inner = innerConfigOf(analysis);
  if (!inner) return hintsOf(analysis);
  return hintsOf(inner.analysis).map((hint) => {
    const { end } = inner.toFile({ start: hint.offset - 1, end: hint.offset });
    return { ...hint, offset: end };
  });
}

function hintsOf({ config, text }: Analysis): readonly Hint[] {
  return (config?.definitions ?? []).flatMap((placed) => {
    const { definition, part } = placed;
    const count = countBuckets(placed);
    if (!count) return [];
    const end = part.base + definition.nameSpan.end;
    const offset = /^[ \t]*:/.exec(text.slice(end, end + 100))?.[0].length ?? 0;
    return { offset: end + offset, ...count };
  });
}

/** In words. Undefined after an error, and for what has no buckets. */
export function countBuckets(placed: PlacedDefinition): Omit<Hint, 'offset'> | undefined {
  const { plan } = placed;
  if (!plan) return undefined;
  const counts = bucketsOf(plan);
  if (counts.length === 0) return undefined;
  const nameOf = (factor: Factor) => nameIn(placed, factor);
  return { label: labelOf(plan, counts, nameOf), details: counts.map((c) => detailOf(c, nameOf)) };
}

type NameOf = (factor: Factor) => string;

/** Such as `1 bucket per client + 1 per row of lists`. */
function labelOf(
  { isDefault, isDefinition }: StreamPlan,
  counts: readonly BucketCount[],
  nameOf: NameOf,
): string {
  if (counts.every(({ isShared }) => isShared)) return `${buckets(counts.length)}, shared by all`;
  const fixed = counts.filter(({ factors }) => factors.length === 0).length;
  const whose = isDefault || isDefinition ? 'client' : 'subscription';
  const grown = counts
    .filter(({ factors }) => factors.length > 0)
    .map(({ factors }) => factorsOf(factors, nameOf));
  const [first, ...others] = grown;
  if (first === undefined) return `${buckets(fixed)} per ${whose}`;
  if (fixed === 0) return [`1 bucket per ${first}`, ...others.map((of) => `1 per ${of}`)].join(' + ');
  return [`${buckets(fixed)} per ${whose}`, ...grown.map((of) => `1 per ${of}`)].join(' + ');
}

function detailOf({ isShared, factors }: BucketCount, nameOf: NameOf): string {
  if (isShared) return 'One bucket that all who may have it share.';
  if (factors.length === 0) return 'One bucket for each combination of values that the request brings.';
  return `One bucket per ${factorsOf(factors, nameOf)}.`;
}

function factorsOf(factors: readonly Factor[], nameOf: NameOf): string {
  return factors
    .map((factor) => `${factor.kind === 'rows' ? 'row' : 'element'} of ${nameOf(factor)}`)
    .join(' × ');
}

function nameIn({ texts }: PlacedDefinition, { of }: Factor): string {
  return texts[of.text]?.sql.text.slice(of.span.start, of.span.end) ?? '';
}

function buckets(count: number): string {
  return count === 1 ? '1 bucket' : `${count} buckets`;
}
