/** A node of the map, or a group of them, as a button. */
import type { JSX } from 'preact';
import { markKinds } from '../../api/syncMap.ts';
import { amountText } from '../parts/amounts.ts';
import { isGroup, type MapEntry, type MapGroup } from './groups.ts';
import { markTitles, worstMark } from './marks.ts';
import type { MapNode } from './picture.ts';

interface MapButtonProps {
  readonly entry: MapEntry;
  readonly style: JSX.CSSProperties;
  /** Whether the button is the tab stop of the map. */
  readonly isStop: boolean;
  readonly isFaded: boolean;
  readonly onPress: () => void;
  readonly onEnter: () => void;
  readonly onLeave: () => void;
}

export function MapButton({ entry, style, isStop, isFaded, onPress, onEnter, onLeave }: MapButtonProps) {
  const kind = isGroup(entry) ? worstOfGroup(entry) : worstMark(entry.marks)?.kind;
  return (
    <button
      type="button"
      class={['entry', entry.column, isGroup(entry) && 'group', kind, isFaded && 'faded']
        .filter(Boolean)
        .join(' ')}
      data-id={entry.id}
      style={style}
      tabIndex={isStop ? 0 : -1}
      onClick={onPress}
      onFocus={onEnter}
      onBlur={onLeave}
      onMouseEnter={onEnter}
      onMouseLeave={onLeave}
    >
      <span class="entry-name">
        <span class="unseen">{isGroup(entry) ? 'Group' : nouns[entry.column]} </span>
        {entry.label}
      </span>{' '}
      <span class="entry-facts">
        {kind !== undefined && <span class="entry-mark">{markTitles[kind].title}</span>}{' '}
        <span>
          {isGroup(entry) ? amountText(entry.size, memberNouns[entry.column]) : entry.numbers.join(' · ')}
        </span>
      </span>{' '}
      <span class="unseen">{spokenDetails(entry)}</span>
    </button>
  );
}

const nouns = { tables: 'Table', streams: 'Stream', audiences: 'Who gets it:' } as const;
const memberNouns = { tables: 'table', streams: 'stream', audiences: 'audience' } as const;

/** Returns the details for screen readers, which other users see as colours or with the mouse. */
function spokenDetails(entry: MapEntry): string {
  if (!isGroup(entry)) return sentencesOf(entry).join(' ');
  return [...entry.marks].map(([kind, count]) => `${markTitles[kind].title}: ${count}.`).join(' ');
}

/** Returns the sentences about a node's purpose and problems. */
export function sentencesOf({ sentence, marks }: MapNode): readonly string[] {
  return [sentence, ...marks.map((mark) => mark.sentence).filter((each) => !sentence.includes(each))];
}

function worstOfGroup({ marks }: MapGroup) {
  return markKinds.find((kind) => marks.has(kind));
}
