/** The text of the status bar for a target, and its explanation in the tooltip. */
import type { CopyStatus, ReportedError } from '../api/answers.ts';
import { nameOfConfig } from '../api/deployedConfig.ts';
import { durationOf } from '../duration.ts';
import { t } from '../l10n.ts';
import type { LocalState } from '../local/machine.ts';
import type { AnsweredHealth, Copy, Health, Overdue, Refusal } from './health.ts';
import { isCurrent, isFullDisk, isHeard, isReached, isSilent, progressOf, silencesIn } from './health.ts';
import { explainTrouble, type Shortfall, shortTrouble } from './shortfall.ts';

export interface Situation {
  readonly name: string;
  readonly health: Health;
  /** The state of the process, for the local service only. */
  readonly local?: LocalState;
  /** Whether the config in the editor is the deployed one. Undefined if there is no config to compare. */
  readonly isDeployed?: boolean | undefined;
  /** The known differences from the files. */
  readonly shortfall?: Shortfall | undefined;
  /** The file from which the service takes its sync config, if it is not the file in the editor. */
  readonly loads?: { readonly config: string; readonly file: string } | undefined;
}

export interface StatusWords {
  readonly text: string;
  /** The paragraphs of the explanation. */
  readonly explanation: readonly string[];
  readonly tone: 'plain' | 'warning' | 'error';
}

export function wordsFor(situation: Situation): StatusWords {
  const { name, local, loads } = situation;
  const ofProcess = local && wordsForProcess(name, local);
  const words = ofProcess ?? wordsForHealth(situation);
  if (loads === undefined) return words;
  const hint = t('{0} is running {1}, not the file in the editor.', loads.config, loads.file);
  return { ...words, explanation: [...words.explanation, hint] };
}

/**
 * Returns the text for screen readers, without the icon but with the explanation from the tooltip. A sentence that is the text already
 * is not repeated.
 */
export function spokenWords({ text, explanation }: StatusWords): string {
  const short = withoutIcon(text);
  const more = explanation.filter((sentence) => !short.endsWith(`: ${sentence.replace(/\.$/, '')}`));
  return ['Headwater', short, ...more].reduce(
    (said, sentence) => `${said}${/[.:]$/.test(said) ? '' : '.'} ${sentence}`,
  );
}

/** Returns words for the state of the process. Undefined while it is running, because its answers are more precise. */
function wordsForProcess(name: string, local: LocalState): StatusWords | undefined {
  switch (local.kind) {
    case 'running':
      return undefined;
    case 'off':
    case 'looking':
      return plain(`$(circle-slash) ${name}: ${t('off')}`, [t('The local service is not running.')]);
    case 'starting':
      return plain(`$(loading~spin) ${name}: ${t('starting')}`, [t('The local service is starting.')]);
    case 'stopping':
      return plain(`$(loading~spin) ${name}: ${t('stopping')}`, [t('The local service is stopping.')]);
    case 'failed':
      return { text: `$(error) ${name}: ${t('not running')}`, explanation: [local.sentence], tone: 'error' };
  }
}

function wordsForHealth(situation: Situation): StatusWords {
  const { name, health, isDeployed, shortfall } = situation;
  switch (health.kind) {
    case 'unknown':
      return plain(`$(question) ${name}`, [t('Checking …')]);
    case 'off':
      return plain(`$(circle-slash) ${name}: ${t('off')}`, [health.sentence]);
    case 'silent':
      return warning(`$(question) ${name}: ${t('no answer')}`, [health.sentence]);
    case 'refused': {
      const icon = health.why === 'unauthorized' || health.why === 'tokenless' ? '$(key)' : '$(warning)';
      return warning(`${icon} ${name}: ${wordsForRefusal(health.why)}`, [health.sentence]);
    }
    default: {
      if (health.overdue !== undefined) return wordsForOverdue(name, health, health.overdue);
      const explanation = explain(health, isDeployed, shortfall);
      return { ...wordsForAnswer(name, health, situation), explanation };
    }
  }
}

function wordsForOverdue(name: string, health: AnsweredHealth, overdue: Overdue): StatusWords {
  const { age: ageMs, sentence } = overdue;
  const before = [overdueText(overdue), ...explain(health, undefined, undefined)];
  return sentence === undefined
    ? plain(`$(question) ${name}: ${t('last known {0} ago', age(ageMs))}`, before)
    : warning(`$(question) ${name}: ${t('no answer for {0}', age(ageMs))}`, [sentence, ...before]);
}

