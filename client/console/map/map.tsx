import { useComputed, useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { type MapPlace, type MarkKind, markKinds, type SyncMap } from '../../api/syncMap.ts';
import { isLive } from '../../health/health.ts';
import { useConsole } from '../console.ts';
import type { ScreenProps } from '../frame/address.ts';
import { amountText, durationText, numberText } from '../parts/amounts.ts';
import { EmptyState } from '../parts/empty.tsx';
import { TextField } from '../parts/field.tsx';
import { shownState } from '../service/stateWords.ts';
import { isAnswering } from '../state/service.ts';
import { Canvas } from './canvas.tsx';
import { DeployedPlace } from './deployedPlace.tsx';
import { filterPicture } from './filter.ts';
import { groupPicture } from './groups.ts';
import { type MapSource, useMapSource } from './mapSource.ts';
import { markTitles } from './marks.ts';
import { type MapPicture, pictureOf, type ServiceFacts, setUnreadAside, streamsOfUser } from './picture.ts';
import { MapTree } from './tree.tsx';
import { UnreadTables } from './unread.tsx';
import './map.css';

/** The map of tables and their audiences. */
export function MapScreen({ parameters }: ScreenProps) {
  const source = useMapSource();
  return (
    <section class="map">
      <h1>Map</h1>
      <MapBody source={source} search={parameters.get('search') ?? ''} />
    </section>
  );
}

function MapBody({ source, search }: { readonly source: MapSource; readonly search: string }) {
  switch (source.kind) {
    case 'loading':
      return <EmptyState title="Loading …" />;
    case 'none':
      return (
        <EmptyState title={source.title}>
          <p>{source.sentence}</p>
        </EmptyState>
      );
    case 'map':
      return <ShownMap map={source.map} facts={source.facts} search={search} />;
  }
}

interface ShownMapProps {
  readonly map: SyncMap;
  readonly facts: ServiceFacts;
  readonly search: string;
}

function ShownMap({ map, facts, search }: ShownMapProps) {
  const { editor, service } = useConsole();
  const text = useSignal(search);
  const user = useSignal('');
  const marks = useSignal<ReadonlySet<MarkKind>>(new Set());
  const view = useSignal<'picture' | 'tree'>('picture');
  const shownPlace = useSignal<MapPlace | undefined>(undefined);
  const screen = useRef<HTMLDivElement>(null);
  const isNarrow = useNarrow(screen);
  // The editor may name another table while the screen is open.
  useLayoutEffect(() => {
    if (search !== '') text.value = search;
  }, [search, text]);

  const { deployed, diagnosis, clients } = facts;
  const { isCurrent } = shownState(service.link.value, service.health.value);
  const isOld = diagnosis !== undefined && !isCurrent;
  const whole = useMemo(
    () => pictureOf(map, { deployed, diagnosis, clients }),
    [map, deployed, diagnosis, clients],
  );
  const isKnownUser = user.value !== '' && clients?.some((client) => client.user === user.value);
  const known = isKnownUser ? user.value : undefined;
  const picture = useMemo(() => {
    const streams = known !== undefined && clients ? streamsOfUser(map, clients, known) : undefined;
    const filter = { text: text.value, marks: marks.value, streams };
    const isFiltered = filter.text.trim() !== '' || filter.marks.size > 0 || streams !== undefined;
    return isFiltered ? filterPicture(whole, filter) : whole;
  }, [whole, map, clients, known, text.value, marks.value]);
  const { read, unread } = useMemo(() => setUnreadAside(picture), [picture]);
  const tree = useMemo(() => groupPicture(read), [read]);
  const isTree = isNarrow || view.value === 'tree';
  const clear = (): void => {
    text.value = '';
    user.value = '';
    marks.value = new Set();
    shownPlace.value = undefined;
  };
  useShortcuts(screen, clear);
  const open = (place: MapPlace | undefined): void => {
    if (place === undefined) return;
    if (editor) editor.open(place);
    else shownPlace.value = place;
  };
  return (
    <div ref={screen} class="map-screen">
      <div class="map-tools">
        <TextField
          label="Search"
          type="search"
          value={text.value}
          placeholder="Part of a name"
          onInput={(value) => {
            text.value = value;
          }}
        />
        {facts.clients && (
          <TextField
            label="Show one user's streams"
            type="search"
            value={user.value}
            placeholder="User id"
            suggestions={[...new Set(facts.clients.map((client) => client.user))].slice(0, mostSuggested)}
            error={user.value !== '' && !isKnownUser ? 'No client of this user is connected.' : undefined}
            onInput={(value) => {
              user.value = value;
            }}
          />
        )}
        {!isNarrow && (
          <button
            type="button"
            class="button view"
            aria-pressed={view.value === 'tree'}
            onClick={() => {
              view.value = view.value === 'tree' ? 'picture' : 'tree';
            }}
          >
            As a tree
          </button>
        )}
      </div>
      <div class="map-line">
        <Summary picture={whole} shown={picture} facts={facts} />
        <MarkSwitches picture={whole} chosen={marks.value} onChange={(next) => (marks.value = next)} />
        {!isTree && <Legend />}
      </div>
      <div class="map-body">
        <div class={isOld ? 'map-view old' : 'map-view'}>
          {picture.nodes.length === 0 && (
            <EmptyState title={whole.nodes.length === 0 ? 'No streams yet' : 'No matches'}>
              {picture !== whole && (
                <button type="button" class="button" onClick={clear}>
                  Show everything
                </button>
              )}
            </EmptyState>
          )}
          {tree.length > 0 && isTree && <MapTree tree={tree} edges={read.edges} onOpen={open} />}
          {tree.length > 0 && !isTree && <Canvas tree={tree} edges={read.edges} onOpen={open} />}
          <UnreadTables tables={unread} isSearch={picture !== whole} onOpen={open} />
        </div>
        {shownPlace.value && (
          <DeployedPlace place={shownPlace.value} onClose={() => (shownPlace.value = undefined)} />
        )}
      </div>
    </div>
  );
}

const mostSuggested = 100;

interface MarkSwitchesProps {
  readonly picture: MapPicture;
  readonly chosen: ReadonlySet<MarkKind>;
  readonly onChange: (next: ReadonlySet<MarkKind>) => void;
}

/** The switches, one for each kind of mark that exists. */
function MarkSwitches({ picture, chosen, onChange }: MarkSwitchesProps) {
  const counts = markKinds
    .map((kind) => ({ kind, count: countMarked(picture, kind) }))
    .filter(({ kind, count }) => count !== '' || chosen.has(kind));
  if (counts.length === 0) return null;
  return (
    <fieldset class="map-marks">
      <legend class="unseen">Show only</legend>
      {counts.map(({ kind, count }) => (
        <button
          key={kind}
          type="button"
          class={`mark-switch ${kind}`}
          aria-pressed={chosen.has(kind)}
          title={markTitles[kind].explanation}
          onClick={() =>
            onChange(
              new Set(chosen.has(kind) ? [...chosen].filter((other) => other !== kind) : [...chosen, kind]),
            )
          }
        >
          {markTitles[kind].title} <b>{count}</b>
        </button>
      ))}
    </fieldset>
  );
}

/** Returns the marked tables and streams as numbers with nouns, because one problem often marks a table and its streams. */
function countMarked({ nodes }: MapPicture, kind: MarkKind): string {
  const marked = nodes.filter(({ marks }) => marks.some((mark) => mark.kind === kind));
  return (['table', 'stream'] as const)
    .map((noun) => ({ noun, count: marked.filter(({ column }) => column === `${noun}s`).length }))
    .flatMap(({ noun, count }) => (count === 0 ? [] : [amountText(count, noun)]))
    .join(', ');
}

interface SummaryProps {
  readonly picture: MapPicture;
  readonly shown: MapPicture;
  readonly facts: ServiceFacts;
}

/** The size of the map and the lag of the service, on one line. */
function Summary({ picture, shown, facts }: SummaryProps) {
  const { seconds, link, health } = useConsole().service;
  // The lag is shown only while the state is live, because an older value may be wrong. Otherwise the state is shown.
  const isNow = useComputed(() => isAnswering(link.value) && isLive(health.value));
  const lag = useComputed(() =>
    isNow.value && link.value.kind === 'connected' ? seconds.value.at(-1)?.lag : undefined,
  );
  const count = ({ nodes }: MapPicture, column: string) =>
    nodes.filter((node) => node.column === column).length;
  const parts = [
    amountText(count(picture, 'tables'), 'table'),
    amountText(count(picture, 'streams'), 'stream'),
    ...(facts.clients === undefined ? [] : [amountText(facts.clients.length, 'client')]),
    ...(isNow.value ? [] : [shownState(link.value, health.value).title]),
    ...(lag.value === undefined ? [] : [`${durationText(lag.value * 1_000)} behind the source`]),
  ];
  const isAll = shown.nodes.length === picture.nodes.length;
  return (
    <p class="map-summary" role="status">
      {parts.join(' · ')}
      {!isAll && ` · ${numberText(count(shown, 'tables'))} and ${numberText(count(shown, 'streams'))} shown`}
    </p>
  );
}

function Legend() {
  return (
    <p class="map-legend" aria-hidden="true">
      <span class="rows">rows are synced</span>
      <span class="access">rows decide who gets the stream</span>
    </p>
  );
}

/** Adds keyboard shortcuts for the entire page: `/` begins a search, and Escape shows everything again. */
function useShortcuts(screen: { readonly current: HTMLElement | null }, clear: () => void): void {
  const latest = useRef(clear);
  latest.current = clear;
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.key === 'Escape') latest.current();
      const isTyping =
        event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement;
      if (event.key !== '/' || isTyping) return;
      event.preventDefault();
      screen.current?.querySelector<HTMLInputElement>('input[type=search]')?.focus();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [screen]);
}

/** The width in pixels below which only the tree fits. */
const narrow = 420;

function useNarrow(screen: { readonly current: HTMLElement | null }): boolean {
  const isNarrow = useSignal(false);
  useEffect(() => {
    const { current } = screen;
    if (current === null) return;
    const observer = new ResizeObserver(() => {
      isNarrow.value = current.clientWidth < narrow;
    });
    observer.observe(current);
    return () => observer.disconnect();
  }, [screen, isNarrow]);
  return isNarrow.value;
}
