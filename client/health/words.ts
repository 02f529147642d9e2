/** What the status bar says of a target, and what it explains when pointed at. */
import type { LocalState } from '../local/machine.ts';
import type { Answering, Copy, Health, Refusal } from './health.ts';
import { isCurrent, progressOf } from './health.ts';

export interface Situation {
  readonly name: string;
  readonly health: Health;
  /** Of the local service only: what its process does. */
  readonly local?: LocalState;
  /** Whether the config in the editor is the deployed one; undefined where there is none to compare. */
  readonly deployed?: boolean | undefined;
}

export interface Words {
  readonly text: string;
  /** One paragraph each. */
  readonly explanation: readonly string[];
  readonly tone: 'plain' | 'warning' | 'error';
}

export function wordsFor(situation: Situation): Words {
  const { name, health, local } = situation;
  const ofProcess = local && wordsForProcess(name, local);
  return ofProcess ?? wordsForHealth(name, health, situation.deployed);
}

/** Undefined while it runs: then its answers tell more. */
function wordsForProcess(name: string, local: LocalState): Words | undefined {
  switch (local.kind) {
    case 'running':
      return undefined;
    case 'off':
    case 'looking':
      return plain(`$(circle-slash) ${name}: off`, ['The local service does not run.']);
    case 'starting':
      return plain(`$(loading~spin) ${name}: starting`, ['The local service is starting.']);
    case 'stopping':
      return plain(`$(loading~spin) ${name}: stopping`, ['The local service is stopping.']);
    case 'failed':
      return { text: `$(error) ${name}: does not run`, explanation: [local.sentence], tone: 'error' };
  }
}

function wordsForHealth(name: string, health: Health, deployed: boolean | undefined): Words {
  switch (health.kind) {
    case 'unknown':
      return plain(`$(question) ${name}`, ['It is being asked how it is.']);
    case 'off':
      return plain(`$(circle-slash) ${name}: off`, [health.sentence]);
    case 'silent':
      return { text: `$(question) ${name}: no answer`, explanation: [health.sentence], tone: 'warning' };
    case 'refused': {
      const icon = health.why === 'unauthorized' ? '$(key)' : '$(warning)';
      return {
        text: `${icon} ${name}: ${refusals[health.why]}`,
        explanation: [health.sentence],
        tone: 'warning',
      };
    }
    default:
      return { ...wordsForAnswer(name, health, deployed), explanation: explain(health, deployed) };
  }
}

const refusals = {
  unauthorized: 'token refused',
  untrusted: 'not trusted',
  foreign: 'no sync service',
  unsupported: 'too old',
  refused: 'refuses to answer',
  failed: 'fails',
} as const satisfies Record<Refusal, string>;

function wordsForAnswer(
  name: string,
  health: Answering,
  deployed: boolean | undefined,
): Pick<Words, 'text' | 'tone'> {
  switch (health.kind) {
    case 'empty':
      return { text: `$(circle-outline) ${name}: nothing deployed`, tone: 'plain' };
    case 'copying':
      return { text: `$(sync~spin) ${name}${rowsOf(health.copy)}`, tone: 'plain' };
    case 'stalled':
      return { text: `$(warning) ${name}: ${pauseOf(health)}`, tone: 'warning' };
    case 'failing':
      return { text: `$(error) ${name}: ${shortFailure(health)}`, tone: 'error' };
    case 'healthy':
      return deployed === false
        ? { text: `$(git-compare) ${name}: not deployed`, tone: 'plain' }
        : { text: `$(pass) ${name}`, tone: 'plain' };
  }
}

function rowsOf({ rows }: Copy): string {
  return rows === undefined ? ': copying' : ` ${count(rows)} rows`;
}

function pauseOf({ since, diagnosis }: Extract<Answering, { kind: 'stalled' }>): string {
  return since === undefined ? 'no progress so far' : `no progress for ${age(diagnosis.at - since)}`;
}

function shortFailure({ diagnosis }: Answering): string {
  return diagnosis.sources.some(({ connected }) => !connected) ? 'source not reachable' : 'replication fails';
}

function explain(health: Answering, deployed: boolean | undefined): readonly string[] {
  const { diagnosis, missed } = health;
  const { at, active, pending } = diagnosis;
  const progressAt = active && progressOf(active);
  return [
    ...(health.kind === 'failing' ? health.errors.map(({ message }) => message) : []),
    ...(health.kind === 'copying' ? [explainCopy(health.copy, pending?.phase)] : []),
    ...(progressAt === undefined ? [] : [`Last progress ${age(at - progressAt)} ago.`]),
    ...(active?.lagBytes === undefined ? [] : [`${bytes(active.lagBytes)} behind the source.`]),
    ...(active ? [`Active: ${active.slot}.`] : []),
    ...(pending
      ? [
          `Being copied: ${pending.slot}; ${active ? 'the active one serves until then' : 'nothing serves until then'}.`,
        ]
      : []),
    ...(deployed === undefined
      ? []
      : [
          deployed
            ? `The file is ${pending ? 'what is being copied' : 'deployed as it is'}.`
            : 'The file is not deployed as it is.',
        ]),
    ...pastErrors(diagnosis),
    ...(missed > 0 ? ['The last question had no answer.'] : []),
  ];
}

function explainCopy({ rows, estimated, rate }: Copy, phase: string | undefined): string {
  if (rows === undefined && phase === 'preparing')
    return 'The copy is prepared: it begins when all transactions that are open in the source have ended.';
  if (rows === undefined) return 'The tables are being copied; the service does not tell how far it is.';
  const total = estimated !== undefined && estimated > rows ? ` of about ${count(estimated)}` : '';
  const speed = rate === undefined ? '' : `, ${count(rate)} a second`;
  return `${count(rows)}${total} rows copied${speed}.`;
}

function pastErrors({ at, active, pending }: Answering['diagnosis']): readonly string[] {
  return [active, pending].flatMap((deployed) =>
    deployed === undefined
      ? []
      : deployed.errors
          .filter((error) => error.level === 'warning' || !isCurrent(error, deployed))
          .map((error) =>
            error.at === undefined
              ? error.message
              : `${age(at - error.at)} ago, with progress since then: ${error.message}`,
          ),
  );
}

function plain(text: string, explanation: readonly string[]): Words {
  return { text, explanation, tone: 'plain' };
}

/** `41,200` */
export function count(number: number): string {
  return number.toLocaleString('en-US');
}

/** `12 s`, `6 min`, `3 h`, `2 days` */
export function age(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1000));
  if (seconds < 90) return `${seconds} s`;
  if (seconds < 90 * 60) return `${Math.round(seconds / 60)} min`;
  if (seconds < 48 * 3600) return `${Math.round(seconds / 3600)} h`;
  return `${Math.round(seconds / 86_400)} days`;
}

function bytes(number: number): string {
  if (number < 10_000) return `${count(number)} bytes`;
  return number < 10_000_000
    ? `${count(Math.round(number / 1000))} kB`
    : `${count(Math.round(number / 1e6))} MB`;
}
