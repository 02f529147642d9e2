/** The correspondence between stretches of a value and stretches of its source. */

/**
 * A stretch of the value and the stretch of source from which it was made. Two stretches of equal length correspond character
 * by character. Of others, such as escapes, only the ends correspond.
 */
export interface SourceRun {
  readonly value: number;
  readonly length: number;
  readonly from: number;
  readonly to: number;
}

export interface Runs {
  readonly list: SourceRun[];
  /** How much of the value is mapped already. */
  readonly length: () => number;
  /** `length` characters of the value are those of the source, one by one. */
  readonly same: (from: number, length: number) => void;
  /** `length` characters of the value come from the source's whole span. */
  readonly instead: (length: number, from: number, to: number) => void;
}

/** Collects runs in order. Neighbours that correspond character by character become one. */
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
