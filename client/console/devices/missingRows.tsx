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
import { EmptyState } from '../parts/empty.tsx';
import { TextField } from '../parts/field.tsx';
import { type MissingQuestion, useMissing } from './findMissing.ts';
import type { DeviceOwner, DeviceState } from './follow.ts';
import { adviceFor, amountMissing, emptyTitle } from './missingWords.ts';
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
  const { search, opened, ...found } = useMissing(question);
  const { rows } = found;
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
        <EmptyState title={emptyTitle(found, search.value)}>
          <p>{found.problem !== undefined && adviceFor(found.problem)}</p>
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
      {(rows.length > 0 || found.after !== undefined) && (
        <p class="hint">
          {amountMissing(found, table)}{' '}
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
