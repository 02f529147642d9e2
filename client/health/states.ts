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
      return { icon: 'question', tone: 'busy', title: t('Checking …'), details: [] };
    case 'off':
      return { icon: 'circle-slash', tone: 'idle', title: t('off'), details: [health.sentence] };
    case 'silent':
      return { icon: 'question', tone: 'warning', title: t('no answer'), details: [health.sentence] };
    case 'refused': {
      const icon = health.why === 'unauthorized' || health.why === 'tokenless' ? 'key' : 'warning';
      return { icon, tone: 'warning', title: titleOfRefusal(health.why), details: [health.sentence] };
    }
    default:
      return health.overdue === undefined
        ? stateOfAnswer(health, shortfall)
        : formerState(health, health.overdue);
  }
}

/** Returns the words for a state that was true at the last answer, but may no longer be. */
function formerState(health: AnsweredHealth, overdue: Overdue): StateWords {
  const { age: ageMs, sentence } = overdue;
  const before = [overdueText(overdue), ...stateOfAnswer(health, undefined).details];
  return sentence === undefined
    ? { icon: 'question', tone: 'idle', title: t('last known {0} ago', age(ageMs)), details: before }
    : {
        icon: 'question',
        tone: 'warning',
        title: t('no answer for {0}', age(ageMs)),
        details: [sentence, ...before],
      };
}

/** Introduces facts that may be out of date. */
export function overdueText({ age: ageMs }: Overdue): string {
  return t('The last answer is {0} old. This was the state then:', age(ageMs));
}

function titleOfRefusal(why: Refusal): string {
  switch (why) {
    case 'tokenless':
      return t('no token');
    case 'unauthorized':
      return t('token refused');
    case 'untrusted':
      return t('not trusted');
    case 'foreign':
      return t('no sync service');
    case 'unsupported':
      return t('too old');
    case 'refused':
      return t('refuses to answer');
    case 'failed':
      return t('fails');
  }
}

function stateOfAnswer(health: AnsweredHealth, shortfall: Shortfall | undefined): StateWords {
  const problems = listProblems(health.diagnosis, shortfall);
  const { details = [], ...words } = entryFor(health, problems);
  return {
    ...words,
    details: [...details, ...sentencesAboutPending(health.diagnosis), ...messagesOf(health, problems)],
  };
}

/** Returns the words of a state, with the sentences that only this state has. */
function entryFor(
  health: AnsweredHealth,
  problems: readonly Problem[],
): Omit<StateWords, 'details'> & Partial<Pick<StateWords, 'details'>> {
  switch (health.kind) {
    case 'waiting':
      return isSilent(health.diagnosis)
        ? { icon: 'question', tone: 'warning', title: t('source does not answer') }
        : { icon: 'loading~spin', tone: 'busy', title: t('waiting for the source') };
    case 'empty':
      return {
        icon: 'circle-outline',
        tone: 'idle',
        title: t('nothing deployed'),
        details: [
          t(
            'Deploy a sync config: run headwater deploy, or click Deploy in VS Code. Clients get no rows until then.',
          ),
        ],
      };
    case 'copying': {
      const details = [copySentence(health.copy, health.diagnosis.pending?.phase)];
      if (!health.copy.isPaused)
        return { icon: 'sync~spin', tone: 'busy', title: titleOfCopy(health.copy), details };
      const resume = t(
        'The copy is paused. To resume it, run headwater copy resume, or Pause or Slow Copying in VS Code.',
      );
      return { icon: 'debug-pause', tone: 'busy', title: t('copy paused'), details: [resume, ...details] };
    }
    case 'resuming':
      return {
        icon: 'sync~spin',
        tone: 'busy',
        title: t('catching up'),
        details: [t('The service has just started and is reading the changes since it stopped.')],
      };
    case 'stalled':
      return { icon: 'warning', tone: 'warning', title: titleOfPause(health) };
    case 'failing': {
      const words = { icon: 'error', tone: 'bad', title: titleOfFailure(health) } as const;
      return mayCopyAgain(health) ? { ...words, remedy: 'reprocess' } : words;
    }
    case 'incomplete':
    case 'healthy': {
      const ofState = problems.filter((problem) => !isAboutText(problem));
      const isInSync = ofState.every(({ short }) => short === undefined);
      return ofState.length === 0
        ? { icon: 'pass', tone: 'good', title: t('in sync'), isInSync }
        : {
            icon: 'warning',
            tone: 'warning',
            title: titleOfProblems(ofState),
            isInSync,
            ...remedyFor(ofState),
          };
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
