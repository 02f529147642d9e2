/**
 * The rows of one table as a grid shows them, with their latest changes: the first rows of the device in their order, and above
 * them the rows that were added later, the latest first.
 */
import type { RowOnDevice, TableChange } from './device.ts';

export interface ShownRow {
  readonly row: RowOnDevice;
  readonly mark: 'came' | 'changed' | 'gone' | 'none';
  /** The time when the mark was set, in milliseconds. */
  readonly at: number;
}

export interface ShownRows {
  /**
   * @param marks whether rows flash and fade. The first rows of a device do not, and no rows do while there are too many
   * changes to follow
   */
  readonly apply: (change: TableChange, now: number, marks: 'beginning' | 'marked' | 'plain') => void;
  /** Removes faded rows and expired marks. */
  readonly sweep: (now: number) => void;
  /** Returns a new list after each change. */
  readonly list: () => readonly ShownRow[];
  /** Returns the number of rows, without fading ones. */
  readonly size: () => number;
  readonly hasMarks: () => boolean;
}

/** The duration of a mark, in milliseconds. */
export const marksLast = 1_500;

/** The maximum number of marks in one table. */
const mostMarks = 500;

export function showRows(): ShownRows {
  const beginning = new Map<string, ShownRow>();
  const later = new Map<string, ShownRow>();
  const marked = new Set<string>();
  let fading = 0;
  let list: readonly ShownRow[] | undefined;

  const find = (id: string): ShownRow | undefined => later.get(id) ?? beginning.get(id);

  /** Updates a row in its place, or adds a new row to the given place. */
  function put(row: RowOnDevice, mark: ShownRow['mark'], at: number, place: Map<string, ShownRow>): void {
    if (find(row.id)?.mark === 'gone') drop(row.id);
    const known = [beginning, later].find((rows) => rows.has(row.id));
    (known ?? place).set(row.id, { row, mark, at });
    if (mark === 'none') marked.delete(row.id);
    else marked.add(row.id);
  }

  function fade(row: RowOnDevice, at: number): void {
    if (find(row.id)?.mark === 'gone') return;
    put(row, 'gone', at, later);
    fading += 1;
  }

  function drop(id: string): void {
    if (find(id)?.mark === 'gone') fading -= 1;
    beginning.delete(id);
    later.delete(id);
    marked.delete(id);
  }

  return {
    apply({ came, changed, gone }, now, marks) {
      list = undefined;
      const room = () => marks === 'marked' && marked.size < mostMarks;
      const place = marks === 'beginning' ? beginning : later;
      for (const row of came) put(row, room() ? 'came' : 'none', now, place);
      for (const row of changed) put(row, room() ? 'changed' : 'none', now, place);
      for (const row of gone) {
        if (room()) fade(row, now);
        else drop(row.id);
      }
    },
    sweep(now) {
      for (const id of marked) {
        const shown = find(id);
        if (shown === undefined || now - shown.at < marksLast) continue;
        list = undefined;
        if (shown.mark === 'gone') drop(id);
        else {
          put(shown.row, 'none', shown.at, later);
        }
      }
    },
    list: () => {
      list ??= [...[...later.values()].reverse(), ...beginning.values()];
      return list;
    },
    size: () => beginning.size + later.size - fading,
    hasMarks: () => marked.size > 0,
  };
}
