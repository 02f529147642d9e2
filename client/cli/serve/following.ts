/** Reports a deployment while `headwater dev` runs, until it is active or another one replaces it. */

import type { MissingName } from '../../../server/engine/index.ts';
import type { Deployment, TableStatus } from '../../api/answers.ts';
import type { Api } from '../../api/api.ts';
import { isSent, nameAtStart, type SentConfig } from '../../api/deployedConfig.ts';
import { describeMissing } from '../../api/missing.ts';
import { type FollowLimits, follow } from '../../deploying/follow.ts';
import { harmless } from '../colours.ts';
import type { Call } from '../command.ts';
import { answerOf, followParts, untilActive, usualTimeout } from '../deployment.ts';
import { missingOnService } from '../project/missing.ts';
import type { ServeCall } from './serviceProgram.ts';

export interface Work {
  readonly api: Api;
  readonly file: string;
  readonly call: ServeCall & Pick<Call, 'progress'>;
  /** Aborted when the service has ended. */
  readonly over: AbortSignal;
  /** Advice for missing tables. */
  readonly remedy: string;
  /** The config text whose outcome has already been reported. */
  told?: string;
  /** Identifies the latest watch for problems. Earlier watches stop. */
  lookout?: symbol;
}

/** Milliseconds between two checks of a deployment that does not become active. */
const lookEvery = 2_000;

/** The limits for following a failed deployment. They never end, because a repair in another place saves no file here. */
const untilMended: FollowLimits = {
  pause: { first: lookEvery, longest: lookEvery, growth: 1 },
  mostFailures: Number.POSITIVE_INFINITY,
  mostSilences: Number.POSITIVE_INFINITY,
};

export async function followUntilSettled(sent: SentConfig, text: string, work: Work): Promise<void> {
  const { api, call, over } = work;
  const { world, progress } = call;
  const outcome = await untilActive(api, sent, { world, progress, timeout: usualTimeout, over });
  progress.end();
  if (outcome.kind === 'active') return tellActive(sent, text, work);
  tell(call, answerOf(outcome, usualTimeout).lines ?? []);
  if (outcome.kind !== 'failed' && outcome.kind !== 'unfollowed') return;
  const later = await follow(sent, {
    ...followParts({ world, timeout: Number.POSITIVE_INFINITY, over }),
    api,
    limits: untilMended,
    onCopying: () => {},
  });
  if (later.kind === 'active') await tellActive(sent, text, work);
}

/**
 * Reports the active deployment, and its problems until they are gone, because statements of scripts may be corrected in the
 * meantime.
 */
async function tellActive(sent: SentConfig, text: string, work: Work): Promise<void> {
  const { call, over } = work;
  const lookout = Symbol(sent.slot);
  work.lookout = lookout;
  for (let told: string | undefined; !over.aborted; await call.world.pause(lookEvery)) {
    const state = await lookAtActive(sent, text, work).catch((error: unknown) => {
      if (told === undefined) throw error;
    });
    if (state?.kind === 'replaced' || work.lookout !== lookout) return;
    const said = state?.lines.join('\n');
    if (state === undefined || said === told) continue;
    told = said;
    tell(call, state.lines);
    if (state.kind === 'well') return;
  }
}

interface ActiveState {
  readonly kind: 'well' | 'incomplete' | 'replaced';
  readonly lines: readonly string[];
}

async function lookAtActive(
  sent: SentConfig,
  text: string,
  { api, file, call, over, remedy }: Work,
): Promise<ActiveState> {
  const missing = await missingOnService(api, { path: file, text }, call.world, over);
  const { active } = await api.diagnose({}, over);
  if (active !== undefined && !isSent(active, sent)) return { kind: 'replaced', lines: [] };
  const problems = [...describeMissing(missing), ...(active ? otherProblems(active, missing) : [])];
  if (problems.length === 0) return { kind: 'well', lines: [`${nameAtStart(sent)} is active.`] };
  const { yellow } = call.paint;
  const isLeftOut = ({ errors }: TableStatus): boolean => errors.some(({ kind }) => kind === 'left out');
  const leftOut = (active?.tables ?? [])
    .filter(isLeftOut)
    .flatMap(({ schema, name }) => [name, `${schema}.${name}`]);
  const lacking = missing.filter(({ form }) => form === undefined);
  const isKnown = lacking.every(({ table }) => leftOut.includes(table));
  return {
    kind: 'incomplete',
    lines: [
      yellow(`${nameAtStart(sent)} is active, but there are problems:`),
      ...problems.map((line) => yellow(`  ${harmless(line)}`)),
      ...(lacking.length === 0 || (remedy === '' && !isKnown) ? [] : [isKnown ? mendStatements : remedy]),
    ],
  };
}

const mendStatements = 'Correct these statements. They are run as soon as their file is saved.';

/**
 * Returns other problems that the service reports for tables. For a missing table, this is the statement that would have
 * created it.
 */
function otherProblems({ tables }: Deployment, missing: readonly MissingName[]): readonly string[] {
  const known = new Set(missing.flatMap(({ table, column }) => (column === undefined ? [table] : [])));
  return tables.flatMap(({ schema, name, errors }) => {
    const isTold = known.has(name) || known.has(`${schema}.${name}`);
    return errors.filter(({ kind }) => !isTold || kind === 'left out').map(({ message }) => message);
  });
}

/** Prints lines. With `--json`, only the line of the service is on standard output. */
export function tell({ world, has }: ServeCall, lines: readonly string[]): void {
  for (const line of lines) (has('json') ? world.complain : world.print)(line);
}

export function sayFailure({ call: { world }, over }: Work, error: unknown): void {
  if (!world.signal.aborted && !over.aborted)
    world.complain(error instanceof Error ? error.message : String(error));
}

/**
 * Runs work in turns. All requests that arrive during a run are handled by one additional run. Resolves when no request is
 * left.
 */
export function inTurns(work: () => Promise<void>): { readonly ask: () => Promise<void> } {
  let busy: Promise<void> | undefined;
  let isAsked = false;
  async function go(): Promise<void> {
    while (isAsked) {
      isAsked = false;
      await work();
    }
    busy = undefined;
  }
  return {
    ask: () => {
      isAsked = true;
      busy ??= go();
      return busy;
    },
  };
}
