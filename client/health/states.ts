/** The one table of words for the states of a service. Each surface only chooses where to show them. */
import type { Diagnosis } from '../api/answers.ts';
import { nameOfConfig } from '../api/deployedConfig.ts';
import { t } from '../l10n.ts';
import { age, rowsText } from './amounts.ts';
import { copySentence } from './copyWords.ts';
import {
  type AnsweredHealth,
  type Copy,
  distinct,
  type Health,
  isFullDisk,
  isHeard,
  isReached,
  isSilent,
  type Overdue,
  type Refusal,
} from './health.ts';
import { isAboutText, listProblems, type Problem, type Shortfall } from './problems.ts';

export interface StateWords {
  /** The name of the icon in VS Code. */
  readonly icon: string;
  /** `idle`: the service is off, or has nothing to do. */
  readonly tone: 'good' | 'busy' | 'idle' | 'warning' | 'bad';
  /** The state in a few words, which can follow a colon. */
  readonly title: string;
  /** Sentences, with the most important one first. */
  readonly details: readonly string[];
  /** Whether all rows are in sync, as far as is known. */
  readonly isInSync?: boolean;
  /** A request to the service that may help. */
  readonly remedy?: 'apply' | 'reset' | 'reprocess';
}

/** @param shortfall the known differences from the files */
export function stateOf(health: Health, shortfall?: Shortfall): StateWords {
  switch (health.kind) {
    case 'unknown':
      return wordsOf('question', 'busy', t('Checking …'));
    case 'off':
      return wordsOf('circle-slash', 'idle', t('off'), health.sentence);
    case 'silent':
      return wordsOf('question', 'warning', t('no answer'), health.sentence);
    case 'refused': {
      const icon = health.why === 'unauthorized' || health.why === 'tokenless' ? 'key' : 'warning';
      return wordsOf(icon, 'warning', titleOfRefusal(health.why), health.sentence);
    }
    default:
      return health.overdue === undefined
        ? stateOfAnswer(health, shortfall)
        : formerState(health, health.overdue);
  }
}

/** Returns a row of the table. */
export function wordsOf(
  icon: string,
  tone: StateWords['tone'],
  title: string,
  ...details: readonly string[]
): StateWords {
  return { icon, tone, title, details };
}

/** Returns the words for a state that was true at the last answer, but may no longer be. */
function formerState(health: AnsweredHealth, overdue: Overdue): StateWords {
  const { age: ageMs, sentence } = overdue;
  const before = [overdueText(overdue), ...stateOfAnswer(health, undefined).details];
  return sentence === undefined
    ? wordsOf('question', 'idle', t('last known {0} ago', age(ageMs)), ...before)
    : wordsOf('question', 'warning', t('no answer for {0}', age(ageMs)), sentence, ...before);
}

/** Introduces facts that may be out of date. */
export function overdueText({ age: ageMs }: Overdue): string {
  return t('The last answer is {0} old. This was the state then:', age(ageMs));
}

function titleOfRefusal(why: Refusal): string {
  const titles: Readonly<Record<Refusal, string>> = {
    tokenless: t('no token'),
    unauthorized: t('token refused'),
    untrusted: t('not trusted'),
    foreign: t('no sync service'),
    unsupported: t('too old'),
    refused: t('refuses to answer'),
    failed: t('fails'),
  };
  return titles[why];
}

function stateOfAnswer(health: AnsweredHealth, shortfall: Shortfall | undefined): StateWords {
  const problems = listProblems(health.diagnosis, shortfall);
  const words = ownWordsOf(health, problems);
  const { details } = words;
  return {
    ...words,
    details: [...details, ...sentencesAboutPending(health.diagnosis), ...messagesOf(health, problems)],
  };
}

