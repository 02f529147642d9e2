/** Collects the problems of a request or a config for an answer: the first few, and the number of further ones. */

/** The maximum number of reasons. More would not be helpful, and an answer must not be much larger than its question. */
export const mostReasons = 20;
/** The maximum length in characters. A reason may quote a name, which may be as long as the body. */
const longestReason = 2_000;

export interface Reasons {
  /** Adds a reason. The sentence is only created if it is kept. */
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
