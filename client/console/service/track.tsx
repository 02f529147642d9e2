/** The marks of events below the charts, on the same time axis. */
import type { Happening } from '../../api/watch.ts';
import { clockText } from '../parts/amounts.ts';
import { Icon } from '../parts/icon.tsx';
import { iconOf } from './kinds.ts';

interface TrackProps {
  /** The beginning of the axis, in milliseconds since 1970. */
  readonly from: number;
  readonly to: number;
  /** The time at the pointer in the charts. */
  readonly pointed: number | undefined;
  /** The events in this period, oldest first. */
  readonly happenings: readonly Happening[];
  readonly onChoose: (happening: Happening) => void;
}

/** The share of the width below which two marks are drawn as one. */
const nearest = 0.032;
const tickCount = 5;

/** Draws the events below the charts, on the same axis. */
export function Track({ from, to, pointed, happenings, onChoose }: TrackProps) {
  const shareOf = (at: number): number => Math.min(1, Math.max(0, (at - from) / (to - from)));
  const ticks = Array.from(
    { length: tickCount },
    (_, index) => from + ((to - from) * index) / (tickCount - 1),
  );
  return (
    <div class="lane track">
      <h3>Events</h3>
      <div class="track-line">
        <ul>
          {groupNear(happenings, shareOf).map((group) => {
            const last = group.at(-1);
            if (last === undefined) return null;
            const text = group.map(({ at, message }) => `${clockText(at)} ${message}`).join('\n');
            return (
              <li key={last.id} style={{ left: `${shareOf(last.at) * 100}%` }}>
                <button
                  type="button"
                  class={`event-mark ${worstOf(group)}`}
                  aria-label={group.length > 1 ? `${group.length} events: ${text}` : text}
                  title={text}
                  onClick={() => onChoose(last)}
                >
                  {group.length > 1 ? (
                    <span aria-hidden="true">{group.length}</span>
                  ) : (
                    <Icon name={iconOf(last.kind)} />
                  )}
                </button>
              </li>
            );
          })}
        </ul>
        <div class="ticks" aria-hidden="true">
          {ticks.map((at) => (
            <span key={Math.round((100 * (at - from)) / (to - from))}>{clockText(at)}</span>
          ))}
        </div>
        {pointed !== undefined && (
          <span class="pointed" style={{ left: `${shareOf(pointed) * 100}%` }} aria-hidden="true">
            {clockText(pointed)}
          </span>
        )}
      </div>
    </div>
  );
}

function groupNear(
  happenings: readonly Happening[],
  shareOf: (at: number) => number,
): readonly (readonly Happening[])[] {
  const groups: Happening[][] = [];
  for (const happening of happenings) {
    const group = groups.at(-1);
    const last = group?.at(-1);
    if (group && last && shareOf(happening.at) - shareOf(last.at) < nearest) group.push(happening);
    else groups.push([happening]);
  }
  return groups;
}

function worstOf(group: readonly Happening[]): string {
  return group.some(({ kind }) => kind === 'error') ? 'error' : (group.at(-1)?.kind ?? '');
}
