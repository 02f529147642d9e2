/** Collects reasons why something cannot be written as a stream. Only the first reason of a definition counts. */
export interface Refusals {
  readonly reasons: readonly string[];
  /** Registers a reason, which is a sentence, and returns a placeholder text. */
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
