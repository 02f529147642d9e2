/** A node of the map, or a group of them, as a button. */
import type { JSX } from 'preact';
import { isGroup, type MapEntry } from './groups.ts';
import { markTitles, worstKind } from './marks.ts';
import type { MapNode } from './picture.ts';
import { factsOf, fontOf, textOf } from './sizes.ts';

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
  const { mark, numbers } = factsOf(entry);
  const text = textOf(entry);
  return (
    <button
      type="button"
      class={['entry', entry.column, isGroup(entry) && 'group', worstKind(entry), isFaded && 'faded']
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
      <span class={fontOf(entry) === 'code' ? 'entry-name code' : 'entry-name'}>
        <span class="unseen">{isGroup(entry) ? 'Group:' : nouns[entry.column]} </span>
        {entry.label}
      </span>{' '}
      {text !== '' && (
        // The details of a stream begin with this sentence.
        <span class="entry-text" aria-hidden={!isGroup(entry)}>
          {text}
        </span>
      )}{' '}
      {mark + numbers !== '' && (
        <span class="entry-facts">
          {mark !== '' && <span class="entry-mark">{mark}</span>} <span>{numbers}</span>
        </span>
      )}{' '}
      <span class="unseen">{spokenDetails(entry)}</span>
    </button>
  );
}

const nouns = { tables: 'Table', streams: 'Stream', audiences: 'Who gets it:' } as const;

/** Returns the details for screen readers, which other users see as colours or with the mouse. */
function spokenDetails(entry: MapEntry): string {
  if (!isGroup(entry)) return sentencesOf(entry).join(' ');
  return [...entry.marks].map(([kind, count]) => `${markTitles[kind].title}: ${count}.`).join(' ');
}

/** Returns the sentences about a node's purpose and problems. */
export function sentencesOf({ sentence, marks }: MapNode): readonly string[] {
  return [sentence, ...marks.map((mark) => mark.sentence).filter((each) => !sentence.includes(each))];
}
