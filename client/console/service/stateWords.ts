/** The state of the service in one sentence, with the action that helps. */
import type { Diagnosis, ReportedError } from '../../api/answers.ts';
import {
  type AnsweredHealth,
  distinct,
  type Health,
  isCurrent,
  isFullDisk,
  isHeard,
  isReached,
  isSilent,
  type Overdue,
} from '../../health/health.ts';
import { copySentence } from '../../health/words.ts';
import { amountText, clockText, durationText } from '../parts/amounts.ts';
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
      const { active, pending } = health.diagnosis;
      const meanwhile = active
        ? 'The previous config stays active until all rows are copied.'
        : 'Clients get rows as soon as all of them are copied.';
      const title = health.copy.isPaused ? 'The copy is paused' : 'Copying rows';
      return { tone: 'busy', title, details: [`${copySentence(health.copy, pending?.phase)} ${meanwhile}`] };
    }
    case 'resuming':
      return {
        tone: 'busy',
        title: 'Catching up',
        details: ['The service has just started and is reading the changes since it stopped.'],
      };
    case 'stalled':
      return { tone: 'warning', title: titleOfPause(health), details: problemsOf(health.diagnosis) };
    case 'failing':
      return {
        tone: 'bad',
        title: titleOfFailure(health),
        details: health.errors.map(({ message }) => message),
        ...(mayCopyAgain(health) && { action: 'reprocess' }),
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
  const but = `In sync, but ${amountText(problems.length, 'problem')}`;
  return {
    tone: 'warning',
    title: kind === 'healthy' ? but : 'Not everything is in sync',
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

function titleOfPause({ since, diagnosis }: Extract<Health, { kind: 'stalled' }>): string {
  return since === undefined ? 'No progress so far' : `No progress for ${durationText(diagnosis.at - since)}`;
}

/** A new copy would need more disk space, and a source to read. */
function mayCopyAgain({ diagnosis, errors }: Extract<Health, { kind: 'failing' }>): boolean {
  return diagnosis.active !== undefined && isHeard(diagnosis) && !errors.some(isFullDisk);
}

function titleOfFailure({ diagnosis, errors }: Extract<Health, { kind: 'failing' }>): string {
  if (errors.some(isFullDisk)) return 'The disk of the service is full';
  return isReached(diagnosis) ? 'Replication is failing' : 'The source database cannot be reached';
}

/** Returns the problems of the source, of tables and of the config, each once. */
function problemsOf(diagnosis: Diagnosis): readonly string[] {
  return distinct(errorsOf(diagnosis)).map(({ message }) => message);
}

function errorsOf({ sources, active, pending }: Diagnosis): readonly ReportedError[] {
  const deployments = [active, pending].filter((each) => each !== undefined);
  return [
    ...sources.flatMap(({ errors }) => errors),
    ...deployments.flatMap((deployed) => [
      ...deployed.errors.filter((error) => isCurrent(error, deployed)),
      ...deployed.tables.flatMap(({ errors }) => errors),
    ]),
  ];
}
