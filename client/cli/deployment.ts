/** Deployments in a terminal: how long a command waits for them, and sentences about their outcome. */
import type { Deployment, Diagnosis, ReportedError } from '../api/answers.ts';
import type { Api } from '../api/api.ts';
import { nameAtStart, nameOfConfig, namesOf, type SentConfig } from '../api/deployedConfig.ts';
import { isFailure } from '../api/failure.ts';
import type { Outcome } from '../deploying/flow.ts';
import { type Ending, type FollowLimits, type FollowParts, follow, lookAt } from '../deploying/follow.ts';
import { copyText } from '../health/copyWords.ts';
import { progressOfCopy } from '../health/health.ts';
import type { Answer, Call } from './command.ts';
import type { ExitCode } from './failure.ts';
import { CliFailure, isCliFailure } from './failure.ts';
import type { Options } from './options.ts';
import type { Progress } from './progress.ts';
import { countNoun } from './validate/text.ts';
import type { World } from './world.ts';

/** The range of a copy's rate, in rows per second. */
export const rateRange = [1, 1_000_000_000] as const;

export const waitOptions = {
  'no-wait': { summary: 'Do not wait until the config is active' },
  timeout: {
    alias: '--deploy-timeout',
    value: 'SECONDS',
    between: [1, 86_400],
    summary: 'How long to wait until the config is active (default: 300)',
  },
} as const satisfies Options;

/** Returns the timeout in seconds. */
export function timeoutOf({ number }: Pick<Call<'timeout'>, 'number'>): number {
  return number('timeout') ?? usualTimeout;
}

export const usualTimeout = 300;

/** The limits of waiting. A command waits as long as the user has requested, even if the service is silent. */
const limits: FollowLimits = {
  pause: { first: 300, longest: 5_000, growth: 1.4 },
  mostFailures: 3,
  mostSilences: Number.POSITIVE_INFINITY,
};

interface Surroundings {
  readonly world: World;
  readonly progress: Progress;
  /** The timeout in seconds. */
  readonly timeout: number;
  /** Aborted when the wait is no longer needed. */
  readonly over?: AbortSignal;
}

/** Returns the parts that a command needs to follow a deployment. */
export function followParts({
  world,
  timeout,
  over,
}: Omit<Surroundings, 'progress'>): Omit<FollowParts, 'api' | 'onCopying'> {
  let end: number | undefined;
  return {
    limits,
    asks: {},
    pause: world.pause,
    // The timeout starts when there is something to wait for.
    hasTime: () => {
      end ??= world.now() + timeout * 1000;
      return world.now() < end;
    },
    following: over === undefined ? world.signal : AbortSignal.any([world.signal, over]),
  };
}

/** Waits until a deployment is active. Throws if Ctrl-C or the end of the service ends the wait. */
export async function untilActive(api: Api, sent: SentConfig, around: Surroundings): Promise<FollowResult> {
  const onCopying = (diagnosis: Diagnosis): void => showCopying(diagnosis, around.progress);
  const parts = followParts(around);
  const ending = await follow(sent, { api, ...parts, onCopying });
  parts.following.throwIfAborted();
  return { ...ending, sent };
}

type FollowResult = Ending & { readonly sent: SentConfig };

/** Explains that a service that loads its sync config from its own file accepts no deploys. */
export function explainConfigured(error: unknown): unknown {
  return isConfigured(error)
    ? new CliFailure(
        'This service loads its sync config from its own service config (sync_config), so it accepts no deploys. Change the file that is named there, and restart the service.',
        1,
        { cause: error },
      )
    : error;
}

export function isConfigured(error: unknown): boolean {
  const cause = isCliFailure(error) ? error.cause : error;
  return isFailure(cause, 'refused') && cause.facts.code === 'S4105';
}

/** The maximum time until a restarted service begins to load its own sync config, in milliseconds. */
const longestTaking = 30_000;

