/** The panel for a read-only statement, with completions and the resulting rows. */
import { useSignal } from '@preact/signals';
import { useId, useRef } from 'preact/hooks';
import { useConsole } from '../console.ts';
import type { GridCell } from '../grid/cells.ts';
import { Grid } from '../grid/grid.tsx';
import { widthOf } from '../grid/gridColumns.ts';
import { amountText } from '../parts/amounts.ts';
import { offerSql, type SqlOffer } from './completeSql.ts';
import { type OwnTable, type ReadingResult, readSql } from './ownTables.ts';

type Ran =
  | { readonly kind: 'nothing' | 'running' }
  | { readonly kind: 'failed'; readonly why: string }
  | { readonly kind: 'rows'; readonly result: ReadingResult; readonly ms: number };

export function SqlPanel({ tables }: { readonly tables: readonly OwnTable[] }) {
  const { transport } = useConsole();
  const id = useId();
  const area = useRef<HTMLTextAreaElement>(null);
  const text = useSignal('');
  const outcome = useSignal<Ran>({ kind: 'nothing' });
  const offers = useSignal<{
    readonly list: readonly SqlOffer[];
    readonly typed: number;
    readonly at: number;
  }>({
    list: [],
    typed: 0,
    at: 0,
  });

  const run = async (): Promise<void> => {
    offers.value = { list: [], typed: 0, at: 0 };
    outcome.value = { kind: 'running' };
    const begun = performance.now();
    outcome.value = await readSql(transport, text.value).then(
      (result): Ran => ({ kind: 'rows', result, ms: Math.round(performance.now() - begun) }),
      (error: unknown): Ran => ({
        kind: 'failed',
        why: error instanceof Error ? error.message : String(error),
      }),
    );
  };
  const complete = (): void => {
    const cursor = area.current?.selectionStart ?? text.value.length;
    const found = offerSql(text.value, cursor, tables);
    offers.value = { list: found.offers, typed: found.typed, at: 0 };
  };
  const accept = (offer: SqlOffer): void => {
    const cursor = area.current?.selectionStart ?? text.value.length;
    const start = cursor - offers.value.typed;
    text.value = `${text.value.slice(0, start)}${offer.text}${text.value.slice(cursor)}`;
    offers.value = { list: [], typed: 0, at: 0 };
    const end = start + offer.text.length;
    requestAnimationFrame(() => {
      area.current?.focus();
      area.current?.setSelectionRange(end, end);
    });
  };
  const press = (event: KeyboardEvent): void => {
    const { list, at, typed } = offers.value;
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      void run();
      return;
    }
    if (event.key === ' ' && event.ctrlKey) {
      event.preventDefault();
      complete();
      return;
    }
    if (list.length === 0) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const chosen = list[at];
    if (step !== undefined) offers.value = { list, typed, at: (at + step + list.length) % list.length };
    else if ((event.key === 'Enter' || event.key === 'Tab') && chosen) accept(chosen);
    else if (event.key === 'Escape') offers.value = { list: [], typed: 0, at: 0 };
    else return;
    event.preventDefault();
  };
  const { list, at } = offers.value;
  const found = outcome.value;
  return (
    <section class="pane device" aria-label="SQL">
      <div class="sql">
        <label for={id}>Read-only statement</label>
        <textarea
          ref={area}
          id={id}
          rows={5}
          spellcheck={false}
          autocomplete="off"
          aria-autocomplete="list"
          aria-controls={`${id}-offers`}
          aria-activedescendant={list.length > 0 ? `${id}-${at}` : undefined}
          placeholder="SELECT * FROM …"
          value={text.value}
          onInput={({ currentTarget }) => {
            text.value = currentTarget.value;
            complete();
          }}
          onKeyDown={press}
          onBlur={() => {
            offers.value = { list: [], typed: 0, at: 0 };
          }}
        />
        <div id={`${id}-offers`} class="offers" role="listbox" aria-label="Suggestions">
          {list.map((offer, index) => (
            // biome-ignore lint/a11y/useFocusableInteractive: the box has the focus
            <div
              key={offer.text}
              id={`${id}-${index}`}
              role="option"
              aria-selected={index === at}
              onMouseDown={(event) => {
                event.preventDefault();
                accept(offer);
              }}
            >
              {offer.text} <span class="kind">{offer.kind}</span>
            </div>
          ))}
        </div>
      </div>
      <div class="tools">
        <button
          type="button"
          class="button main"
          disabled={found.kind === 'running' || text.value.trim() === ''}
          onClick={() => void run()}
        >
          Run
        </button>
        <p class="hint grow" role="status">
          {sentenceOf(found)}
        </p>
      </div>
      {found.kind === 'failed' && <p class="note">{found.why}</p>}
      {found.kind === 'rows' && found.result.columns.length > 0 && <Rows result={found.result} />}
    </section>
  );
}

function sentenceOf(found: Ran): string {
  switch (found.kind) {
    case 'nothing':
      return 'Ctrl+Enter runs the statement, Ctrl+Space shows suggestions.';
    case 'running':
      return 'Running …';
    case 'failed':
      return 'The database refused the statement.';
    case 'rows': {
      const { result, ms } = found;
      const more = result.isTruncated ? ' There are more rows, which were not read.' : '';
      return `${amountText(result.rows.length, 'row')} in ${ms} ms.${more}`;
    }
  }
}

function Rows({ result }: { readonly result: ReadingResult }) {
  // Columns with the same name get a number.
  const names = result.columns.map((name, index) =>
    result.columns.indexOf(name) === index ? name : `${name} (${index + 1})`,
  );
  const rows = result.rows.map((cells, index) => ({ index, cells }));
  const columns = names.map((name, index) => ({
    name,
    width: widthOf(
      rows
        .slice(0, 40)
        .reduce(
          (longest, { cells }) => Math.max(longest, Math.min(40, String(cells[index] ?? 'NULL').length)),
          name.length,
        ),
    ),
  }));
  const cellOf = (value: unknown): GridCell => {
    if (value === null || value === undefined) return { kind: 'null', text: '' };
    return { kind: typeof value === 'number' ? 'number' : 'text', text: String(value) };
  };
  return (
    <div class="fill">
      <Grid
        label="Result of the statement"
        columns={columns}
        rows={rows}
        keyOf={({ index }) => String(index)}
        cell={({ cells }, column) => cellOf(cells[names.indexOf(column)])}
      />
    </div>
  );
}
