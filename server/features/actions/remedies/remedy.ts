/** Changes of a config that make a client's lookups read less, and the conditions for offering them. */
import { severityOf } from '../../../engine/diagnostics/diagnostics.ts';
import { type Analysis, type Config, compareAccess, type PlacedDefinition } from '../../../engine/index.ts';
import type { Edit } from '../../../engine/text/edit.ts';
import { analyzeAgain } from '../../reading/again.ts';
import type { Action } from '../action.ts';

export interface Remedy {
  /** The title: an imperative, to which the numbers are added. */
  readonly title: string;
  /** The edits in the file. */
  readonly edits: readonly Edit[];
  /** The names of the affected streams, before and after the change. */
  readonly before: readonly string[];
  readonly after: readonly string[];
  /** Whether the number is for one subscription. An app then has several subscriptions. */
  readonly perSubscription?: true;
}

/** A stream, in the user's current config, for which remedies are wanted. */
export interface RemedyPlace {
  readonly analysis: Analysis;
  readonly placed: PlacedDefinition;
}

/** How much is read for the streams of a remedy. */
export interface RemedyNumbers {
  /** The amount that is definitely read for some user. */
  readonly sure: number;
  /** The upper bound for every user. */
  readonly most: number;
  /** Whether the upper bound is reached for some user. */
  readonly isReached: boolean;
  readonly buckets: number;
}

export function afterRemedy(analysis: Analysis, { edits }: Remedy): Analysis {
  return analyzeAgain(analysis, edits);
}

/** Tests that no user gains or loses a row, as far as all cases can be tried. */
export function* keepsAccess(
  before: Analysis,
  after: Analysis,
  isTimeUp: () => boolean,
): Generator<void, boolean, void> {
  const [old, now] = [runnable(before), runnable(after)];
  if (old === undefined || now === undefined) return false;
  const catalog = old.surroundings.catalog;
  const { changes, isExhausted } = yield* compareAccess(old, now, catalog, () => ({ isTimeUp }));
  return changes.length === 0 && isExhausted;
}

function runnable({ config, findings }: Analysis): Config | undefined {
  return findings.some(({ code }) => severityOf(code) === 'error') ? undefined : config;
}

/** Returns undefined unless the number is certain to fall. */
export function toAction(
  { title, edits, perSubscription }: Remedy,
  before: RemedyNumbers,
  after: RemedyNumbers,
): Action | undefined {
  if (after.most >= before.sure || after.buckets > before.buckets) return undefined;
  const each = perSubscription ? ' for each' : '';
  const most = after.isReached ? '' : 'at most ';
  const numbers = `${before.sure.toLocaleString('en')} → ${most}${after.most.toLocaleString('en')}${each}`;
  return { title: `${title} (${numbers})`, kind: 'refactor.rewrite', edits };
}

/** Reads a forecast for only these streams. Returns undefined if the value is not a forecast. */
export function readNumbers(forecast: unknown): RemedyNumbers | undefined {
  const { groups, streams } = fieldsOf(forecast);
  if (!Array.isArray(groups) || !Array.isArray(streams)) return undefined;
  const readers = groups.map((group) => numberIn(fieldsOf(fieldsOf(group).reference), 'most'));
  const sum = (name: string) => streams.reduce((all, stream) => all + numberIn(fieldsOf(stream), name), 0);
  const each = streams.map((stream) => numberIn(fieldsOf(stream), 'surely'));
  const [sure, most] = [Math.max(0, ...readers, ...each), sum('reference')];
  return { sure, most, isReached: sure === most, buckets: sum('buckets') };
}

function numberIn(fields: Readonly<Record<string, unknown>>, name: string): number {
  const value = fields[name];
  return typeof value === 'number' ? value : 0;
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}
