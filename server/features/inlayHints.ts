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

/** The number of characters of a label that VS Code shows by default. It cuts longer labels, even within a word. */
const longestLabel = 43;

/** Returns the label, with the urgent parts first. Parts that would be cut are only in the details. */
function labelOf(count: string, words: LimitWords | undefined): string {
  const { labels = [], isNear = false } = words ?? {};
  const [first = '', ...others] = isNear ? [...labels, count] : [count, ...labels];
  return others.reduce((label, part) => {
    const longer = `${label}, ${part}`;
    return longer.length <= longestLabel ? longer : label;
  }, first);
}
