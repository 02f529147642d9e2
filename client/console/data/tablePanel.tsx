/** One table: its rows, page by page while scrolling, and the changes made here. */

import { useSignal, useSignalEffect } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { fieldsOf, numberIn, textIn } from '../../api/reading.ts';
import { shownName } from '../../api/tableName.ts';
import { useConsole } from '../console.ts';
import type { GridCell } from '../grid/cells.ts';
import { Grid } from '../grid/grid.tsx';
import { type GridColumn, widthOf } from '../grid/gridColumns.ts';
import { amountText } from '../parts/amounts.ts';
import { TextField } from '../parts/field.tsx';
import { Icon } from '../parts/icon.tsx';
import { Sentence } from '../parts/sentence.tsx';
import { showToast } from '../parts/toast.tsx';
import { CellEditor } from './cellEditor.tsx';
import type { KnownRows } from './chosenRows.ts';
import { JourneyLine } from './journeyLine.tsx';
import { NewRow } from './newRow.tsx';
import { type OwnTable, readSql } from './ownTables.ts';
import { type DataRow, keyOf, type RowOrder } from './pages.ts';
import { TableRows } from './tableRows.ts';

interface TablePanelProps {
  readonly table: OwnTable;
  /** The initial text to search for. */
  readonly find: string;
  readonly canWrite: boolean;
}

interface Editing {
  readonly row: DataRow;
  readonly column: string;
}

/** The delay after typing, in milliseconds. */
const typing = 300;

export function TablePanel({ table, find, canWrite }: TablePanelProps) {
  const { transport, service } = useConsole();
  const search = useSignal(find);
  const order = useSignal<RowOrder | undefined>(undefined);
  const editing = useSignal<Editing | undefined>(undefined);
  const isAdding = useSignal(false);
  const journey = useSignal<number | undefined>(undefined);
  const rows = useRows(table, search.value.trim(), order.value);
  const hasKey = table.columns.some(({ isKey }) => isKey);
  const mayWrite = canWrite && hasKey;

  // Read the rows again, because any synced operation may have changed them.
  useSignalEffect(() => {
    service.lastOp.value;
    service.returns.value;
    if (editing.value === undefined) void rows.refresh();
  });

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
    await rows.refresh();
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

  const known = rows.known.value;
  const { problem } = known;
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
        <p class="hint grow">{[countText(known), whatCan(canWrite, hasKey)].join(' ')}</p>
      </div>
      {problem !== undefined && (
        <p class="note">
          <Sentence text={problem} />
        </p>
      )}
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
          columns={columnsFor(table, known.slice(0, 40))}
          rows={known}
          keyOf={(row) => JSON.stringify(keyOf(table, row) ?? [...row.values.values()])}
          cell={(row, column) => cellFor(table, row, column)}
          sorted={order.value}
          onSort={(column) => {
            const isSame = order.value?.column === column && order.value.direction === 'ascending';
            order.value = { column, direction: isSame ? 'descending' : 'ascending' };
          }}
          onWindow={rows.look}
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

/** Returns the rows. A search begins shortly after the user has typed. */
function useRows(table: OwnTable, search: string, order: RowOrder | undefined): TableRows {
  const { transport } = useConsole();
  const rows = useMemo(
    () =>
      new TableRows({
        table,
        read: (query, args, signal) => readSql(transport, query, args, signal),
        now: () => performance.now(),
        sleep: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
      }),
    [table, transport],
  );
  useEffect(() => rows.end, [rows]);
  useEffect(() => {
    const timer = setTimeout(() => rows.want({ search, order }), search === '' ? 0 : typing);
    return () => clearTimeout(timer);
  }, [rows, search, order]);
  return rows;
}

function countText({ count, problem }: KnownRows): string {
  if (count !== undefined) return `${amountText(count, 'row')}.`;
  return problem === undefined ? 'Counting the rows …' : 'The number of rows is unknown.';
}

function whatCan(canWrite: boolean, hasKey: boolean): string {
  if (!canWrite) return 'Read-only, because the database does not belong to the service.';
  if (!hasKey) return 'Read-only, because the table has no primary key.';
  return 'Enter changes a cell, Delete removes a row.';
}

function columnsFor({ columns }: OwnTable, sample: readonly (DataRow | undefined)[]): readonly GridColumn[] {
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
