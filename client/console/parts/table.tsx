/** A table whose rows can be sorted. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import './table.css';

export interface TableColumn<T> {
  readonly title: string;
  readonly cell: (row: T) => ComponentChildren;
  /** Numbers are aligned to the right. */
  readonly align?: 'right';
  /** Returns the value for sorting when the title is clicked; absent: the column is not sortable. */
  readonly by?: (row: T) => string | number;
}

interface DataTableProps<T> {
  /** The caption for screen readers. */
  readonly caption: string;
  readonly columns: readonly TableColumn<T>[];
  readonly rows: readonly T[];
  readonly keyOf: (row: T) => string | number;
  /** The content that replaces a table without rows. */
  readonly empty?: ComponentChildren;
}

interface Order {
  readonly column: number;
  readonly direction: 'ascending' | 'descending';
}

/** A table for up to hundreds of rows. Larger tables need a grid that draws only visible rows. */
export function DataTable<T>({ caption, columns, rows, keyOf, empty }: DataTableProps<T>) {
  const [order, setOrder] = useState<Order>();
  if (rows.length === 0 && empty !== undefined) return empty;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must reach an element that scrolls
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields, and a region would be named like the part around it
    <div class="table-frame" role="group" aria-label={caption} tabIndex={0}>
      <table>
        <caption class="unseen">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column, index) => (
              <th
                key={column.title}
                scope="col"
                class={column.align}
                aria-sort={order?.column === index ? order.direction : undefined}
              >
                {column.by === undefined ? (
                  column.title
                ) : (
                  <button
                    type="button"
                    class="sort"
                    onClick={() => setOrder(nextOrder(order, index, column))}
                  >
                    {column.title}
                  </button>
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {sortRows(rows, columns, order).map((row) => (
            <tr key={keyOf(row)}>
              {columns.map((column) => (
                <td key={column.title} class={column.align}>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/**
 * Returns the order after a click. Numbers are sorted from the largest, and names from the first; the next click reverses the
 * order.
 */
function nextOrder<T>(order: Order | undefined, column: number, { align }: TableColumn<T>): Order {
  const first = align === 'right' ? 'descending' : 'ascending';
  const second = align === 'right' ? 'ascending' : 'descending';
  return { column, direction: order?.column === column && order.direction === first ? second : first };
}

function sortRows<T>(
  rows: readonly T[],
  columns: readonly TableColumn<T>[],
  order: Order | undefined,
): readonly T[] {
  const by = order === undefined ? undefined : columns[order.column]?.by;
  if (by === undefined || order === undefined) return rows;
  const sign = order.direction === 'ascending' ? 1 : -1;
  return rows.toSorted((one, other) => sign * compare(by(one), by(other)));
}

function compare(one: string | number, other: string | number): number {
  if (typeof one === 'number' && typeof other === 'number') return one - other;
  return String(one).localeCompare(String(other));
}
