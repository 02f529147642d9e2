/** The map as a tree: for screen readers, for narrow pages, and for users who prefer text. */
import { useSignal } from '@preact/signals';
import type { MapPlace } from '../../api/syncMap.ts';
import { isGroup, type MapEntry, nodesIn } from './groups.ts';
import { sentencesOf } from './mapButton.tsx';
import { markTitles, worstKind } from './marks.ts';
import { type MapEdge, type MapNode, mapColumns } from './picture.ts';

interface MapTreeProps {
  readonly tree: readonly MapEntry[];
  readonly edges: readonly MapEdge[];
  readonly onOpen: (place: MapPlace | undefined) => void;
}

const titles = { streams: 'Streams', tables: 'Tables', audiences: 'Who gets the rows' } as const;

export function MapTree({ tree, edges, onOpen }: MapTreeProps) {
  const names = new Map(nodesIn(tree).map(({ id, label }) => [id, label]));
  const linked = new Map<string, MapEdge[]>();
  for (const edge of edges)
    for (const end of [edge.from, edge.to]) linked.set(end, [...(linked.get(end) ?? []), edge]);
  return (
    <div class="map-tree">
      {mapColumns
        .toSorted((a, b) => (a === 'streams' ? -1 : b === 'streams' ? 1 : 0))
        .map((column) => {
          const own = tree.filter((entry) => entry.column === column);
          return own.length === 0 ? null : (
            <section key={column} aria-label={titles[column]}>
              <h2>{titles[column]}</h2>
              <Branches entries={own} names={names} linked={linked} onOpen={onOpen} />
            </section>
          );
        })}
    </div>
  );
}

interface BranchProps {
  readonly names: ReadonlyMap<string, string>;
  readonly linked: ReadonlyMap<string, readonly MapEdge[]>;
  readonly onOpen: MapTreeProps['onOpen'];
}

function Branches({ entries, ...rest }: BranchProps & { readonly entries: readonly MapEntry[] }) {
  return (
    <ul>
      {entries.map((entry) => (
        <li key={entry.id}>
          <Branch entry={entry} {...rest} />
        </li>
      ))}
    </ul>
  );
}

/** A branch that draws its children only when it is first opened, because there may be thousands. */
function Branch({ entry, ...rest }: BranchProps & { readonly entry: MapEntry }) {
  const isOpen = useSignal(false);
  const kind = worstKind(entry);
  const summary = isGroup(entry) ? undefined : entry.summary;
  return (
    <details
      open={isOpen.value}
      onToggle={({ currentTarget }) => {
        isOpen.value = currentTarget.open;
      }}
    >
      <summary>
        <span class="entry-name">{entry.label}</span>{' '}
        <span class="entry-facts">
          {[
            ...(kind === undefined ? [] : [markTitles[kind].title]),
            ...(isGroup(entry) ? [] : entry.numbers),
          ].join(' · ')}
        </span>
        {summary !== undefined && <span class="entry-text">{summary}</span>}
      </summary>
      {isOpen.value &&
        (isGroup(entry) ? <Branches entries={entry.members} {...rest} /> : <Leaf node={entry} {...rest} />)}
    </details>
  );
}

function Leaf({ node, names, linked, onOpen }: BranchProps & { readonly node: MapNode }) {
  const edges = linked.get(node.id) ?? [];
  // The summary is visible above.
  const sentences = sentencesOf(node).filter((sentence) => sentence !== node.summary);
  return (
    <ul class="leaf">
      {sentences.map((sentence) => (
        <li key={sentence}>{sentence}</li>
      ))}
      {edges.map(({ from, to, use }) => (
        <li key={`${from}\n${to}\n${use}`} class="link">
          {from === node.id ? `→ ${names.get(to)}` : `← ${names.get(from)}`}
          {use === 'access' && ' (decides who gets the stream)'}
        </li>
      ))}
      {node.place && (
        <li>
          <button type="button" class="button" onClick={() => onOpen(node.place)}>
            Show in the sync config
          </button>
        </li>
      )}
    </ul>
  );
}
