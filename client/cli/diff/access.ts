/** What a change of a sync config gives away and takes, as sentences with the smallest rows that show it. */
import {
  type AccessComparison,
  analyze,
  type Config,
  compareAccess,
  describeAccess,
  finish,
  type KnownSource,
  severityOf,
  writeTest,
} from '../../../server/engine/index.ts';
import { harmless, type Paint } from '../colours.ts';
import type { Answer } from '../command.ts';
import type { World } from '../world.ts';

interface Comparison {
  readonly before: Config;
  readonly after: Config;
  readonly known: KnownSource | undefined;
  /** Seconds for each stream that differs. */
  readonly seconds: number;
}

export function accessAnswer(
  { before, after, known, seconds }: Comparison,
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
  const { changes } = comparison;
  return {
    code: changes.length === 0 ? 0 : 1,
    json: accessJson(comparison),
    lines: [...changes.flatMap((change) => accessLines(change, paint)), boundOf(comparison)],
  };
}

/** For programs: each change with an access test that shows it. */
export function accessJson({ changes, tried, isExhausted }: AccessComparison): object {
  return {
    changes: changes.map(({ kind, stream, table, candidate }) => ({
      kind,
      stream,
      table,
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
  const [old, next] = [runnable(before, known), runnable(after, known)];
  if (old === undefined || next === undefined) return undefined;
  const end = now() + milliseconds;
  const isTimeUp = (): boolean => {
    signal.throwIfAborted();
    return now() >= end;
  };
  return finish(compareAccess(old, next, known?.catalog, () => ({ isTimeUp })));
}

function runnable(text: string, known: KnownSource | undefined): Config | undefined {
  const { config, findings } = analyze(text, { ...known, kind: 'sync' });
  return findings.some(({ code }) => severityOf(code) === 'error') ? undefined : config;
}

export function accessLines(change: AccessComparison['changes'][number], paint: Paint): readonly string[] {
  const { kind, stream, table, id, who, rows, asked } = describeAccess(change);
  const tint = kind === 'gained' ? paint.red : paint.yellow;
  const whoever = who === undefined ? 'Anybody' : `A user with ${who}`;
  const verb = kind === 'gained' ? 'now gets' : 'no longer gets';
  return [
    `${tint(kind)}  ${harmless(`${whoever} ${verb} ${table} ${id}, through the stream ${stream}, with these rows:`)}`,
    ...rows.map((line) => `        ${harmless(line)}`),
    ...(asked === undefined ? [] : [`        ${harmless(asked)}`]),
  ];
}

/** Nothing is called proven that was not gone through. */
function boundOf({ changes, tried, isExhausted }: AccessComparison): string {
  const databases = `${tried.toLocaleString('en-US')} ${tried === 1 ? 'database' : 'databases'}`;
  const notAll = `${databases} were tried, but not all combinations of their values.`;
  if (changes.length === 0) {
    if (!isExhausted) return `Nobody was found who gains or loses a row. ${notAll}`;
    return tried === 0
      ? 'Nobody gains or loses a row.'
      : `Nobody gains or loses a row in ${databases}: all combinations of the values were tried.`;
  }
  return isExhausted ? 'Nothing else was found.' : `Nothing else was found. ${notAll}`;
}
