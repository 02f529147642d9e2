/** One table: its rows, page by page as they are scrolled to, and the changes that are made here. */
import { useSignal } from '@preact/signals';
import { useCallback, useEffect, useRef } from 'preact/hooks';
import { fieldsOf, numberIn, textIn } from '../../api/reading.ts';
import { useConsole } from '../console.ts';
import type { GridCell } from '../grid/cells.ts';
import { type GridColumn, widthOf } from '../grid/columns.ts';
import { Grid } from '../grid/grid.tsx';
import { TextField } from '../parts/field.tsx';
import { Icon } from '../parts/icon.tsx';
import { showToast } from '../parts/toast.tsx';
import { amountText } from '../parts/words.ts';
import { CellEditor } from './cellEditor.tsx';
import { JourneyLine } from './journeyLine.tsx';
import { NewRow } from './newRow.tsx';
import {
  countStatement,
  type DataRow,
  keyOf,
  most,
  pageStatement,
  type RowOrder,
  readDataRow,
  searchArguments,
} from './pages.ts';
import { type OwnTable, readSql, shownName } from './tables.ts';

interface TablePanelProps {
  readonly table: OwnTable;
  readonly canWrite: boolean;
}

interface RowsRead {
  readonly rows: (DataRow | undefined)[];
  readonly problem?: string;
}

interface Editing {
  readonly row: DataRow;
  readonly column: string;
}

/** Milliseconds. */
const pauses = { typing: 300, news: 250 };

