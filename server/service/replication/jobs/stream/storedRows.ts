/**
 * Tracks whether the stored rows are the state of the source at the position of the stream.
 *
 *     overtaken ──published──► published ──changed──► changed ──published──► published
 *         ▲                        │                     │
 *         └────────overtaken───────┴─────────────────────┘
 *
 * 1. If no checkpoint is due, the stored rows are exact: they are the state of the source at the position.
 * 2. Rows that are newer than the position make them inexact: rows of a copy, rows that were read again, and rows of an
 *    errand. Only a published checkpoint makes them exact again.
 * 3. A job begins with `overtaken`, because an earlier job may have stored more than it published.
 * 4. A table is copied again because of equal rows at most `mostDoubts` times before a checkpoint is published. Otherwise, a
 *    table whose rows are deleted all the time would be copied forever, and clients would wait all that time.
 */

export type RowsState =
  | { readonly kind: 'published' }
  /** A checkpoint is due. `doubts`: the number of times that equal rows were in doubt since the last published checkpoint. */
  | { readonly kind: 'changed'; readonly doubts: number }
  /** A checkpoint is due, and some stored rows may be newer than the position. */
  | { readonly kind: 'overtaken'; readonly doubts: number };

export type RowsEvent =
  /** A checkpoint must be made. */
  | 'changed'
  /** The stored rows include some that are newer than the position. */
  | 'overtaken'
  /** The number of equal rows is unknown, because some were deleted and the stream does not report how many remain. */
  | 'doubted'
  | 'published'
  /** A checkpoint was published, but clients have newer rows than this deployment. */
  | 'put off'
  /** The storage holds checkpoints back until a later position. */
  | 'held back';

export const mostDoubts = 3;

const published: RowsState = { kind: 'published' };
const changed: RowsState = { kind: 'changed', doubts: 0 };

export function nextRows(state: RowsState, event: RowsEvent): RowsState {
  switch (event) {
    case 'published':
      return published;
    case 'put off':
      return changed;
    case 'changed':
    case 'held back':
      return state.kind === 'published' ? changed : state;
    case 'overtaken':
      return state.kind === 'overtaken' ? state : { kind: 'overtaken', doubts: doubtsIn(state) };
    case 'doubted':
      return {
        kind: state.kind === 'overtaken' ? 'overtaken' : 'changed',
        doubts: doubtsIn(state) + 1,
      };
  }
}

function doubtsIn(state: RowsState): number {
  return state.kind === 'published' ? 0 : state.doubts;
}

export class StoredRows {
  #state: RowsState = { kind: 'overtaken', doubts: 0 };

  take(event: RowsEvent): void {
    this.#state = nextRows(this.#state, event);
  }

  get isCheckpointDue(): boolean {
    return this.#state.kind !== 'published';
  }

  get isExact(): boolean {
    return this.#state.kind !== 'overtaken';
  }

  /** Whether a table may be copied again because of equal rows (invariant 4). */
  get mayBeDoubted(): boolean {
    return doubtsIn(this.#state) < mostDoubts;
  }
}