/** Introduces facts that may be out of date. */
export function overdueText({ age: ageMs }: Overdue): string {
  return t('The last answer is {0} old. This was the state then:', age(ageMs));
}

function wordsForRefusal(why: Refusal): string {
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

/** Returns the state in a few words, which the status bar shows after the name. */
export function stateText(
  situation: Pick<Situation, 'health' | 'shortfall'>,
): Pick<StatusWords, 'text' | 'tone'> {
  const { text, tone } = wordsForHealth({ ...situation, name: '' });
  return { text: withoutIcon(text).replace(/^:? /, '') || t('in sync'), tone };
}

function withoutIcon(text: string): string {
  return text.replace(/^\$\([^)]+\) /, '');
}

function wordsForAnswer(
  name: string,
  health: AnsweredHealth,
  { isDeployed, shortfall }: Situation,
): Pick<StatusWords, 'text' | 'tone'> {
  switch (health.kind) {
    case 'waiting':
      return isSilent(health.diagnosis)
        ? { text: `$(question) ${name}: ${t('source does not answer')}`, tone: 'warning' }
        : { text: `$(loading~spin) ${name}: ${t('waiting for the source')}`, tone: 'plain' };
    case 'empty':
      return { text: `$(circle-outline) ${name}: ${t('nothing deployed')}`, tone: 'plain' };
    case 'copying':
      return health.copy.isPaused
        ? { text: `$(debug-pause) ${name}: ${t('copy paused')}`, tone: 'plain' }
        : { text: `$(sync~spin) ${name}${shortCopy(health.copy)}`, tone: 'plain' };
    case 'stalled':
      return { text: `$(warning) ${name}: ${pauseOf(health)}`, tone: 'warning' };
    case 'failing':
      return { text: `$(error) ${name}: ${shortFailure(health)}`, tone: 'error' };
    case 'resuming':
      return { text: `$(sync~spin) ${name}: ${t('catching up')}`, tone: 'plain' };
    case 'incomplete':
    case 'healthy': {
      const trouble = shortTrouble(health.diagnosis, shortfall);
      if (trouble !== undefined) return { text: `$(warning) ${name}: ${trouble}`, tone: 'warning' };
      return isDeployed === false
        ? { text: `$(git-compare) ${name}: ${t('not deployed')}`, tone: 'plain' }
        : { text: `$(pass) ${name}`, tone: 'plain' };
    }
  }
}

function shortCopy({ rows, remainingSeconds }: Copy): string {
  if (remainingSeconds !== undefined) return `: ${t('{0} left', age(1000 * remainingSeconds))}`;
  return rows === undefined ? `: ${t('copying')}` : ` ${rowsText(rows)}`;
}

function pauseOf({ since, diagnosis }: Extract<AnsweredHealth, { kind: 'stalled' }>): string {
  return since === undefined ? t('no progress so far') : t('no progress for {0}', age(diagnosis.at - since));
}

function shortFailure({ diagnosis, errors }: Extract<AnsweredHealth, { kind: 'failing' }>): string {
  if (errors.some(isFullDisk)) return t('disk full');
  return isReached(diagnosis) ? t('replication fails') : t('source not reachable');
}

function explain(
  health: AnsweredHealth,
  isDeployed: boolean | undefined,
  shortfall: Shortfall | undefined,
): readonly string[] {
  const { diagnosis } = health;
  const { at, active, pending } = diagnosis;
  const progressAt = active && progressOf(active);
  const paragraphs = [
    ...(health.kind === 'failing' ? health.errors.map(messageOf) : []),
    ...(health.kind === 'waiting'
      ? [...diagnosis.sources.flatMap(({ errors }) => errors), ...silencesIn(diagnosis)].map(messageOf)
      : []),
    ...(health.kind === 'resuming'
      ? [t('The service has just started and is catching up with the source.')]
      : []),
    ...(isHeard(diagnosis) ? explainTrouble(diagnosis, shortfall) : []),
    ...(health.kind === 'copying' ? [explainCopy(health.copy, pending?.phase)] : []),
    ...(progressAt === undefined ? [] : [t('Last progress {0} ago.', age(at - progressAt))]),
    ...(active?.lagBytes === undefined ? [] : [t('{0} behind the source.', sizeText(active.lagBytes))]),
    ...(active ? [t('Active: {0}.', nameOfConfig(active))] : []),
    ...(pending && active
      ? [t('Being copied: {0}. The active config serves until then.', nameOfConfig(pending))]
      : []),
    ...(pending && !active
      ? [t('Being copied: {0}. No config is active until then.', nameOfConfig(pending))]
      : []),
    ...(isDeployed === undefined ? [] : [ofFile(isDeployed, pending !== undefined)]),
    ...pastErrors(diagnosis),
  ];
  return [...new Set(paragraphs)];
}

