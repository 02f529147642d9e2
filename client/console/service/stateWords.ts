/** The state of the service in one sentence, with the action that helps. */
import type { Diagnosis, ReportedError } from '../../api/answers.ts';
import {
  type AnsweredHealth,
  distinct,
  type Health,
  isCurrent,
  isFullDisk,
  isHeard,
  isSilent,
  type Overdue,
} from '../../health/health.ts';
import { amountText, clockText, durationText, numberText } from '../parts/amounts.ts';
import type { LinkState } from '../state/service.ts';

export interface StateWords {
  readonly tone: 'good' | 'busy' | 'warning' | 'bad';
  readonly title: string;
  readonly details: readonly string[];
  /** The action of the button. */
  readonly action?: StateAction;
}

export type StateAction = 'apply' | 'reset' | 'reprocess';

/** Returns the words for a service that cannot be called now, or undefined if it can. */
function wordsOfLink(link: LinkState): StateWords | undefined {
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

/** Returns the words for the state that a page shows, which may be an earlier one. */
export function shownState(
  link: LinkState,
  health: Health,
  clients?: number,
): StateWords & { readonly isCurrent: boolean } {
  const ofLink = wordsOfLink(link);
  if (ofLink !== undefined) return { ...ofLink, isCurrent: false };
  return {
    ...stateWords(health, clients),
    isCurrent: !('overdue' in health && health.overdue !== undefined),
  };
}

/** @param clients the number of clients; undefined if the service does not report it */
export function stateWords(health: Health, clients: number | undefined): StateWords {
  if ('diagnosis' in health && health.overdue !== undefined) return wordsOfAge(health.overdue);
  switch (health.kind) {
    case 'unknown':
      return { tone: 'busy', title: 'Asking the service …', details: [] };
    case 'off':
    case 'silent':
    case 'refused':
      return { tone: 'bad', title: 'The service does not answer', details: [health.sentence] };
    case 'waiting':
      return {
        ...(isSilent(health.diagnosis)
          ? { tone: 'warning', title: 'The source database does not answer' }
          : { tone: 'busy', title: 'Waiting for the source database' }),
        details: problemsOf(health.diagnosis),
      };
    case 'empty':
      return {
        tone: 'warning',
        title: 'Nothing is deployed yet',
        details: [
          'Deploy a sync config: run headwater deploy, or click Deploy in VS Code. Clients get no rows until then.',
        ],
      };
    case 'copying': {
      const { rows, estimated, rate, remaining, isPaused } = health.copy;
      const share =
        rows !== undefined && estimated !== undefined && estimated > rows
          ? `${numberText(rows)} of about ${amountText(estimated, 'row')}`
          : rows === undefined
            ? 'An unknown number of rows'
            : amountText(rows, 'row');
      const speed = rate === undefined ? '' : `, ${numberText(rate)} a second`;
      const meanwhile = health.diagnosis.active
        ? 'The previous config stays active until all rows are copied.'
        : 'Clients get rows as soon as all of them are copied.';
      const rest = remaining === undefined ? '' : `, about ${durationText(1000 * remaining)} left`;
      const title = isPaused ? 'The copy is paused' : 'Copying rows';
      return { tone: 'busy', title, details: [`${share} copied${speed}${rest}. ${meanwhile}`] };
    }
    case 'resuming':
      return {
        tone: 'busy',
        title: 'Catching up',
        details: ['The service has just started and is reading the changes since it stopped.'],
      };
    case 'stalled': {
      const title =
        health.since === undefined
          ? 'No progress so far'
          : `No progress for ${durationText(health.diagnosis.at - health.since)}`;
      return { tone: 'warning', title, details: problemsOf(health.diagnosis) };
    }
    case 'failing':
      return {
        tone: 'bad',
        title: titleOfFailure(health),
        details: health.errors.map(({ message }) => message),
        // A new copy would need more disk space, and a source to read.
        ...(health.diagnosis.active === undefined ||
        health.errors.some(isFullDisk) ||
        !isHeard(health.diagnosis)
          ? {}
          : ({ action: 'reprocess' } as const)),
      };
    case 'incomplete':
    case 'healthy':
      return wordsOfServing(health, clients);
  }
}

/** The words for a diagnosis that is out of date although the service sends events. */
function wordsOfAge({ age }: Overdue): StateWords {
  return {
    tone: 'warning',
    title: `The state is unknown: the last answer is ${durationText(age)} old`,
    details: ['The service sends events, but it does not report the state of its source and its tables.'],
  };
}

function wordsOfServing({ kind, diagnosis }: AnsweredHealth, clients: number | undefined): StateWords {
  const problems = problemsOf(diagnosis);
  const summary = summaryOf(diagnosis, clients);
  if (kind === 'healthy' && problems.length === 0)
    return { tone: 'good', title: 'Everything is in sync', details: [summary] };
  const title =
    kind === 'healthy'
      ? `In sync, but ${amountText(problems.length, 'problem')}`
      : 'Not everything is in sync';
  return {
    tone: 'warning',
    title,
    details: [summary, ...problems],
    ...actionFor(errorsOf(diagnosis)),
  };
}

/** Returns an action. Omitted statements may succeed now, but scripts that changed after they were run cannot run again. */
function actionFor(errors: readonly ReportedError[]): Pick<StateWords, 'action'> {
  if (errors.some(({ kind }) => kind === 'left out')) return { action: 'apply' };
  return errors.some(({ kind }) => kind === 'scripts') ? { action: 'reset' } : {};
}

function summaryOf({ active }: Diagnosis, clients: number | undefined): string {
  const streams = active?.streams?.length;
  // A table without keys does not exist in the source, so it has no rows.
  const present = (active?.tables ?? []).filter(({ keys }) => keys.length > 0);
  const counts = present.flatMap(({ storedRows }) => storedRows ?? []);
  const isCounted = counts.length > 0 && counts.length === present.length;
  const parts = [
    ...(streams === undefined ? [] : [amountText(streams, 'stream')]),
    ...(active === undefined ? [] : [amountText(active.tables.length, 'table')]),
    ...(isCounted
      ? [
          amountText(
            counts.reduce((sum, each) => sum + each, 0),
            'row',
          ),
        ]
      : []),
    ...(clients === undefined ? [] : [amountText(clients, 'connected client')]),
  ];
  return `${parts.join(' · ')}.`;
}

function titleOfFailure({ diagnosis, errors }: Extract<Health, { kind: 'failing' }>): string {
  if (errors.some(isFullDisk)) return 'The disk of the service is full';
  return isHeard(diagnosis) ? 'Replication is failing' : 'The source database cannot be reached';
}

/** Returns the problems of the source, of tables and of the config, each once. */
function problemsOf(diagnosis: Diagnosis): readonly string[] {
  return distinct(errorsOf(diagnosis)).map(({ message }) => message);
}

function errorsOf({ sources, active, pending }: Diagnosis): readonly ReportedError[] {
  return [
    ...sources.flatMap(({ errors }) => errors),
    ...[active, pending].flatMap((deployed) =>
      deployed === undefined
        ? []
        : [
            ...deployed.errors.filter((error) => isCurrent(error, deployed)),
            ...deployed.tables.flatMap(({ errors }) => errors),
          ],
    ),
  ];
}
