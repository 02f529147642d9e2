/** The state that the console shows: that of the service, or that of the connection to it. */
import type { Diagnosis } from '../../api/answers.ts';
import type { Health } from '../../health/health.ts';
import { type StateWords, stateOf } from '../../health/states.ts';
import { amountText, clockText } from '../parts/amounts.ts';
import type { LinkState } from '../state/service.ts';

type ShownState = Omit<StateWords, 'icon'> & {
  /** Whether the state is that of now, so that the facts on the page are current. */
  readonly isCurrent: boolean;
};

/** @param clients the number of clients; undefined if the service does not report it */
export function shownState(link: LinkState, health: Health, clients?: number): ShownState {
  const ofLink = stateOfLink(link);
  if (ofLink !== undefined) return { ...ofLink, isCurrent: false };
  const { title, details, ...others } = stateOf(health);
  return {
    ...others,
    title: `${title.charAt(0).toUpperCase()}${title.slice(1)}`,
    details: [
      ...details,
      ...(health.kind === 'healthy' || health.kind === 'incomplete'
        ? [summaryOf(health.diagnosis, clients)]
        : []),
    ],
    isCurrent: !('overdue' in health && health.overdue !== undefined),
  };
}

/** Returns the words for a service that cannot be called now, or undefined if it can. */
function stateOfLink(link: LinkState): Omit<ShownState, 'isCurrent'> | undefined {
  switch (link.kind) {
    case 'gone':
      return {
        tone: 'bad',
        title: `The service has not answered since ${clockText(link.since)}`,
        details: [link.why, 'Everything below shows the state at that time.'],
      };
    case 'signed out':
      return { tone: 'warning', title: 'The service denies the console access', details: [link.why] };
    case 'no service':
      return { tone: 'warning', title: 'No service is available', details: [link.why] };
    default:
      return undefined;
  }
}

function summaryOf({ active }: Diagnosis, clients: number | undefined): string {
  // A table without keys does not exist in the source, so it has no rows.
  const present = (active?.tables ?? []).filter(({ keys }) => keys.length > 0);
  const counts = present.flatMap(({ storedRows }) => storedRows ?? []);
  const isCounted = counts.length > 0 && counts.length === present.length;
  const amounts = {
    stream: active?.streams?.length,
    table: active?.tables.length,
    row: isCounted ? counts.reduce((sum, each) => sum + each, 0) : undefined,
    'connected client': clients,
  };
  const parts = Object.entries(amounts).map(
    ([noun, count]) => count !== undefined && amountText(count, noun),
  );
  return `${parts.filter((part) => part !== false).join(' · ')}.`;
}