export function TablePanel({ table, canWrite }: TablePanelProps) {
  const { transport, service } = useConsole();
  const search = useSignal('');
  const order = useSignal<RowOrder | undefined>(undefined);
  const read = useSignal<RowsRead>({ rows: [] });
  const seen = useRef({ first: 0, end: 60 });
  const pages = useRef(new Set<number>());
  const turn = useRef(0);
  const editing = useSignal<Editing | undefined>(undefined);
  const isAdding = useSignal(false);
  const journey = useSignal<number | undefined>(undefined);
  const wanted = { table, search: search.value.trim(), order: order.value };
  const hasKey = table.columns.some(({ isKey }) => isKey);
  const mayWrite = canWrite && hasKey;

  const readPages = useCallback(
    async (of: typeof wanted, now: number): Promise<void> => {
      const { first, end } = seen.current;
      for (let page = Math.floor(first / most.rows); page * most.rows < end; page += 1) {
        if (pages.current.has(page)) continue;
        pages.current.add(page);
        const found = await readSql(transport, pageStatement(of, page), searchArguments(of)).catch(
          (error: Error) => error,
        );
        if (turn.current !== now) return;
        if (found instanceof Error) {
          read.value = { ...read.peek(), problem: found.message };
          return;
        }
        const { rows } = read.peek();
        for (const [index, cells] of found.rows.entries())
          rows[page * most.rows + index] = readDataRow(of.table, cells);
        read.value = { rows };
      }
    },
    [transport, read],
  );

  /** What was read stays until it is read again. */
  const readAll = useCallback(
    async (of: typeof wanted): Promise<void> => {
      turn.current += 1;
      const now = turn.current;
      const counted = await readSql(transport, countStatement(of), searchArguments(of)).catch(
        (error: Error) => error,
      );
      if (turn.current !== now) return;
      if (counted instanceof Error) {
        read.value = { rows: [], problem: counted.message };
        return;
      }
      const rows = read.peek().rows.slice();
      rows.length = Number(counted.rows[0]?.[0] ?? 0);
      pages.current = new Set();
      read.value = { rows };
      await readPages(of, now);
    },
    [transport, read, readPages],
  );

  const key = JSON.stringify([wanted.search, wanted.order]);
  useEffect(() => {
    read.value = { rows: [] };
    const timer = setTimeout(() => void readAll(wanted), wanted.search === '' ? 0 : pauses.typing);
    return () => clearTimeout(timer);
  }, [key, readAll]);
  // Whatever is synced may be a change of these rows.
  const lastOp = service.lastOp.value;
  useEffect(() => {
    if (turn.current === 0 || editing.peek() !== undefined) return;
    const timer = setTimeout(() => void readAll(wanted), pauses.news);
    return () => clearTimeout(timer);
  }, [lastOp]);

  const write = async (change: 'insert' | 'update' | 'delete', rest: object): Promise<boolean> => {
    const { schema, name } = table;
    const answer = await transport
      .call('POST', '/api/admin/v1/write-row', { schema, table: name, change, ...rest })
      .catch((error: Error) => ({ data: { success: false, error: error.message } }));
    const data = fieldsOf(fieldsOf(answer).data);
    if (data.success !== true) {
      showToast('failed', textIn(data, 'error') ?? 'The row was not written.');
      return false;
    }
    journey.value = numberIn(data, 'journey');
    await readAll(wanted);
    return true;
  };
  const finish = async (value: string | null): Promise<void> => {
    const now = editing.peek();
    const row = now && keyOf(table, now.row);
    if (now === undefined || row === undefined || now.row.values.get(now.column) === value) {
      editing.value = undefined;
      return;
    }
    if (await write('update', { key: row, values: { [now.column]: value } })) editing.value = undefined;
  };
  const remove = (row: DataRow): void => {
    const found = keyOf(table, row);
    if (!mayWrite || found === undefined) return;
    const shown = Object.values(found).join(', ');
    if (window.confirm(`Delete ${shown} from ${shownName(table)}?`)) void write('delete', { key: found });
  };

  const { rows, problem } = read.value;
  return (
    <section class="pane device" aria-label={shownName(table)}>
      <div class="tools">
        <TextField
          label={`Find in ${shownName(table)}`}
          type="search"
          value={search.value}
          onInput={(text) => {
            search.value = text;
          }}
        />
        {mayWrite && (
          <button
            type="button"
            class="button"
            onClick={() => {
              isAdding.value = true;
            }}
          >
            <Icon name="add" />
            New row
          </button>
        )}
        <p class="hint grow">{sayWhatCan(canWrite, hasKey, rows.length)}</p>
      </div>
      {problem !== undefined && <p class="note">{problem}</p>}
      {isAdding.value && (
        <NewRow
          table={table}
          onClose={() => {
            isAdding.value = false;
          }}
          onAdd={(values) => write('insert', { values })}
        />
      )}
      <div class="fill">
        <Grid<DataRow>
          label={`Rows of ${shownName(table)}`}
          columns={columnsFor(table, rows)}
          rows={rows}
          keyOf={(row) => JSON.stringify(keyOf(table, row) ?? [...row.values.values()])}
          cell={(row, column) => cellFor(table, row, column)}
          sorted={order.value}
          onSort={(column) => {
            const isSame = order.value?.column === column && order.value.direction === 'ascending';
            order.value = { column, direction: isSame ? 'descending' : 'ascending' };
          }}
          onWindow={(first, end) => {
            seen.current = { first, end };
            if (turn.current > 0) void readPages(wanted, turn.current);
          }}
          onOpen={(row, column) => {
            const info = table.columns.find(({ name }) => name === column);
            if (row.cut.has(column)) showToast('failed', 'This value is too long to be edited here.');
            else if (info?.isGenerated) showToast('failed', `${column} is computed by the database.`);
            else if (mayWrite) editing.value = { row, column };
          }}
          onDelete={remove}
          draw={(row, column) => {
            const now = editing.value;
            if (now?.row !== row || now.column !== column) return undefined;
            return (
              <CellEditor
                label={`${column} of ${shownName(table)}`}
                value={row.values.get(column) ?? null}
                onFinish={(value) => void finish(value)}
                onCancel={() => {
                  editing.value = undefined;
                }}
              />
            );
          }}
        />
      </div>
      {journey.value !== undefined && <JourneyLine key={journey.value} id={journey.value} />}
    </section>
  );
}

function sayWhatCan(canWrite: boolean, hasKey: boolean, count: number): string {
  const rows = amountText(count, 'row');
  if (!canWrite) return `${rows}. The database does not belong to the service, so it is only read here.`;
  if (!hasKey) return `${rows}. The table has no primary key, so none of them can be changed here.`;
  return `${rows}. Enter changes a cell, Delete removes a row.`;
}

function columnsFor({ columns }: OwnTable, rows: readonly (DataRow | undefined)[]): readonly GridColumn[] {
  const sample = rows.slice(0, 40);
  return columns.map(({ name }) => ({
    name,
    width: widthOf(
      sample.reduce(
        (longest, row) => Math.max(longest, Math.min(40, row?.values.get(name)?.length ?? 0)),
        name.length + 2,
      ),
    ),
  }));
}

const numbers = /^(smallint|integer|bigint|numeric|real|double precision)/;

function cellFor({ columns }: OwnTable, row: DataRow, column: string): GridCell {
  const value = row.values.get(column) ?? null;
  if (value === null) return { kind: 'null', text: '' };
  const length = row.cut.get(column);
  if (length !== undefined) return { kind: 'text', text: value, length };
  const isNumber = numbers.test(columns.find(({ name }) => name === column)?.type ?? '');
  return { kind: isNumber ? 'number' : 'text', text: value };
}
