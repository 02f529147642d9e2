/** Describes the rows that users gain and lose by a change of a sync config, with the smallest rows that show each difference. */
import {
  type AccessComparison,
  type Config,
  compareAccess,
  describeAccess,
  finish,
  type KnownSource,
  limitsText,
  modelLimits,
  writeTest,
} from '../../../server/engine/index.ts';
import { runnableConfig } from '../../../server/features/review.ts';
import { harmless, type Paint } from '../colours.ts';
import type { Answer } from '../command.ts';
import type { World } from '../world.ts';

interface Comparison {
  readonly before: Config;
  readonly after: Config;
  readonly known: KnownSource | undefined;
  /** The time for each changed stream, in seconds. */
  readonly seconds: number;
  /** The command fails unless the answer is proven. Absent: the command fails only if a user gains or loses something. */
  readonly requires: 'proven' | undefined;
}

export function accessAnswer(
  { before, after, known, seconds, requires }: Comparison,
  { now, signal }: Pick<World, 'now' | 'signal'>,
  paint: Paint,
): Answer {
  const comparison = finish(
    compareAccess(before, after, known?.catalog, () => {
      const start = now();
      return {
        isTimeUp: () => {
          signal.throwIfAborted();
          return now() - start >= seconds * 1000;
        },
      };
    }),
  );
  const { changes, isExhausted } = comparison;
  const isRefused = requires === 'proven' && !isExhausted;
  return {
    code: changes.length === 0 && !isRefused ? 0 : 1,
    json: accessJson(comparison),
    lines: [...changes.flatMap((change) => accessLines(change, paint)), boundOf(comparison, paint)],
  };
}

/** Returns each change for programs, with an access test that shows it. */
export function accessJson({ changes, tried, isExhausted, limits }: AccessComparison): object {
  return {
    verdict: changes.length > 0 ? 'refuted' : isExhausted ? 'proven' : 'not refuted',
    notProvenBecauseOf: limits.map((limit) => modelLimits[limit]),
    changes: changes.map(({ kind, stream, table, candidate, columns, doubt }) => ({
      kind,
      stream,
      table,
      ...(columns && { columns }),
      ...(doubt !== undefined && { doubt }),
      test: writeTest(`${table} ${kind}`, table, candidate),
    })),
    tried,
    exhausted: isExhausted,
  };
}

/** Compares two texts; undefined if one of them cannot run. */
export function compareConfigTexts(
  before: string,
  after: string,
  known: KnownSource | undefined,
  milliseconds: number,
  { now, signal }: Pick<World, 'now' | 'signal'>,
): AccessComparison | undefined {
  const [old, next] = [runnableConfig(before, known), runnableConfig(after, known)];
  if (old === undefined || next === undefined) return undefined;
  const end = now() + milliseconds;
  const isTimeUp = (): boolean => {
    signal.throwIfAborted();
    return now() >= end;
  };
  return finish(compareAccess(old, next, known?.catalog, () => ({ isTimeUp })));
}

export function accessLines(change: AccessComparison['changes'][number], paint: Paint): readonly string[] {
  const { kind, stream, table, id, who, rows, asked, columns, doubt } = describeAccess(change);
  const tint = kind === 'gained' ? paint.red : paint.yellow;
  const whoever = who === undefined ? 'Anybody' : `A user with ${who}`;
  const verb = kind === 'gained' ? 'now gets' : 'no longer gets';
  return [
    `${tint(kind)}  ${harmless(`${whoever} ${verb} ${columns ? `${columns.join(', ')} of ` : ''}${table} ${id}, through the stream ${stream}, with these rows:`)}`,
    ...rows.map((line) => `        ${harmless(line)}`),
    ...(asked === undefined ? [] : [`        ${harmless(asked)}`]),
    ...(doubt === undefined ? [] : [`        ${harmless(doubt)}`]),
  ];
}

function boundOf({ changes, tried, isExhausted, limits }: AccessComparison, paint: Paint): string {
  const databases = `${tried.toLocaleString('en-US')} ${tried === 1 ? 'database' : 'databases'}`;
  if (isExhausted)
    return changes.length > 0
      ? 'Proven: there are no other changes.'
      : 'Proven: no user gains or loses a row or a column.';
  const found = changes.length > 0 ? 'No other change was found' : 'No change was found';
  return paint.yellow(`${found} in ${databases}, but that is not proven because of ${limitsText(limits)}.`);
}
