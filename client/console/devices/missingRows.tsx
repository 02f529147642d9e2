/** The source rows that are not on a device, each with the reason. */
import { useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { explainPath, readExplained, type SourceRowAnswer } from '../../api/explained.ts';
import type { Subscription } from '../../api/synced.ts';
import { shownName } from '../../api/tableName.ts';
import { useConsole } from '../console.ts';
import { absentCell } from '../grid/cells.ts';
import { Grid } from '../grid/grid.tsx';
import { cellIn, type GridColumn, gridColumnsOf } from '../grid/gridColumns.ts';
import { CallFailure } from '../link/transport.ts';
import { amountText } from '../parts/amounts.ts';
import { EmptyState } from '../parts/empty.tsx';
import { TextField } from '../parts/field.tsx';
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

interface Findings {
  readonly content: string;
  readonly isRead: boolean;
  readonly rows: readonly SourceRowAnswer[];
  readonly after?: string | undefined;
  readonly problem?: string | undefined;
}

const nothing: Findings = { content: '', isRead: true, rows: [] };

/** The maximum number of pages that are read automatically until a row can be shown, and of rows that are kept. */
const most = { pages: 10, rows: 5_000 };
/** The delay after typing, in milliseconds. */
const typing = 300;

export function MissingRows({ owner, state, askedTable, find, onSubscribe }: MissingRowsProps) {
  const { service } = useConsole();
  const known = new Map(
    (service.diagnosis.value?.active?.tables ?? []).map(({ schema, name }): [string, TableName] => [
      shownName({ schema, name }),
      { schema, name },
    ]),
  );
  const tables = [...known.keys()].sort();
  const chosen = useSignal<string | undefined>(askedTable);
  // The address may name another table while the screen is open. Applied before the user can choose one, which it would overwrite.
  useLayoutEffect(() => {
    chosen.value = askedTable;
  }, [askedTable, find, chosen]);
  const table = tables.find((name) => name === chosen.value) ?? tables[0];
  const named = table === undefined ? undefined : known.get(table);
  if (table === undefined || named === undefined)
    return (
      <EmptyState title="No table is synced">
        <p>Once a sync config is active, the rows of its tables are shown here.</p>
      </EmptyState>
    );
  return (
    <RowsOf
      owner={owner}
      state={state}
      table={table}
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

interface TableName {
  readonly schema: string;
  readonly name: string;
}

interface RowsOfProps extends Pick<MissingRowsProps, 'owner' | 'state' | 'find' | 'onSubscribe'>, TableName {
  /** The shown name of the table. */
  readonly table: string;
  readonly tables: readonly string[];
  readonly onChoose: (table: string) => void;
}

const whyColumn: GridColumn = { name: 'Why?', width: 74 };

function RowsOf({ owner, state, table, schema, name, tables, find, onChoose, onSubscribe }: RowsOfProps) {
  const { transport, service } = useConsole();
  const returns = service.returns.value;
  const search = useSignal(find);
  useLayoutEffect(() => {
    search.value = find;
  }, [find, search]);
  const found = useSignal<Findings>(nothing);
  const isReading = useSignal(true);
  const round = useSignal(0);
  const opened = useSignal<SourceRowAnswer | undefined>(undefined);
  const end = useRef(new AbortController());
  // Rows that arrive in the meantime are no longer missing.
  state.pictures.value;
  const device = state.device();
  const isHere = ({ targets }: SourceRowAnswer): boolean =>
    targets.some(({ table: name, id }) => device.tables.get(name)?.has(id) === true);

  async function readOn(before: Findings, signal: AbortSignal): Promise<void> {
    isReading.value = true;
    let all = before;
    for (let page = 0; page < most.pages; page += 1) {
      const body = {
        ...device.body(owner.question, ''),
        buckets: [],
        claims: { ...owner.claims, sub: owner.user },
        schema,
        table: name,
        search: search.peek(),
        after: all.after ?? '',
      };
      const next = await transport.call('POST', explainPath, body, signal).then(readExplained, asProblem);
      if (signal.aborted) return;
      const missing = next.rows.filter((row) => !isHere(row));
      all = { ...next, rows: [...all.rows, ...missing] };
      found.value = all;
      if (next.after === undefined || all.rows.length >= 50) break;
    }
    isReading.value = false;
    const [only, ...others] = all.rows;
    // Opened from a link to one row: expand that row.
    if (find !== '' && search.peek() === find && only && others.length === 0) opened.value = only;
  }

  useEffect(() => {
    const reading = new AbortController();
    end.current = reading;
    const timer = setTimeout(
      () => {
        opened.value = undefined;
        found.value = nothing;
        void readOn(nothing, reading.signal);
      },
      search.value === '' ? 0 : typing,
    );
    return () => {
      clearTimeout(timer);
      reading.abort();
    };
  }, [table, search.value, round.value, returns, owner]);

  const missing = found.value.rows.filter((row) => !isHere(row));
  const { after, problem, isRead, content } = found.value;
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
        <button
          type="button"
          class="button"
          onClick={() => {
            round.value += 1;
          }}
        >
          Look again
        </button>
      </div>
      {missing.length === 0 ? (
        <EmptyState title={titleOf(isReading.value, isRead, problem, search.value)}>
          <p>{adviceFor(problem)}</p>
        </EmptyState>
      ) : (
        <div class="fill">
          <Grid<SourceRowAnswer>
            label={`Rows of ${table} that are not on the device of ${owner.user}`}
            columns={[whyColumn, ...gridColumnsOf(missing)]}
            rows={missing}
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
      {missing.length > 0 && (
        <p class="hint">
          {amountText(missing.length, 'row')} of {table} {missing.length === 1 ? 'is' : 'are'} not on this
          device
          {after === undefined ? '.' : ' so far.'}{' '}
          {after !== undefined && missing.length < most.rows && (
            <button
              type="button"
              class="button"
              disabled={isReading.value}
              onClick={() => void readOn(found.value, end.current.signal)}
            >
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
          content={content}
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

const noExplanation =
  'This service cannot explain rows. In VS Code, Headwater: Explain Row shows who gets a row and which condition excludes it.';

function asProblem(error: unknown): Findings {
  if (error instanceof CallFailure && error.kind === 'absent') return { ...nothing, problem: noExplanation };
  return { ...nothing, problem: error instanceof Error ? error.message : String(error) };
}

function titleOf(isReading: boolean, isRead: boolean, problem: string | undefined, search: string): string {
  if (problem !== undefined) return 'Cannot read the rows of the source';
  if (isReading) return 'Reading the source …';
  if (!isRead) return 'No query reads this table';
  return search.trim() === ''
    ? 'Nothing is missing: all rows of this table are on the device'
    : 'No missing row matches the search: the row is on the device, or does not exist';
}

function adviceFor(problem: string | undefined): string {
  if (problem === undefined) return '';
  if (/not enabled/.test(problem))
    return 'The service does not allow queries of its source. To allow them, add debug_api: true to the connection in the service config.';
  return problem;
}
