/** The live tables of one device, and the source rows that the device does not have. */
import { type Signal, useSignal } from '@preact/signals';
import { useLayoutEffect } from 'preact/hooks';
import type { Subscription } from '../../api/synced.ts';
import { useConsole } from '../console.ts';
import { type GridCell, shownText } from '../grid/cells.ts';
import { Grid } from '../grid/grid.tsx';
import { cellIn, columnSample, gridColumnsOf } from '../grid/gridColumns.ts';
import { amountText, clockText, numberText } from '../parts/amounts.ts';
import { EmptyState } from '../parts/empty.tsx';
import { TextField } from '../parts/field.tsx';
import { Icon } from '../parts/icon.tsx';
import { Sentence } from '../parts/sentence.tsx';
import type { LinkState } from '../state/service.ts';
import { CopyMenu } from './copyMenu.tsx';
import type { DeviceLink, DeviceOwner, DeviceState } from './follow.ts';
import { MissingRows } from './missingRows.tsx';
import type { ShownRow } from './shownRows.ts';

interface DevicePanelProps {
  readonly owner: DeviceOwner;
  readonly state: DeviceState;
  /** The chosen view. It does not change when the user looks at another device. */
  readonly view: Signal<DeviceView>;
  readonly chosenTable: Signal<string | undefined>;
  /** The text to search for in the rows. */
  readonly find: string;
  /** Adds a subscription, through which the device receives rows of a table. */
  readonly onSubscribe: (subscription: Subscription, table: string | undefined) => void;
}

export type DeviceView = 'device' | 'source';

export function DevicePanel({
  owner,
  state,
  view,
  chosenTable: chosen,
  find,
  onSubscribe,
}: DevicePanelProps) {
  const { editor, service } = useConsole();
  const link = linkThrough(service.link.value, state.link.value);
  // Draw again after each change of the drawn rows.
  state.pictures.value;
  const names = [...state.tables.keys()].sort();
  const table = names.find((name) => name === chosen.value) ?? names[0];
  return (
    <section class={`pane device ${link.kind}`} aria-label={`The device of ${owner.user}`}>
      <div class="device-head">
        <p class="device-state" role="status" data-device={link.kind}>
          {sentenceOf(link, state)}
        </p>
        <fieldset class="switch" aria-label="Which rows">
          <button
            type="button"
            aria-pressed={view.value === 'device'}
            onClick={() => {
              view.value = 'device';
            }}
          >
            On this device
          </button>
          <button
            type="button"
            aria-pressed={view.value === 'source'}
            onClick={() => {
              view.value = 'source';
            }}
          >
            In the source, not here
          </button>
        </fieldset>
        {editor && (
          <button
            type="button"
            class="button"
            title="Show the rows of this user as a text document"
            onClick={() => editor.preview(owner)}
          >
            As text
          </button>
        )}
      </div>
      <Sampling state={state} />
      {state.problems.value.map((problem) => (
        <p key={problem} class="note">
          The service reports: <Sentence text={problem} />
        </p>
      ))}
      {view.value === 'source' ? (
        <MissingRows
          owner={owner}
          state={state}
          askedTable={chosen.value ?? table}
          find={find}
          onSubscribe={onSubscribe}
        />
      ) : table === undefined ? (
        <NoRows state={state} />
      ) : (
        <>
          <Tabs
            names={names}
            chosen={table}
            countOf={(name) => state.tables.get(name)?.size() ?? 0}
            onChoose={(name) => {
              chosen.value = name;
            }}
          />
          <LiveTable key={table} name={table} state={state} owner={owner} />
        </>
      )}
    </section>
  );
}

/**
 * Returns the state of the link. The service's events show a lost service earlier than a sync stream, which may be silent for
 * longer.
 */
function linkThrough(service: LinkState, device: DeviceLink): DeviceLink {
  return service.kind === 'gone' && device.kind === 'live' ? service : device;
}

function sentenceOf(link: DeviceLink, state: DeviceState): string {
  const rows = [...state.tables.values()].reduce((sum, table) => sum + table.size(), 0);
  const device = state.device();
  switch (link.kind) {
    case 'connecting':
      return device.received() === 0
        ? 'Connecting …'
        : `Reading: ${amountText(device.received(), 'row')} so far …`;
    case 'live': {
      const all = `${amountText(rows, 'row')} in ${amountText(device.buckets().length, 'bucket')}, operation ${device.opId()}.`;
      return state.isWhole.value ? `Live. ${all}` : `Reading the rest. ${all}`;
    }
    case 'gone':
      return `Last known at ${clockText(link.since)}. ${link.why} Trying again.`;
    case 'full':
      return `This device has more rows than the console keeps: reading stopped at ${clockText(link.since)}, so not all rows are shown.`;
    case 'refused':
      return `The service does not serve this device. ${link.why}`;
  }
}

