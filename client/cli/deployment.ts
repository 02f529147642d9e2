/** Deploys a sync config, and waits until it serves clients. */
import type { Deployed, Diagnosis, ReportedError } from '../api/answers.ts';
import type { Api } from '../api/api.ts';
import { isFailure } from '../api/failure.ts';
import { deployOnce } from '../deploying/once.ts';
import type { Answer, ExitCode } from './command.ts';
import { CliFailure, isCliFailure } from './failure.ts';
import type { Options } from './options.ts';
import type { Progress } from './progress.ts';
import type { World } from './world.ts';

export const waitOptions = {
  'no-wait': { summary: 'Do not wait until it is active' },
  timeout: {
    alias: '--deploy-timeout',
    value: 'SECONDS',
    between: [1, 86_400],
    summary: 'How long to wait until it is active; usually 300',
  },
} as const satisfies Options;

export interface Waiting {
  readonly world: World;
  readonly progress: Progress;
  /** Seconds. */
  readonly timeout: number;
  /** Nobody waits any more. */
  readonly over?: AbortSignal;
}

export type Outcome =
  | { readonly kind: 'active'; readonly slot: string }
  | { readonly kind: 'replaced'; readonly slot: string }
  | { readonly kind: 'failed'; readonly slot: string; readonly errors: readonly ReportedError[] }
  | { readonly kind: 'timeout'; readonly slot: string };

export async function send(api: Api, content: string, before: Diagnosis, { pause }: World): Promise<string> {
  try {
    return await deployOnce(api, content, before, { pause });
  } catch (error) {
    if (isConfigured(error))
      throw new CliFailure(
        'This service takes its sync config from its own service config (sync_config). Change the file that is named there, and restart the service.',
        1,
        { cause: error },
      );
    throw error;
  }
}

/** The service takes its sync config from a file of its own, so it takes none from us. */
export function isConfigured(error: unknown): boolean {
  const cause = isCliFailure(error) ? error.cause : error;
  return isFailure(cause, 'refused') && cause.facts.code === 'S4105';
}

/** Milliseconds in which a service that was restarted begins to take its own sync config, at the latest. */
const longestTaking = 30_000;

/** Waits until it runs this very text, or makes it ready: then which one that is. */
export async function untilTaken(api: Api, text: string, world: World): Promise<string | undefined> {
  const end = world.now() + longestTaking;
  for (;;) {
    const diagnosis = await look(api, world, { content: true });
    const taken = diagnosis?.pending ?? diagnosis?.active;
    if (taken?.content === text) return taken.slot;
    if (world.now() >= end) return undefined;
    await world.pause(looks.first);
  }
}

/** A service that has just started may need more time for its first answer than one is waited for. */
export async function untilAnswering(
  api: Api,
  { world, timeout }: Pick<Waiting, 'world' | 'timeout'>,
): Promise<void> {
  const end = world.now() + timeout * 1000;
  while ((await look(api, world)) === undefined && world.now() < end) await world.pause(looks.first);
}

/** Milliseconds between two looks: they grow from one to the other. */
const looks = { first: 300, longest: 5_000, growth: 1.4 };

/** How often a failure must be seen in a row: a service that has just begun may only be waiting for its database. */
const certain = 3;

export async function untilActive(
  api: Api,
  slot: string,
  { world, progress, timeout, over }: Waiting,
): Promise<Outcome> {
  const end = world.now() + timeout * 1000;
  let failures = 0;
  for (let pause = looks.first; ; pause = Math.min(looks.longest, pause * looks.growth)) {
    over?.throwIfAborted();
    const diagnosis = await look(api, world);
    const pending = diagnosis?.pending;
    if (diagnosis?.active?.slot === slot && pending === undefined) return { kind: 'active', slot };
    const isOther = pending !== undefined && pending.slot !== slot;
    if (isOther || (diagnosis?.active && !pending && diagnosis.active.slot !== slot))
      return { kind: 'replaced', slot };
    const errors = pending?.errors.filter(({ level }) => level === 'fatal') ?? [];
    failures = errors.length > 0 ? failures + 1 : 0;
    if (failures >= certain) return { kind: 'failed', slot, errors };
    if (pending) progress.show(...progressOf(pending));
    if (world.now() >= end) return { kind: 'timeout', slot };
    await world.pause(pause);
  }
}

/** A service that restarts meanwhile comes back. */
async function look(
  api: Api,
  { signal }: World,
  asked: { readonly content?: boolean } = {},
): Promise<Diagnosis | undefined> {
  try {
    return await api.diagnose(asked, signal);
  } catch (error) {
    if (isFailure(error) && ['slow', 'lost', 'busy', 'unreachable', 'failed'].includes(error.kind))
      return undefined;
    throw error;
  }
}

function progressOf({ tables, phase }: Deployed): Parameters<Progress['show']> {
  const copied = tables.filter((table) => table.copied).length;
  const rows = sum(tables.map((table) => table.copiedRows));
  const expected = sum(tables.map((table) => table.estimatedRows));
  if (tables.some((table) => table.estimatedRows !== undefined) && expected > 0)
    return [`Copying: ${rows} of about ${expected} rows`, { done: rows, of: expected }];
  if (tables.some((table) => table.copied !== undefined))
    return [`Copying: ${copied} of ${tables.length} tables`, { done: copied, of: tables.length }];
  return [phase === undefined ? 'Copying …' : `Waiting: ${phase} …`];
}

function sum(numbers: readonly (number | undefined)[]): number {
  return numbers.reduce<number>((total, number) => total + (number ?? 0), 0);
}

export function answerOf(outcome: Outcome, timeout: number): Answer {
  const json = outcome.kind === 'failed' ? outcome : { kind: outcome.kind, slot: outcome.slot };
  return { ...sayings(outcome, timeout), json };
}

function sayings(outcome: Outcome, timeout: number): { code: ExitCode; lines: readonly string[] } {
  switch (outcome.kind) {
    case 'active':
      return { code: 0, lines: [`${outcome.slot} is active.`] };
    case 'replaced':
      return { code: 1, lines: [`Another deployment has replaced ${outcome.slot}.`] };
    case 'failed':
      return {
        code: 1,
        lines: [
          `${outcome.slot} does not get ready. What served before goes on serving.`,
          ...outcome.errors.map(({ message }) => `  ${message}`),
        ],
      };
    case 'timeout':
      return {
        code: 2,
        lines: [`${outcome.slot} is not active after ${timeout} s. It goes on: see headwater status.`],
      };
  }
}
