/** Changes of a config after which a client's lookups read less, with the conditions for offering one. */
import { severityOf } from '../../../engine/diagnostics/diagnostics.ts';
import { type Analysis, type Config, compareAccess, type PlacedDefinition } from '../../../engine/index.ts';
import type { Edit } from '../../../engine/text/edit.ts';
import { analyzeAgain } from '../../reading/again.ts';
import type { Action } from '../action.ts';

export interface Remedy {
  /** An order, to which the numbers are added. */
  readonly title: string;
  /** The edits in the file. */
  readonly edits: readonly Edit[];
  /** The streams whose lookups it is about, by name, and what they are afterwards. */
  readonly before: readonly string[];
  readonly after: readonly string[];
  /** The number counts for one subscription, of which the app then has several. */
  readonly perSubscription?: true;
}

/** A stream as the user has it, for which a remedy is looked for. */
export interface RemedyPlace {
  readonly analysis: Analysis;
  readonly placed: PlacedDefinition;
}

/** The amounts that are read for the streams of a remedy. */
export interface RemedyNumbers {
  /** The amount that is certainly read for some user. */
  readonly sure: number;
  /** The upper bound for every user. */
  readonly most: number;
  /** Whether some user reads that much. */
  readonly isReached: boolean;
  readonly buckets: number;
}

export function afterRemedy(analysis: Analysis, { edits }: Remedy): Analysis {
  return analyzeAgain(analysis, edits);
}

/** Tests that nobody gains or loses a row, as far as every case could be tried. */
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

/** Returns undefined unless the number certainly falls. */
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

/** Reads the forecast of just these streams. Returns undefined if it is not a forecast. */
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