function Sampling({ state }: { readonly state: DeviceState }) {
  const perSecond = state.sampling.value;
  return (
    <p class="sampling" role="status">
      {perSecond === undefined
        ? ''
        : `${numberText(perSecond)} rows a second: the view is updated four times a second and does not mark changes. No row is left out.`}
    </p>
  );
}

function NoRows({ state }: { readonly state: DeviceState }) {
  if (!state.isWhole.value) return <div class="fill" />;
  return (
    <EmptyState title="No rows on this device">
      <p>Open “In the source, not here” to see why each row is missing.</p>
    </EmptyState>
  );
}

interface TabsProps {
  readonly names: readonly string[];
  readonly chosen: string;
  readonly countOf: (name: string) => number;
  readonly onChoose: (name: string) => void;
}

function Tabs({ names, chosen, countOf, onChoose }: TabsProps) {
  const move = (event: KeyboardEvent): void => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    const next = names[(names.indexOf(chosen) + step + names.length) % names.length];
    if (next === undefined) return;
    event.preventDefault();
    onChoose(next);
    const tabs = (event.currentTarget as HTMLElement).querySelectorAll<HTMLElement>('[role="tab"]');
    tabs[names.indexOf(next)]?.focus();
  };
  return (
    <div class="tabs" role="tablist" aria-label="Tables" tabIndex={-1} onKeyDown={move}>
      {names.map((name) => (
        <button
          key={name}
          type="button"
          role="tab"
          aria-selected={name === chosen}
          tabIndex={name === chosen ? 0 : -1}
          onClick={() => onChoose(name)}
        >
          {name} <span class="count">{numberText(countOf(name))}</span>
        </button>
      ))}
    </div>
  );
}

interface LiveTableProps {
  readonly name: string;
  readonly state: DeviceState;
  readonly owner: DeviceOwner;
}

function LiveTable({ name, state, owner }: LiveTableProps) {
  const search = useSignal('');
  const detail = useSignal<{ readonly title: string; readonly cell: GridCell } | undefined>(undefined);
  // Subscribe to the changes, because the table remains the same object when its rows change.
  state.pictures.value;
  const all = state.tables.get(name)?.list() ?? [];
  const text = search.value.trim().toLowerCase();
  const rows = text === '' ? all : all.filter(({ row }) => row.data.toLowerCase().includes(text));
  return (
    <>
      <div class="tools">
        <TextField
          label={`Find in ${name}`}
          type="search"
          value={search.value}
          onInput={(value) => {
            search.value = value;
          }}
        />
        <CopyMenu owner={owner} state={state} table={name} />
      </div>
      <div class="fill">
        <Grid<ShownRow>
          label={`${name} on the device of ${owner.user}`}
          columns={gridColumnsOf(rows.slice(0, columnSample).map(({ row }) => row))}
          rows={rows}
          keyOf={({ row }) => row.id}
          cell={({ row }, column) => cellIn(row, column)}
          markOf={({ mark }) => (mark === 'none' ? undefined : mark)}
          onOpen={({ row }, column) => {
            detail.value = { title: `${column} of ${row.id}`, cell: cellIn(row, column) };
          }}
        />
      </div>
      {detail.value && (
        <CellDetail
          {...detail.value}
          onClose={() => {
            detail.value = undefined;
          }}
        />
      )}
    </>
  );
}

interface CellDetailProps {
  readonly title: string;
  readonly cell: GridCell;
  readonly onClose: () => void;
}

function CellDetail({ title, cell, onClose }: CellDetailProps) {
  useLayoutEffect(() => {
    const press = ({ key }: KeyboardEvent): void => {
      if (key === 'Escape') onClose();
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  });
  return (
    <section class="detail" aria-label={title}>
      <div class="detail-head">
        <h2>{title}</h2>
        <button type="button" class="plain" aria-label="Close" onClick={onClose}>
          <Icon name="close" />
        </button>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must reach an element that scrolls */}
      <pre tabIndex={0}>{cell.kind === 'text' ? cell.text : shownText(cell)}</pre>
      {cell.length !== undefined && cell.kind === 'text' && (
        <p class="hint">Only the beginning is shown: the value has {numberText(cell.length)} characters.</p>
      )}
    </section>
  );
}