/** Waits until exactly this config is active or pending, and returns its names. */
export async function untilTaken(api: Api, text: string, world: World): Promise<SentConfig | undefined> {
  return seenInTime(api, { world, milliseconds: longestTaking }, (diagnosis) => {
    const latest = diagnosis.pending ?? diagnosis.active;
    return latest?.content === text ? namesOf(latest) : undefined;
  });
}

/** Waits until a service that has just started answers, because this may take longer than the timeout of a call. */
export async function untilAnswering(
  api: Api,
  { world, timeout }: Pick<Surroundings, 'world' | 'timeout'>,
): Promise<void> {
  await seenInTime(api, { world, milliseconds: timeout * 1000 }, (diagnosis) => diagnosis);
}

/** Returns the first value that `read` finds in a diagnosis. If the service restarts in the meantime, keeps waiting. */
async function seenInTime<T>(
  api: Api,
  { world, milliseconds }: { readonly world: World; readonly milliseconds: number },
  read: (diagnosis: Diagnosis) => T | undefined,
): Promise<T | undefined> {
  const end = world.now() + milliseconds;
  for (;;) {
    const diagnosis = await lookAt(api, { content: true }, world.signal);
    const seen = diagnosis && read(diagnosis);
    if (seen !== undefined || world.now() >= end) return seen;
    await world.pause(limits.pause.first);
  }
}

export function showCopying({ pending }: Diagnosis, progress: Progress): void {
  if (pending !== undefined) progress.show(...shownProgress(pending));
}

function shownProgress(deployed: Deployment): Parameters<Progress['show']> {
  const { tables, phase } = deployed;
  const copy = progressOfCopy(deployed);
  if (copy.isPaused)
    return [`Paused: ${['headwater copy resume continues it', copyText(copy)].filter(Boolean).join('. ')}`];
  if (copy.rows !== undefined && copy.ofRows !== undefined && copy.ofRows > 0)
    return [`Copying: ${copyText(copy)}`, { done: copy.rows, of: copy.ofRows }];
  const copied = tables.filter((table) => table.copied).length;
  if (tables.some((table) => table.copied !== undefined))
    return [
      `Copying: ${copied} of ${countNoun(tables.length, 'table')}`,
      { done: copied, of: tables.length },
    ];
  return [phase === undefined ? 'Copying …' : `Waiting: ${phase} …`];
}

/** @param sent the sentence for a deployment that the command does not wait for */
export function answerOf(outcome: Outcome | FollowResult, timeout: number, sent = 'is deployed'): Answer {
  // This command line throws failures for these cases, because they contain more details.
  if (!('sent' in outcome))
    return { code: 1, json: { kind: outcome.kind }, lines: ['Nothing was deployed.'] };
  const name = nameAtStart(outcome.sent);
  switch (outcome.kind) {
    case 'unchanged':
      return answer(
        0,
        outcome,
        `${name} is already active with exactly this content, so there is nothing to deploy.`,
      );
    case 'active':
      return answer(0, outcome, `${name} is active.`);
    case 'replaced':
      return answer(1, outcome, `Another deployment has replaced ${nameOfConfig(outcome.sent)}.`);
    case 'failed': {
      const failed = `${name} has errors and is not active. The previous config stays active.`;
      return answer(1, outcome, failed, ...outcome.errors.map(({ message }) => `  ${message}`));
    }
    case 'unfollowed': {
      if (outcome.why === 'unasked') return answer(0, { ...outcome, kind: 'sent' }, `${name} ${sent}.`);
      const late = `${name} is not active after ${timeout} s. The deployment continues: see headwater status.`;
      return answer(2, { ...outcome, kind: 'timeout' }, late);
    }
  }
}

/** The answer for programs. */
interface Report {
  readonly kind: string;
  readonly sent: SentConfig;
  readonly errors?: readonly ReportedError[];
}

function answer(code: ExitCode, { kind, sent, errors }: Report, ...lines: readonly string[]): Answer {
  return { code, json: { kind, ...namesOf(sent), ...(errors && { errors }) }, lines };
}
