/**
 * The scrolled part of a grid.
 *
 * 1. The viewport is that of the element, whether the user, a key or a new size has changed it.
 * 2. Visible rows stay in their place when new rows are added above them, unless the grid is at its top.
 */
import { useSignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { GridColumn } from './gridColumns.ts';
import type { GridPlace } from './gridKeys.ts';
import { type RowWindow, rowWindow, scrollTo } from './rowWindow.ts';

/** An array, or an object that reads its rows when they become visible. A row is undefined until it has been read. */
interface GridRows<Row> {
  readonly length: number;
  readonly slice: (first: number, end: number) => readonly (Row | undefined)[];
}

export interface ScrolledGrid<Row> {
  readonly columns: readonly GridColumn[];
  readonly rows: GridRows<Row>;
  readonly keyOf: (row: Row) => string;
}

interface GridScroll {
  /** The element that scrolls. */
  readonly frame: RefObject<HTMLDivElement>;
  /** The rows to draw. */
  readonly shown: RowWindow;
  /** The number of rows by which Page Up and Page Down move. */
  readonly page: number;
  /** Scrolls until a cell is visible. */
  readonly reveal: (place: GridPlace) => void;
}

/** The height in pixels, the same as in grid.css. */
export const rowHeight = 28;

export function useGridScroll<Row>({ columns, rows, keyOf }: ScrolledGrid<Row>): GridScroll {
  const frame = useRef<HTMLDivElement>(null);
  const seen = useSignal({ scrollTop: 0, height: 600 });
  const viewport = { ...seen.value, rowHeight, rows: rows.length };
  const shown = rowWindow(viewport);

  useLayoutEffect(() => {
    const element = frame.current;
    if (element === null) return;
    const measure = (): void => {
      const next = { scrollTop: element.scrollTop, height: element.clientHeight - rowHeight };
      if (next.scrollTop !== seen.value.scrollTop || next.height !== seen.value.height) seen.value = next;
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    element.addEventListener('scroll', measure, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', measure);
    };
  }, [seen]);

  // A visible row of the previous drawing (invariant 2).
  const before = useRef({ key: '', at: 0, rows: 0 });
  useLayoutEffect(() => {
    const keyAt = (index: number): string | undefined => {
      const [row] = rows.slice(index, index + 1);
      return row && keyOf(row);
    };
    const { key, at, rows: countBefore } = before.current;
    const more = rows.length - countBefore;
    const element = frame.current;
    if (element !== null && more > 0 && element.scrollTop > 0 && keyAt(at + more) === key) {
      element.scrollTop += scrollTo({ ...viewport, scrollTop: 0, height: rowHeight }, more);
      seen.value = { ...seen.value, scrollTop: element.scrollTop };
    }
    const visible = Math.min(rows.length - 1, shown.first + 6);
    before.current = { key: keyAt(visible) ?? '', at: visible, rows: rows.length };
  });

  const reveal = ({ row, column }: GridPlace): void => {
    const element = frame.current;
    if (element === null) return;
    if (row >= 0) element.scrollTop = scrollTo(viewport, row);
    scrollSideways(element, columns, column);
    seen.value = { ...seen.value, scrollTop: element.scrollTop };
  };
  return { frame, shown, page: Math.max(1, Math.floor(viewport.height / rowHeight) - 1), reveal };
}

function scrollSideways(element: HTMLElement, columns: readonly GridColumn[], column: number): void {
  const left = columns.slice(0, column).reduce((sum, { width }) => sum + width, 0);
  const right = left + (columns[column]?.width ?? 0);
  if (left < element.scrollLeft) element.scrollLeft = left;
  else if (right > element.scrollLeft + element.clientWidth) element.scrollLeft = right - element.clientWidth;
}
