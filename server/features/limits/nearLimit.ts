/** Finds streams that bring a client near or over a limit, according to the data of the selected service. */
import type { Args, Finding } from '../../engine/diagnostics/diagnostics.ts';
import { withoutIgnored } from '../../engine/file/ignores.ts';
import type { Analysis, PlacedDefinition } from '../../engine/index.ts';
import { shift } from '../../engine/text/span.ts';
import { innerConfigOf } from '../reading/inner.ts';
import { type KnownAmounts, type KnownGroup, type KnownLimits, knownStreamOf, near } from './knownLimits.ts';

/** Returns the findings in reading order. */
export function limitFindings(analysis: Analysis, known: KnownLimits): readonly Finding[] {
  const inner = innerConfigOf(analysis);
  if (!inner) return findingsIn(analysis, known);
  return findingsIn(inner.analysis, known).map((finding) => ({
    ...finding,
    span: inner.toFile(finding.span),
  }));
}

function findingsIn({ config, text }: Analysis, known: KnownLimits): readonly Finding[] {
  const placed = new Map(config?.definitions.map((each) => [each.definition.name, each]));
  const worst = new Map<PlacedDefinition, Args<'near-limit'>>();
  for (const group of known.groups) {
    if (!isAsItStands(group, placed, known)) continue;
    for (const { stream, args } of nearLimitsIn(group, known)) {
      const at = placed.get(stream);
      const before = at && worst.get(at);
      if (at !== undefined && (before === undefined || shareOf(before) < shareOf(args))) worst.set(at, args);
    }
  }
  const findings = [...worst].map(([{ definition, part }, args]): Finding => {
    return { code: 'near-limit', span: shift(definition.nameSpan, part.base), args };
  });
  return withoutIgnored(
    text,
    findings.sort((a, b) => a.span.start - b.span.start),
  );
}

/**
 * Whether the stream is the same as the deployed one. The numbers are those of the deployed config, so they do not apply to a
 * changed stream.
 */
function isAsItStands(
  { streams }: KnownGroup,
  placed: ReadonlyMap<string, PlacedDefinition>,
  known: KnownLimits,
): boolean {
  return streams.every(({ name, ...amounts }) => {
    const at = placed.get(name);
    const isNothing = amounts.buckets === 0 && amounts.reference === 0;
    return isNothing || (at !== undefined && knownStreamOf(at, known) !== undefined);
  });
}

interface NearLimit {
  readonly stream: string;
  readonly args: Args<'near-limit'>;
}

/** Returns, for each measure, the client with the largest amount, at the stream that contributes the most. */
function nearLimitsIn({ by, most, streams }: KnownGroup, { limits }: KnownLimits): readonly NearLimit[] {
  const measures = [
    { of: 'buckets', limit: limits.buckets },
    { of: 'results', limit: limits.results },
    { of: 'reference', limit: limits.results },
  ] as const;
  return measures.flatMap(({ of, limit }): NearLimit[] => {
    const client = largest(most, of);
    const stream = largest(streams, of);
    if (client === undefined || stream === undefined || client[of] === 0 || client[of] < near * limit)
      return [];
    const who = by.map((name, index) => `${name} = ${JSON.stringify(client.values[index])}`).join(', ');
    return [{ stream: stream.name, args: { of, who, count: client[of], limit } }];
  });
}

function largest<T extends KnownAmounts>(some: readonly T[], of: keyof KnownAmounts): T | undefined {
  return some.toSorted((a, b) => b[of] - a[of])[0];
}

function shareOf({ count, limit }: Args<'near-limit'>): number {
  return limit === 0 ? Number.POSITIVE_INFINITY : count / limit;
}
