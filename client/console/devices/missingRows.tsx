/** The source rows that are not on a device, each with the reason. */
import { useSignal } from '@preact/signals';
import { useLayoutEffect } from 'preact/hooks';
import type { SourceRowAnswer } from '../../api/explained.ts';
import type { Subscription } from '../../api/synced.ts';
import { shownName } from '../../api/tableName.ts';
import { useConsole } from '../console.ts';
import { absentCell } from '../grid/cells.ts';
import { Grid } from '../grid/grid.tsx';
import { cellIn, type GridColumn, gridColumnsOf } from '../grid/gridColumns.ts';
import { amountText } from '../parts/amounts.ts';
import { EmptyState } from '../parts/empty.tsx';
import { TextField } from '../parts/field.tsx';
import { type MissingQuestion, type MissingReading, useMissing } from './findMissing.ts';
import type { DeviceOwner, DeviceState } from './follow.ts';
import { WhyPanel } from './whyPanel.tsx';

interface MissingRowsProps {
  readonly owner: DeviceOwner;
  readonly state: DeviceState;
  readonly askedTable: string | undefined;
  /** The text to search for in the rows. */
  readonly find: string;
  /** Adds a subscription, through which the device receives rows of a table. */
  readonly onSubscribe: (subscription: Subscription, table: string | undefined) => void;
}

/** The number of rows above which no more can be read. */
const mostRows = 5_000;

export function MissingRows({ owner, state, askedTable, find, onSubscribe }: MissingRowsProps) {
  const { service } = useConsole();
  const known = (service.diagnosis.value?.active?.tables ?? []).map((table) => ({
    ...table,
    shown: shownName(table),
  }));
  const tables = known.map(({ shown }) => shown).sort();
  const chosen = useSignal<string | undefined>(askedTable);
  // The address may name another table while the screen is open. Applied before the user can choose one, which it would overwrite.
  useLayoutEffect(() => {
    chosen.value = askedTable;
  }, [askedTable, find, chosen]);
  const wanted = tables.find((name) => name === chosen.value) ?? tables[0];
  const named = known.find(({ shown }) => shown === wanted);
  if (named === undefined)
    return (
      <EmptyState title="No table is synced">
        <p>Once a sync config is active, the rows of its tables are shown here.</p>
      </EmptyState>
    );
  return (
    <RowsOf
      owner={owner}
      state={state}
      table={named.shown}
      schema={named.schema}
      name={named.name}
      tables={tables}
      find={find}
      onSubscribe={onSubscribe}
      onChoose={(name) => {
        chosen.value = name;
      }}
    />
  );
}

interface RowsOfProps extends MissingQuestion, Pick<MissingRowsProps, 'onSubscribe'> {
  /** The shown name of the table. */
  readonly table: string;
  readonly tables: readonly string[];
  readonly onChoose: (table: string) => void;
}

const whyColumn: GridColumn = { name: 'Why?', width: 74 };

function RowsOf({ table, tables, onChoose, onSubscribe, ...question }: RowsOfProps) {
  const { owner, state } = question;
  const { search, opened, rows, ...found } = useMissing(question);
  return (
    <>
      <div class="tools">
        <label class="copy">
          <span>Table</span>
          <select value={table} onChange={({ currentTarget }) => onChoose(currentTarget.value)}>
            {tables.map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <TextField
          label={`Find in ${table}`}
          type="search"
          value={search.value}
          onInput={(value) => {
            search.value = value;
          }}
        />
        <button type="button" class="button" onClick={found.readAgain}>
          Look again
        </button>
      </div>
      {rows.length === 0 ? (
        <EmptyState title={titleOf({ ...found, search })}>
          <p>{adviceFor(found.problem)}</p>
        </EmptyState>
      ) : (
        <div class="fill">
          <Grid<SourceRowAnswer>
            label={`Rows of ${table} that are not on the device of ${owner.user}`}
            columns={[whyColumn, ...gridColumnsOf(rows)]}
            rows={rows}
            keyOf={(row) => row.data}
            cell={(row, column) => (column === whyColumn.name ? absentCell : cellIn(row, column))}
            draw={(row, column) =>
              column === whyColumn.name ? (
                <button
                  type="button"
                  class="why"
                  tabIndex={-1}
                  onClick={() => {
                    opened.value = row;
                  }}
                >
                  Why?
                </button>
              ) : undefined
            }
            isChosen={(row) => row === opened.value}
            onOpen={(row) => {
              opened.value = row;
            }}
          />
        </div>
      )}
      {rows.length > 0 && (
        <p class="hint">
          {amountText(rows.length, 'row')} of {table} {rows.length === 1 ? 'is' : 'are'} not on this device
          {found.after === undefined ? '.' : ' so far.'}{' '}
          {found.after !== undefined && rows.length < mostRows && (
            <button type="button" class="button" disabled={found.isReading} onClick={found.readMore}>
              Look for more
            </button>
          )}
        </p>
      )}
      {opened.value && (
        <WhyPanel
          row={opened.value}
          user={owner.user}
          table={table}
          content={found.content}
          problems={state.problems.value}
          onSubscribe={(subscription) => onSubscribe(subscription, opened.value?.targets[0]?.table)}
          onClose={() => {
            opened.value = undefined;
          }}
        />
      )}
    </>
  );
}

function titleOf({ isReading, isRead, problem, search }: Omit<MissingReading, 'rows' | 'opened'>): string {
  if (problem !== undefined) return 'Cannot read the rows of the source';
  if (isReading) return 'Reading the source …';
  if (!isRead) return 'No query reads this table';
  return search.value.trim() === ''
    ? 'Nothing is missing: all rows of this table are on the device'
    : 'No missing row matches the search: the row is on the device, or does not exist';
}

function adviceFor(problem: string | undefined): string {
  if (problem === undefined) return '';
  if (/not enabled/.test(problem))
    return 'The service does not allow queries of its source. To allow them, add debug_api: true to the connection in the service config.';
  return problem;
}
