/** The problems of a request or a config, for answers: the first few, and how many more there are. */

/** The maximum number of reasons. More would help nobody, and an answer must not be much larger than its question. */
export const mostReasons = 20;
/** Characters. A reason may quote a name, and a name may be as long as the body. */
const longestReason = 2_000;

export interface Reasons {
  /** Sentences are only made for those that are kept. */
  add(sentence: () => string): void;
  list(): readonly string[];
}

export function createReasons(): Reasons {
  const kept: string[] = [];
  let count = 0;
  return {
    add: (sentence) => {
      count++;
      if (count <= mostReasons) kept.push(cutReason(sentence()));
    },
    list: () => (count > kept.length ? [...kept, andMore(count - kept.length)] : kept),
  };
}

export function capReasons(sentences: readonly string[]): readonly string[] {
  const reasons = createReasons();
  for (const sentence of sentences) reasons.add(() => sentence);
  return reasons.list();
}

export function cutReason(sentence: string): string {
  return sentence.length <= longestReason ? sentence : `${sentence.slice(0, longestReason)}…`;
}

export function andMore(count: number): string {
  return `and ${count} more.`;
}
