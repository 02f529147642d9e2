/** Divides the width of the map into its columns. */
import type { MapColumn } from './picture.ts';

export interface ColumnPlace {
  readonly column: MapColumn;
  readonly left: number;
  readonly width: number;
}

/** The parts of the width, in the order of the columns, and the largest widths in pixels. */
const parts: Readonly<Record<MapColumn, { readonly share: number; readonly most: number }>> = {
  tables: { share: 3, most: 300 },
  streams: { share: 5, most: 540 },
  audiences: { share: 3.4, most: 400 },
};

/** The width in pixels below which there is no third column: the sentence of a stream says who gets its rows. */
const roomForThree = 640;
/** The smallest gap between two columns, in pixels. */
const narrowest = 26;

/** @param width the width of the map in pixels */
export function columnsIn(width: number): readonly ColumnPlace[] {
  const shown: readonly MapColumn[] =
    width < roomForThree ? ['tables', 'streams'] : ['tables', 'streams', 'audiences'];
  const shares = shown.reduce((sum, column) => sum + parts[column].share, 0);
  const room = Math.max(0, width - (shown.length - 1) * narrowest);
  const widths = shown.map((column) => {
    const { share, most } = parts[column];
    return Math.floor(Math.min(most, (room * share) / shares));
  });
  const gap = (width - widths.reduce((sum, each) => sum + each, 0)) / (shown.length - 1);
  let left = 0;
  return shown.map((column, index) => {
    const place = { column, left: Math.round(left), width: widths[index] ?? 0 };
    left += place.width + gap;
    return place;
  });
}
