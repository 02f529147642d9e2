/** The map as a picture: three columns with lines between them. */
import { useSignal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { MapPlace } from '../../api/syncMap.ts';
import { Icon } from '../parts/icon.tsx';
import { isGroup, type MapEntry, type ShownGraph, shownGraph } from './groups.ts';
import type { LayoutAnswer, LayoutQuestion } from './layout.ts';
import { type Layouts, openLayouts } from './layouts.ts';
import { MapButton, sentencesOf } from './mapButton.tsx';
import { type ColumnPlace, columnsIn } from './mapColumns.ts';
import { useMeasure } from './measure.ts';
import { type MapEdge, type MapNode, mapColumns } from './picture.ts';
import { heightOf } from './sizes.ts';
import { entryAfter } from './walk.ts';

interface CanvasProps {
  readonly tree: readonly MapEntry[];
  readonly edges: readonly MapEdge[];
  readonly onOpen: (place: MapPlace | undefined) => void;
}

/** The maximum number of entries that are all drawn. If there are more, only the visible ones are drawn. */
const mostDrawn = 150;
/** The gap in pixels. */
const gap = 10;

const titles = { tables: 'Tables', streams: 'Streams', audiences: 'Who gets the rows' } as const;

export function Canvas({ tree, edges, onOpen }: CanvasProps) {
  const open = useSignal<ReadonlySet<string>>(new Set());
  const looked = useSignal<string | undefined>(undefined);
  const stop = useSignal<string | undefined>(undefined);
  const frame = useRef<HTMLDivElement>(null);
  /** Set by a key, so that the entry takes the focus as soon as it is drawn. */
  const walksTo = useRef<string | undefined>(undefined);
  const width = useWidth(frame);
  const opened = open.value;
  const columns = useMemo(() => columnsIn(width), [width]);
  const graph = useMemo(() => {
    const shown = tree.filter((entry) => columns.some(({ column }) => column === entry.column));
    return shownGraph(shown, edges, opened);
  }, [tree, edges, opened, columns]);
  const boxes = useBoxes(graph, columns);
  const boxOf = ({ id }: MapEntry) => boxes.get(id) ?? { left: 0, width: 0, height: 0 };
  const layout = useLayout(graph, boxes);
  const tops = layout?.tops ?? new Map<string, number>();
  const near = neighbours(graph.edges, looked.value);
  const first = graph.entries.some(({ id }) => id === stop.value) ? stop.value : graph.entries[0]?.id;
  const seen = useSeen(frame);
  const isSeen = (top: number, bottom: number) => bottom >= seen.top && top <= seen.bottom;
  const drawn = graph.entries.filter((entry) => {
    const top = tops.get(entry.id) ?? 0;
    // The focused entry stays drawn, because the Tab key would lose it otherwise.
    return graph.entries.length <= mostDrawn || entry.id === first || isSeen(top, top + boxOf(entry).height);
  });
  const looks = graph.entries.find(({ id }) => id === looked.value);

  const toggle = (id: string): void => {
    const next = new Set(open.value);
    if (!next.delete(id)) next.add(id);
    open.value = next;
  };
  const walk = (event: KeyboardEvent): void => {
    const from = (event.target as HTMLElement).dataset.id;
    const next = from && entryAfter(event.key, from, graph, tops);
    if (next === undefined || next === '') return;
    event.preventDefault();
    stop.value = next;
    walksTo.current = next;
    takeFocus();
  };
  const takeFocus = (): void => {
    if (walksTo.current === undefined) return;
    const entry = frame.current?.querySelector<HTMLElement>(`[data-id="${CSS.escape(walksTo.current)}"]`);
    if (!entry) return;
    walksTo.current = undefined;
    entry.focus();
  };
  useEffect(takeFocus);
  return (
    <div class="map-picture">
      <Heads columns={columns} opened={graph.opened} onClose={toggle} />
      {/* biome-ignore lint/a11y/useSemanticElements: a group of buttons is not a form */}
      <div
        ref={frame}
        class="map-canvas"
        role="group"
        aria-label="Map. Use the arrow keys to move and Enter to open"
        style={{ height: `${layout?.height ?? 0}px` }}
        data-entries={graph.entries.length}
        data-layout={layout === undefined ? 'waiting' : 'done'}
        onKeyDown={walk}
      >
        {layout === undefined && <p class="note map-waiting">Arranging the map …</p>}
        <svg class="map-lines" width={width} height={layout?.height ?? 0} aria-hidden="true">
          {layout !== undefined &&
            linesOf({ graph, looked: looked.value, boxOf, tops, isSeen }).map(({ key, ...line }) => (
              <path key={key} {...line} />
            ))}
        </svg>
        {layout !== undefined &&
          drawn.map((entry) => (
            <MapButton
              key={entry.id}
              entry={entry}
              style={{
                width: `${boxOf(entry).width}px`,
                height: `${boxOf(entry).height}px`,
                translate: `${boxOf(entry).left}px ${tops.get(entry.id) ?? 0}px`,
              }}
              isStop={entry.id === first}
              isFaded={near !== undefined && !near.has(entry.id)}
              onPress={() => (isGroup(entry) ? toggle(entry.id) : onOpen(entry.place))}
              onEnter={() => {
                looked.value = entry.id;
              }}
              onLeave={() => {
                looked.value = undefined;
              }}
            />
          ))}
        {looks !== undefined && !isGroup(looks) && (
          <Card node={looks} box={boxOf(looks)} top={tops.get(looks.id) ?? 0} room={width} />
        )}
      </div>
    </div>
  );
}

interface HeadsProps {
  readonly columns: readonly ColumnPlace[];
  readonly opened: ShownGraph['opened'];
  readonly onClose: (id: string) => void;
}

/** The titles of the columns, with a button for each open group. */
function Heads({ columns, opened, onClose }: HeadsProps) {
  return (
    <div
      class="map-heads"
      style={{ gridTemplateColumns: columns.map((each) => `${each.width}px`).join(' ') }}
    >
      {columns.map(({ column }) => (
        <div key={column}>
          <h2>{titles[column]}</h2>
          {opened
            .filter((group) => group.column === column)
            .map(({ id, label }) => (
              <button key={id} type="button" class="opened" onClick={() => onClose(id)}>
                <Icon name="close" />
                <span class="unseen">Close the group </span>
                {label}
              </button>
            ))}
        </div>
      ))}
    </div>
  );
}

/** The width in pixels. */
const cardWidth = 360;

interface CardProps {
  readonly node: MapNode;
  readonly box: Box;
  readonly top: number;
  /** The width of the map in pixels. */
  readonly room: number;
}

/** The sentences about the node under the mouse. Screen readers hear them from the node. */
function Card({ node, box, top, room }: CardProps) {
  const left = Math.min(box.left, Math.max(0, room - cardWidth));
  return (
    <div
      class={`map-card ${node.column}`}
      aria-hidden="true"
      style={{
        translate: `${left}px ${top + box.height + 6}px`,
        width: `${Math.min(cardWidth, room)}px`,
      }}
    >
      {sentencesOf(node).map((sentence) => (
        <p key={sentence} class={node.marks.find((mark) => mark.sentence === sentence)?.kind}>
          {sentence}
        </p>
      ))}
      {node.place && <p class="hint">Click to show it in the sync config.</p>}
    </div>
  );
}

interface Box extends Omit<ColumnPlace, 'column'> {
  readonly height: number;
}

function isAt({ from, to }: MapEdge, id: string): boolean {
  return from === id || to === id;
}

/** Returns the entry itself, and the entries on all paths through it. */
function neighbours(edges: ShownGraph['edges'], id: string | undefined): ReadonlySet<string> | undefined {
  if (id === undefined) return undefined;
  return new Set([id, ...edges.filter((edge) => isAt(edge, id)).flatMap(({ from, to }) => [from, to])]);
}

interface Line {
  readonly key: string;
  readonly class: string;
  readonly d: string;
  readonly 'stroke-width': number;
}

interface DrawnGraph {
  readonly graph: ShownGraph;
  readonly looked: string | undefined;
  readonly boxOf: (entry: MapEntry) => Box;
  readonly tops: ReadonlyMap<string, number>;
  readonly isSeen: (top: number, bottom: number) => boolean;
}

/** Combines all lines of the same style into one path, because a large map has thousands of lines. */
function linesOf({ graph, looked, boxOf, tops, isSeen }: DrawnGraph): readonly Line[] {
  const { entries, edges } = graph;
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  const middle = (entry: MapEntry) => (tops.get(entry.id) ?? 0) + boxOf(entry).height / 2;
  const isPending = (entry: MapEntry) =>
    !isGroup(entry) && entry.column === 'streams' && entry.marks.some(({ kind }) => kind === 'pending');
  const lines = new Map<string, Line & { readonly parts: string[] }>();
  for (const edge of edges) {
    const [from, to] = [byId.get(edge.from), byId.get(edge.to)];
    if (from === undefined || to === undefined) continue;
    const [x1, y1, x2, y2] = [boxOf(from).left + boxOf(from).width, middle(from), boxOf(to).left, middle(to)];
    if (!isSeen(Math.min(y1, y2), Math.max(y1, y2))) continue;
    const bend = (x2 - x1) / 2;
    const state = looked === undefined ? 'plain' : isAt(edge, looked) ? 'near' : 'far';
    const name = [edge.use, state, (isPending(from) || isPending(to)) && 'pending'].filter(Boolean).join(' ');
    const width = 1 + Math.min(3, Math.log2(edge.count));
    const key = `${name} ${width}`;
    const line = lines.get(key) ?? { key, class: name, d: '', 'stroke-width': width, parts: [] };
    line.parts.push(`M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`);
    lines.set(key, line);
  }
  return [...lines.values()].map(({ parts, ...line }) => ({ ...line, d: parts.join('') }));
}

/** Returns the places of all entries in their columns, and their sizes. */
function useBoxes({ entries }: ShownGraph, columns: readonly ColumnPlace[]): ReadonlyMap<string, Box> {
  const measure = useMeasure();
  return useMemo(
    () =>
      new Map(
        entries.map((entry): [string, Box] => {
          const place = columns.find(({ column }) => column === entry.column);
          const { left = 0, width = 0 } = place ?? {};
          return [entry.id, { left, width, height: heightOf(entry, width, measure) }];
        }),
      ),
    [entries, columns, measure],
  );
}

/** Returns the layout. The previous one stays until the next answer. */
function useLayout(graph: ShownGraph, boxes: ReadonlyMap<string, Box>): LayoutAnswer | undefined {
  const answer = useSignal<LayoutAnswer | undefined>(undefined);
  const layouts = useRef<Layouts | undefined>(undefined);
  useEffect(() => {
    layouts.current = openLayouts((next) => {
      answer.value = next;
    });
    return () => layouts.current?.end();
  }, [answer]);
  const text = useMemo(() => JSON.stringify(questionOf(graph, boxes)), [graph, boxes]);
  // Entries whose numbers change stay in their places.
  useEffect(() => layouts.current?.ask(JSON.parse(text)), [text]);
  return answer.value;
}

function questionOf({ entries, edges }: ShownGraph, boxes: ReadonlyMap<string, Box>): LayoutQuestion {
  const lines = new Map<string, number>();
  for (const { from } of edges) lines.set(from, (lines.get(from) ?? 0) + 1);
  return {
    nodes: entries.map((entry) => ({
      id: entry.id,
      column: mapColumns.indexOf(entry.column),
      height: boxes.get(entry.id)?.height ?? 0,
    })),
    edges: edges.map(({ from, to, use, count }) => ({
      from,
      to,
      // A table that many streams read would otherwise pull all of them away from their other tables.
      weight: ((use === 'rows' ? 2 : 1) * Math.min(count, 4)) / (lines.get(from) ?? 1),
    })),
    gap,
  };
}

/**
 * Distances in pixels: how far beyond the visible part is drawn, and how far the page scrolls before this part is determined
 * again.
 */
const around = { spare: 500, step: 250 };

/** Returns the visible part of the canvas in pixels from its top, and a little more, so that scrolling shows no gap. */
function useSeen(frame: { readonly current: HTMLElement | null }): {
  readonly top: number;
  readonly bottom: number;
} {
  const seen = useSignal({ top: 0, bottom: 2_000 });
  useEffect(() => {
    const measure = (): void => {
      const above = -(frame.current?.getBoundingClientRect().top ?? 0);
      const top = Math.floor((above - around.spare) / around.step) * around.step;
      const bottom = top + window.innerHeight + 2 * around.spare + around.step;
      if (top !== seen.value.top || bottom !== seen.value.bottom) seen.value = { top, bottom };
    };
    measure();
    document.addEventListener('scroll', measure, { passive: true, capture: true });
    window.addEventListener('resize', measure);
    return () => {
      document.removeEventListener('scroll', measure, { capture: true });
      window.removeEventListener('resize', measure);
    };
  }, [frame, seen]);
  return seen.value;
}

function useWidth(frame: { readonly current: HTMLElement | null }): number {
  const width = useSignal(900);
  useEffect(() => {
    const { current } = frame;
    if (current === null) return;
    const observer = new ResizeObserver(() => {
      width.value = current.clientWidth;
    });
    observer.observe(current);
    return () => observer.disconnect();
  }, [frame, width]);
  return width.value;
}
