/**
 * The drawn rows of a grid whose rows all have the same height. It creates no list of the rows, and no page that is higher than
 * browsers can draw. Above that height, one pixel of the scroll bar corresponds to several rows.
 */

export interface RowWindow {
  /** The first row that is drawn, counted from 0. */
  readonly first: number;
  /** The index after the last row. */
  readonly end: number;
  /** Pixels from the top of the scrolled content to the first row. */
  readonly top: number;
  /** The height of the scrolled content, in pixels. */
  readonly height: number;
}

interface Viewport {
  /** The scrolled distance in pixels. */
  readonly scrollTop: number;
  readonly height: number;
  readonly rowHeight: number;
  readonly rows: number;
}

/** The maximum height in pixels. Firefox draws nothing beyond 17.8 million pixels, and Chromium nothing beyond 33.5 million. */
const highest = 8_000_000;
/** The number of rows drawn above and below the visible ones, so that a frame of scrolling shows no gap. */
const spare = 6;

export function rowWindow(viewport: Viewport): RowWindow {
  const { rowHeight, rows } = viewport;
  const height = contentHeight(viewport);
  const scrollTop = within(viewport.scrollTop, 0, Math.max(0, height - viewport.height));
  const atTop = firstAt(viewport, scrollTop);
  const first = Math.max(0, Math.floor(atTop) - spare);
  const end = Math.min(rows, Math.ceil(atTop + viewport.height / rowHeight) + spare);
  return { first, end, top: scrollTop - (atTop - first) * rowHeight, height };
}

/** Returns the nearest scroll position at which the entire row is visible. */
export function scrollTo(viewport: Viewport, row: number): number {
  const seen = viewport.height / viewport.rowHeight;
  const top = firstAt(viewport, viewport.scrollTop);
  const wanted = within(top, row + 1 - seen, row);
  if (wanted === top) return viewport.scrollTop;
  return within(wanted, 0, Math.max(0, viewport.rows - seen)) * pixelsPerRow(viewport);
}

function contentHeight({ rowHeight, rows }: Viewport): number {
  return Math.min(highest, rows * rowHeight);
}

/** Returns the index of the row at the upper edge. The fraction is the part of that row above the edge. */
function firstAt(viewport: Viewport, scrollTop: number): number {
  return scrollTop / pixelsPerRow(viewport);
}

/** Returns the scale. At the end of the scroll bar, the last row is at the lower edge. */
function pixelsPerRow(viewport: Viewport): number {
  const { rowHeight, rows } = viewport;
  const content = contentHeight(viewport);
  if (content === rows * rowHeight) return rowHeight;
  return (content - viewport.height) / (rows - viewport.height / rowHeight);
}

function within(value: number, least: number, most: number): number {
  return Math.min(Math.max(value, least), most);
}