function ofFile(isDeployed: boolean, isCopied: boolean): string {
  if (!isDeployed) return t('The deployed config differs from the file.');
  return isCopied ? t('The file is being copied.') : t('The deployed config is the same as the file.');
}

function explainCopy(copy: Copy, phase: string | undefined): string {
  const pause = copy.isPaused ? [t('The copy is paused. Run Pause or Slow Copying to resume it.')] : [];
  return [...pause, copySentence(copy, phase)].join(' ');
}

/** Returns the progress of a copy as a sentence. */
export function copySentence(copy: Copy, phase: string | undefined): string {
  if (copy.rows !== undefined) return t('Copied so far: {0}.', copyText(copy));
  return phase === 'preparing'
    ? t('The copy is ready to start and is waiting for the open transactions of the source to end.')
    : t('The tables are being copied. The service does not report its progress.');
}

/** Returns the progress of a copy, and the time that the remaining rows may take. Empty if neither is known. */
export function copyText(copy: CopyStatus): string {
  const { isPaused, rows, ofRows, rowsPerSecond, remainingSeconds, limit } = copy;
  const counted =
    ofRows === undefined || ofRows <= (rows ?? 0)
      ? rowsText
      : (some: number) => t('{0} of about {1}', countText(some), rowsText(ofRows));
  const facts = [
    rows !== undefined && counted(rows),
    !isPaused && rowsPerSecond !== undefined && t('{0} a second', countText(rowsPerSecond)),
    limit !== undefined && t('at most {0} a second', countText(limit)),
    !isPaused && remainingSeconds !== undefined && t('about {0} left', age(1000 * remainingSeconds)),
  ];
  return facts.filter((fact) => fact !== false).join(', ');
}

function pastErrors({ at, active, pending }: AnsweredHealth['diagnosis']): readonly string[] {
  const deployments = [active, pending].filter((each) => each !== undefined);
  return deployments.flatMap((deployed) => {
    // Problems of tables have their own sentences.
    const ofTables = deployed.tables.flatMap(({ errors }) => errors.map(messageOf));
    return deployed.errors
      .filter((error) => error.level === 'warning' || !isCurrent(error, deployed))
      .filter(({ message }) => !ofTables.includes(message))
      .map((error) =>
        error.at === undefined
          ? error.message
          : t('{0} ago, with progress since then: {1}', age(at - error.at), error.message),
      );
  });
}

function messageOf({ message }: ReportedError): string {
  return message;
}

function plain(text: string, explanation: readonly string[]): StatusWords {
  return { text, explanation, tone: 'plain' };
}

function warning(text: string, explanation: readonly string[]): StatusWords {
  return { text, explanation, tone: 'warning' };
}

/** Returns a number such as `41,200`. */
export function countText(number: number): string {
  return number.toLocaleString('en-US');
}

/** Returns a number of rows such as `1 row` or `41,200 rows`. */
export function rowsText(number: number): string {
  return number === 1 ? t('1 row') : t('{0} rows', countText(number));
}

/** Returns an age such as `12 s`, `6 min`, `3 h` or `2 days`. */
export function age(milliseconds: number): string {
  const { amount, unit } = durationOf(milliseconds);
  switch (unit) {
    case 's':
      return t('{0} s', amount);
    case 'min':
      return t('{0} min', amount);
    case 'h':
      return t('{0} h', amount);
    case 'days':
      return t('{0} days', amount);
  }
}

/** Returns a size such as `1 byte`, `800 bytes` or `12 kB`. */
export function sizeText(number: number): string {
  if (number === 1) return t('1 byte');
  if (number < 10_000) return t('{0} bytes', countText(number));
  return number < 10_000_000
    ? t('{0} kB', countText(Math.round(number / 1000)))
    : t('{0} MB', countText(Math.round(number / 1e6)));
}
