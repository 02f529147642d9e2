/** One line about the connection: whether the page is live, otherwise its age. */
import { useEffect, useState } from 'preact/hooks';
import { ageTime } from '../../health/clock.ts';
import { type Health, isLive } from '../../health/health.ts';
import { stateOf } from '../../health/states.ts';
import { useConsole } from '../console.ts';
import { clockText, durationText } from '../parts/amounts.ts';
import { shownState } from '../service/stateWords.ts';
import type { LinkState } from '../state/service.ts';

export function Banner() {
  const { service, editor } = useConsole();
  const state = service.link.value;
  const health = service.health.value;
  const now = useNow(state.kind === 'gone');
  return (
    <p
      class={`banner ${state.kind.replace(' ', '-')} ${isLive(health) ? 'live' : ''}`}
      role="status"
      data-link={state.kind}
    >
      <span class="dot" aria-hidden="true" />
      {sentenceOf(state, health, now, editor === undefined ? 'browser' : 'editor')}
    </p>
  );
}

function sentenceOf(state: LinkState, health: Health, now: number, place: 'browser' | 'editor'): string {
  switch (state.kind) {
    case 'connecting':
      return 'Connecting to the service …';
    case 'connected':
      return isLive(health) ? 'Connected · live' : `Connected · ${stateOf(health).title}`;
    case 'gone':
      return `Last known ${durationText(now - state.since)} ago, at ${clockText(state.since)}. ${state.why} Trying again.`;
    case 'no service':
      return state.why;
    case 'signed out':
      return place === 'editor' ? `${state.why} Run Headwater: Enter Service Token.` : state.why;
    case 'asking':
      return [
        'This service is polled every few seconds. It does not report its history or its connected clients.',
        ...(isLive(health) || health.kind === 'unknown' ? [] : [`${shownState(state, health).title}.`]),
      ].join(' ');
  }
}

/** Returns the time, which is updated each second while it is needed. */
function useNow(isNeeded: boolean): number {
  const [, drawAgain] = useState(0);
  useEffect(() => {
    if (!isNeeded) return;
    const timer = setInterval(() => drawAgain((times) => times + 1), 1_000);
    return () => clearInterval(timer);
  }, [isNeeded]);
  return ageTime();
}
