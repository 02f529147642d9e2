/** The correspondence between ranges of a value and ranges of its source. */

/**
 * A range of the value and the range of the source from which it was made. Two ranges of equal length correspond character by
 * character. For others, such as escapes, only the ends correspond.
 */
export interface SourceRun {
  readonly value: number;
  readonly length: number;
  readonly from: number;
  readonly to: number;
}

export interface Runs {
  readonly list: SourceRun[];
  /** Returns the length of the part of the value that is already mapped. */
  readonly length: () => number;
  /** Adds a range of `length` characters that are the same in the value and in the source. */
  readonly same: (from: number, length: number) => void;
  /** Adds a range of `length` characters of the value that correspond to the entire given range of the source. */
  readonly instead: (length: number, from: number, to: number) => void;
}

/** Collects runs in order. Neighbouring runs that correspond character by character are merged. */
export function collectRuns(): Runs {
  const list: SourceRun[] = [];
  let value = 0;
  let open: { value: number; length: number; from: number; to: number } | undefined;
  return {
    list,
    length: () => value,
    same(from, length) {
      if (length === 0) return;
      if (open !== undefined && open.to === from) {
        open.length += length;
        open.to += length;
      } else {
        open = { value, length, from, to: from + length };
        list.push(open);
      }
      value += length;
    },
    instead(length, from, to) {
      if (length === 0) return;
      open = undefined;
      list.push({ value, length, from, to });
      value += length;
    },
  };
}
