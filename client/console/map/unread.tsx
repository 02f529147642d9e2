/** The tables that no shown stream reads, in one line below the map. */

import { listNames } from '../../../server/shared/listNames.ts';
import type { MapPlace } from '../../api/syncMap.ts';
import { amountText, numberText } from '../parts/amounts.ts';
import { sentencesOf } from './mapButton.tsx';
import type { MapNode } from './picture.ts';

interface UnreadTablesProps {
  readonly tables: readonly MapNode[];
  /** A search shows its results without another click. */
  readonly isSearch: boolean;
  readonly onOpen: (place: MapPlace | undefined) => void;
}

/** The maximum numbers of names: in the line, and in the opened list. */
const mostNamed = 12;
const mostListed = 400;

export function UnreadTables({ tables, isSearch, onOpen }: UnreadTablesProps) {
  if (tables.length === 0) return null;
  const names = tables.map(({ label }) => label);
  const more = tables.length - mostListed;
  return (
    <details class="map-unread" open={isSearch}>
      <summary>
        {amountText(tables.length, 'table')} that no stream reads:{' '}
        <span class="names">{listNames(names, mostNamed)}</span>
      </summary>
      <ul class="map-unread-list">
        {tables.slice(0, mostListed).map((table) => (
          <li key={table.id}>
            <UnreadTable table={table} onOpen={onOpen} />
          </li>
        ))}
        {more > 0 && <li>{numberText(more)} more. Search for a name to see them.</li>}
      </ul>
    </details>
  );
}

interface UnreadTableProps {
  readonly table: MapNode;
  readonly onOpen: UnreadTablesProps['onOpen'];
}

function UnreadTable({ table, onOpen }: UnreadTableProps) {
  const { label, numbers, place } = table;
  const facts = numbers.length > 0 && <span class="entry-facts">{numbers.join(' · ')}</span>;
  if (place === undefined)
    return (
      <span>
        <code>{label}</code> {facts}
      </span>
    );
  return (
    <button type="button" class="plain" title={sentencesOf(table).join(' ')} onClick={() => onOpen(place)}>
      <code>{label}</code> {facts}
    </button>
  );
}