/** Returns the words of a state, with the sentences that only this state has. */
function ownWordsOf(health: AnsweredHealth, problems: readonly Problem[]): StateWords {
  switch (health.kind) {
    case 'waiting':
      return isSilent(health.diagnosis)
        ? wordsOf('question', 'warning', t('source does not answer'))
        : wordsOf('loading~spin', 'busy', t('waiting for the source'));
    case 'empty': {
      const deploy = t(
        'Deploy a sync config: run headwater deploy, or click Deploy in VS Code. Clients get no rows until then.',
      );
      return wordsOf('circle-outline', 'idle', t('nothing deployed'), deploy);
    }
    case 'copying': {
      const progress = copySentence(health.copy, health.diagnosis.pending?.phase);
      if (!health.copy.isPaused) return wordsOf('sync~spin', 'busy', titleOfCopy(health.copy), progress);
      const resume = t(
        'The copy is paused. To resume it, run headwater copy resume, or Pause or Slow Copying in VS Code.',
      );
      return wordsOf('debug-pause', 'busy', t('copy paused'), resume, progress);
    }
    case 'resuming': {
      const reading = t('The service has just started and is reading the changes since it stopped.');
      return wordsOf('sync~spin', 'busy', t('catching up'), reading);
    }
    case 'stalled':
      return wordsOf('warning', 'warning', titleOfPause(health));
    case 'failing': {
      const words = wordsOf('error', 'bad', titleOfFailure(health));
      return mayCopyAgain(health) ? { ...words, remedy: 'reprocess' } : words;
    }
    case 'incomplete':
    case 'healthy': {
      const ofState = problems.filter((problem) => !isAboutText(problem));
      if (ofState.length === 0) return { ...wordsOf('pass', 'good', t('in sync')), isInSync: true };
      const words = wordsOf('warning', 'warning', titleOfProblems(ofState));
      const isInSync = ofState.every(({ short }) => short === undefined);
      return { ...words, isInSync, ...remedyFor(ofState) };
    }
  }
}

function titleOfCopy({ rows, remainingSeconds }: Copy): string {
  if (remainingSeconds !== undefined) return t('copying, {0} left', age(1000 * remainingSeconds));
  return rows === undefined ? t('copying') : t('copying, {0}', rowsText(rows));
}

function titleOfPause({ since, diagnosis }: Extract<AnsweredHealth, { kind: 'stalled' }>): string {
  return since === undefined ? t('no progress so far') : t('no progress for {0}', age(diagnosis.at - since));
}

function titleOfFailure({ diagnosis, errors }: Extract<AnsweredHealth, { kind: 'failing' }>): string {
  if (errors.some(isFullDisk)) return t('disk full');
  return isReached(diagnosis) ? t('replication is failing') : t('source not reachable');
}

function titleOfProblems([first, ...others]: readonly Problem[]): string {
  const more = others.length;
  if (first?.short === undefined)
    return more === 0 ? t('in sync, but 1 problem') : t('in sync, but {0} problems', more + 1);
  if (more === 0) return first.short;
  return more === 1
    ? t('{0}, and 1 more problem', first.short)
    : t('{0}, and {1} more problems', first.short, more);
}

/** A new copy would need more disk space, and a source to read. */
function mayCopyAgain({ diagnosis, errors }: Extract<AnsweredHealth, { kind: 'failing' }>): boolean {
  return diagnosis.active !== undefined && isHeard(diagnosis) && !errors.some(isFullDisk);
}

/** Omitted statements may succeed now, but scripts that changed after they were run cannot run again. */
function remedyFor(problems: readonly Problem[]): Pick<StateWords, 'remedy'> {
  if (problems.some(({ kind }) => kind === 'left out')) return { remedy: 'apply' };
  return problems.some(({ kind }) => kind === 'scripts') ? { remedy: 'reset' } : {};
}

/** The maximum number of problems, because a tooltip is short. The tree lists all of them. */
const mostProblems = 6;

function messagesOf(health: AnsweredHealth, problems: readonly Problem[]): readonly string[] {
  const errors = health.kind === 'failing' ? health.errors : [];
  const messages = distinct([...errors, ...problems]).map(({ message }) => message);
  const more = messages.length - mostProblems;
  return [...messages.slice(0, mostProblems), ...(more > 0 ? [t('And {0} more.', more)] : [])];
}

function sentencesAboutPending({ active, pending }: Diagnosis): readonly string[] {
  if (pending === undefined) return [];
  return [
    active === undefined
      ? t('Being copied: {0}. No config is active until then.', nameOfConfig(pending))
      : t('Being copied: {0}. The active config serves until then.', nameOfConfig(pending)),
  ];
}
