/** The target of a key in a grid, according to the WAI-ARIA pattern for grids. */

export interface GridPlace {
  /** The row, counted from 0; -1 is the row of headings. */
  readonly row: number;
  readonly column: number;
}

interface GridSize {
  readonly rows: number;
  readonly columns: number;
  /** The number of visible rows. */
  readonly page: number;
}

interface PressedKey {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey?: boolean;
}

/** Returns the new place. Undefined for a key that does not move. */
export function moveBy(pressed: PressedKey, from: GridPlace, size: GridSize): GridPlace | undefined {
  const { rows, columns, page } = size;
  const all = pressed.ctrlKey || pressed.metaKey === true;
  const last = { row: rows - 1, column: columns - 1 };
  const target = ((): GridPlace | undefined => {
    switch (pressed.key) {
      case 'ArrowUp':
        return { ...from, row: all ? 0 : from.row - 1 };
      case 'ArrowDown':
        return { ...from, row: all ? last.row : from.row + 1 };
      case 'ArrowLeft':
        return { ...from, column: all ? 0 : from.column - 1 };
      case 'ArrowRight':
        return { ...from, column: all ? last.column : from.column + 1 };
      case 'PageUp':
        return { ...from, row: Math.max(0, from.row - page) };
      case 'PageDown':
        return { ...from, row: from.row + page };
      case 'Home':
        return { row: all ? 0 : from.row, column: 0 };
      case 'End':
        return { row: all ? last.row : from.row, column: last.column };
      default:
        return undefined;
    }
  })();
  return (
    target && {
      row: Math.max(-1, Math.min(last.row, target.row)),
      column: Math.max(0, Math.min(last.column, target.column)),
    }
  );
}
