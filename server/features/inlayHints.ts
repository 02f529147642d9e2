/** Inlay hints after the name of a stream: how many of its buckets one client gets. */
import type { Analysis } from '../engine/index.ts';
import { type BucketWords, describeBuckets } from '../engine/map/bucketWords.ts';
import type { KnownLimits } from './limits/knownLimits.ts';
import { type LimitWords, limitWordsOf } from './limits/words.ts';
import { innerConfigOf } from './reading/inner.ts';

interface Hint extends BucketWords {
  /** The position after the colon of the key. */
  readonly offset: number;
}

/** Returns the hints of definitions without errors. */
export function inlayHints(analysis: Analysis, limits?: KnownLimits): readonly Hint[] {
  const inner = innerConfigOf(analysis);
  if (!inner) return hintsOf(analysis, limits);
  return hintsOf(inner.analysis, limits).map((hint) => {
    const { end } = inner.toFile({ start: hint.offset - 1, end: hint.offset });
    return { ...hint, offset: end };
  });
}

function hintsOf({ config, text }: Analysis, limits: KnownLimits | undefined): readonly Hint[] {
  return (config?.definitions ?? []).flatMap((placed) => {
    const { definition, part } = placed;
    const count = describeBuckets(placed);
    if (!count) return [];
    const end = part.base + definition.nameSpan.end;
    const offset = /^[ \t]*:/.exec(text.slice(end, end + 100))?.[0].length ?? 0;
    const words = limits && limitWordsOf(placed, limits);
    return {
      offset: end + offset,
      label: labelOf(count.label, words),
      details: [...count.details, ...(words?.details ?? [])],
    };
  });
}

/** Returns the label. Urgent text comes first, because editors cut long labels. */
function labelOf(count: string, words: LimitWords | undefined): string {
  if (words === undefined) return count;
  return words.isNear ? `${words.label}, ${count}` : `${count}, ${words.label}`;
}
