// biome-ignore-all lint/a11y/useSemanticElements: a table cannot draw only a part of a million rows
// biome-ignore-all lint/a11y/useKeyWithClickEvents: the grid handles all keys
// biome-ignore-all lint/a11y/useFocusableInteractive: the cells have the focus
/**
 * A grid with any number of rows, of which only the visible ones are in the page. The grid is one tab stop. The arrow keys,
 * Home, End, Page Up and Page Down move between the cells, and Enter opens a cell.
 */
import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { absentCell, type GridCell, shownText } from './cells.ts';
import { type GridPlace, moveBy } from './gridKeys.ts';
import { rowHeight, type ScrolledGrid, useGridScroll } from './gridScroll.ts';
import './grid.css';

interface GridProps<Row> extends ScrolledGrid<Row> {
  /** The name for screen readers. */
  readonly label: string;
  readonly cell: (row: Row, column: string) => GridCell;
  /** Returns an element that is drawn instead of the value. */
  readonly draw?: (row: Row, column: string) => ComponentChildren | undefined;
  /** Returns a class for the row's latest change. */
  readonly markOf?: (row: Row) => string | undefined;
  readonly isChosen?: (row: Row) => boolean;
  /** Called for Enter or a double click. */
  readonly onOpen?: (row: Row, column: string) => void;
  readonly onDelete?: (row: Row) => void;
  /** Called with the visible range of rows: `first` inclusive, `end` exclusive. */
  readonly onWindow?: (first: number, end: number) => void;
  /** Called for a click on a heading, or for Enter on it. */
  readonly onSort?: (column: string) => void;
  readonly sorted?: { readonly column: string; readonly direction: 'ascending' | 'descending' } | undefined;
}

export function Grid<Row>(props: GridProps<Row>) {
  const { label, columns, rows, keyOf, onSort, sorted } = props;
  const { frame, shown, page, reveal } = useGridScroll(props);
  const { first, end, top, height } = shown;
  const place = useSignal<GridPlace>({ row: 0, column: 0 });
  /** Set by a key, so that the cell takes the focus when it is drawn. */
  const isMoving = useRef(false);
  const rowAt = (index: number): Row | undefined => rows.slice(index, index + 1)[0];
  const active: GridPlace = {
    row: Math.min(place.value.row, rows.length - 1),
    column: Math.max(0, Math.min(place.value.column, columns.length - 1)),
  };

  useEffect(() => props.onWindow?.(first, end), [first, end, props.onWindow]);

  // The focus moves only when the cell has been drawn, because an effect of an earlier drawing may run after the key.
  useLayoutEffect(() => {
    if (!isMoving.current) return;
    isMoving.current = false;
    frame.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus({ preventScroll: true });
  });

  const press = (event: KeyboardEvent): void => {
    const target = event.target as HTMLElement;
    if (target.closest('input, textarea') !== null) return;
    const row = active.row < 0 ? undefined : rowAt(active.row);
    const column = columns[active.column];
    if (column === undefined) return;
    if (event.key === 'Enter') {
      event.preventDefault();
      if (active.row === -1) onSort?.(column.name);
      else if (row !== undefined) open(row, column.name);
      return;
    }
    if (event.key === 'Delete' && row !== undefined) props.onDelete?.(row);
    const next = moveBy(event, active, { rows: rows.length, columns: columns.length, page });
    if (next === undefined) return;
    event.preventDefault();
    isMoving.current = true;
    reveal(next);
    place.value = next;
  };
  const open = (row: Row, column: string): void => props.onOpen?.(row, column);

  const template = columns.map(({ width }, index) =>
    index === columns.length - 1 ? `minmax(${width}px, 1fr)` : `${width}px`,
  );
  const style = { gridTemplateColumns: template.join(' ') };
  const tabIndexOf = (row: number, column: number): 0 | -1 =>
    row === active.row && column === active.column ? 0 : -1;
  // The focused cell stays in the page when it is scrolled away, because the keyboard would lose its position otherwise.
  const isAway = active.row >= 0 && (active.row < first || active.row >= end);
  const drawn = rows.slice(first, end);

  const drawRow = (row: Row | undefined, index: number, y: number) => (
    <div
      key={row === undefined ? index : keyOf(row)}
      role="row"
      class={`grid-row ${(row && props.markOf?.(row)) ?? ''}`}
      aria-rowindex={index + 2}
      aria-selected={row !== undefined && props.isChosen?.(row) === true ? true : undefined}
      style={{ ...style, transform: `translateY(${y}px)` }}
    >
      {columns.map(({ name }, column) => {
        const cell = row === undefined ? absentCell : props.cell(row, name);
        return (
          <div
            key={name}
            role="gridcell"
            class={`grid-cell ${cell.kind}`}
            aria-colindex={column + 1}
            tabIndex={tabIndexOf(index, column)}
            onFocus={() => {
              if (tabIndexOf(index, column) === -1) place.value = { row: index, column };
            }}
            onDblClick={() => row !== undefined && open(row, name)}
          >
            {(row && props.draw?.(row, name)) ?? shownText(cell)}
          </div>
        );
      })}
    </div>
  );

  return (
    <div
      ref={frame}
      class="grid"
      role="grid"
      aria-label={label}
      aria-rowcount={rows.length + 1}
      aria-colcount={columns.length}
      aria-readonly={props.onOpen === undefined}
      onKeyDown={press}
    >
      <div role="rowgroup" class="grid-head">
        <div role="row" class="grid-row" aria-rowindex={1} style={style}>
          {columns.map(({ name }, column) => (
            <div
              key={name}
              role="columnheader"
              class="grid-cell"
              aria-colindex={column + 1}
              aria-sort={sorted?.column === name ? sorted.direction : undefined}
              tabIndex={tabIndexOf(-1, column)}
              onClick={() => onSort?.(name)}
              onFocus={() => {
                if (tabIndexOf(-1, column) === -1) place.value = { row: -1, column };
              }}
            >
              {name}
            </div>
          ))}
        </div>
      </div>
      <div role="rowgroup" class="grid-body" style={{ height: `${height}px` }}>
        {drawn.map((row, index) => drawRow(row, first + index, top + index * rowHeight))}
        {isAway && drawRow(rowAt(active.row), active.row, -10 * rowHeight)}
      </div>
    </div>
  );
}
