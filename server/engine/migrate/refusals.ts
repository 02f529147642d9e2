/** Why something cannot be written as a stream. The first reason of a definition counts. */
export interface Refusals {
  readonly reasons: readonly string[];
  /** Takes a sentence; returns a text to continue with. */
  readonly refuse: (sentence: string) => string;
}

export function collectRefusals(): Refusals {
  const reasons: string[] = [];
  return {
    reasons,
    refuse: (sentence) => {
      reasons.push(sentence);
      return 'NULL';
    },
  };
}
