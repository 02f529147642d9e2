/** Reviews a config before a deploy: what changes in each stream, and the problems of the config. */
import type { KnownSource } from '../engine/catalog/reading.ts';
import { messageOf } from '../engine/diagnostics/diagnostics.ts';
import {
  type Analysis,
  analyze,
  type Config,
  clientTablesOf,
  compareAccess,
  type DescribedComparison,
  describeComparison,
  missingIn,
  plansOf,
  readServiceSchema,
  type SyncedTable,
  severityOf,
} from '../engine/index.ts';
import { diffPlans, type StreamDifference } from '../engine/plan/diff.ts';
import type { StreamPlan, TablePattern } from '../engine/plan/plan.ts';
import type { SeverityChoice } from './diagnostics.ts';

interface ReviewInput {
  /** The text of the deployed config. */
  readonly before?: string | undefined;
  /** The schema of the source, as far as it is known. */
  readonly source?: KnownSource | undefined;
  /** The severities that the editor shows for findings; absent: the default severities. */
  readonly showing?: SeverityChoice;
}

type Change = Exclude<StreamDifference['change'], 'untouched'>;

interface Review {
  readonly isSyncConfig: boolean;
  readonly errors: number;
  readonly warnings: number;
  /** Errors that the user's settings turn off or show with another severity, such as `unknown-table: There is no …` */
  readonly playedDown: readonly string[];
  readonly streams: readonly {
    readonly name: string;
    readonly change: Change;
    readonly tables: readonly string[];
    readonly columns?: ChangedColumns;
  }[];
  readonly streamCount: number;
  /** The tables and columns that clients lose. */
  readonly dropped: readonly ClientName[];
}

/** A table on clients, or one of its columns. */
interface ClientName {
  readonly table: string;
  readonly column?: string;
}

interface ChangedColumns {
  readonly lost: readonly ClientName[];
  readonly gained: readonly ClientName[];
  /** The tables that are read with `*` and whose columns are unknown. */
  readonly unknown: readonly string[];
}

export function review(text: string, { before, source, showing = severityOf }: ReviewInput): Review {
  const analysis = analyze(text, source);
  if (analysis.kind !== 'sync')
    return {
      isSyncConfig: false,
      errors: 0,
      warnings: 0,
      playedDown: [],
      streams: [],
      streamCount: 0,
      dropped: [],
    };
  const errors = analysis.findings.filter(({ code }) => severityOf(code) === 'error');
  const warnings = analysis.findings.filter(({ code }) => severityOf(code) === 'warning');
  const playedDown = errors.filter(({ code }) => showing(code) !== 'error');
  const deployed = before === undefined ? undefined : analyze(before, { ...source, kind: 'sync' });
  const old = deployed === undefined ? [] : plansIn(deployed);
  const plans = plansIn(analysis);
  return {
    isSyncConfig: true,
    errors: errors.length,
    warnings: warnings.length,
    playedDown: playedDown.map((finding) => `${finding.code}: ${messageOf(finding)}`),
    streams: diffPlans(old, plans).flatMap(({ stream, change, reads }) =>
      change === 'untouched'
        ? []
        : [
            {
              name: stream,
              change,
              tables: reads.map(nameOf),
              ...(deployed && { columns: columnsOf(stream, [deployed, analysis], source) }),
            },
          ],
    ),
    streamCount: new Set(plans.map(({ name }) => name)).size,
    dropped: deployed === undefined ? [] : droppedBetween(deployed, analysis, source),
  };
}

/**
 * Returns the dropped tables and columns. If the columns of a `*` are unknown, any column may still be among them, so none counts
 * as dropped.
 */
function droppedBetween(
  before: Analysis,
  after: Analysis,
  source: KnownSource | undefined,
): Review['dropped'] {
  return lostNames(clientTablesIn(before, source), clientTablesIn(after, source));
}

type ClientTables = ReturnType<typeof clientTablesOf>;

function clientTablesIn(
  { config }: Analysis,
  source: KnownSource | undefined,
  stream?: string,
): ClientTables {
  if (config === undefined) return { tables: [], unknown: [] };
  const plans = plansOf(config).filter(({ name }) => stream === undefined || name === stream);
  return clientTablesOf(config, source?.catalog, plans);
}

/** Returns the tables and columns that a stream no longer syncs, or syncs in addition. */
function columnsOf(
  stream: string,
  configs: readonly [before: Analysis, after: Analysis],
  source: KnownSource | undefined,
): ChangedColumns {
  const [before, after] = configs;
  const old = clientTablesIn(before, source, stream);
  const now = clientTablesIn(after, source, stream);
  const isInBoth = old.tables.length > 0 && now.tables.length > 0;
  // All columns of the same tables are the same columns, even if they are unknown.
  const isSame = JSON.stringify(old) === JSON.stringify(now);
  return {
    lost: lostNames(old, now),
    gained: lostNames(now, old),
    unknown: isInBoth && !isSame ? [...new Set([...old.unknown, ...now.unknown])] : [],
  };
}

/** Returns the tables and columns that only `old` has. */
function lostNames(old: ClientTables, now: ClientTables): readonly ClientName[] {
  const byName = new Map(now.tables.map((table): [string, SyncedTable] => [table.name, table]));
  return old.tables.flatMap(({ name, columns }): readonly ClientName[] => {
    const left = byName.get(name);
    // The name of an unknown wildcard table is the prefix of the tables that it matches.
    if (left === undefined) return now.unknown.some((text) => name.startsWith(text)) ? [] : [{ table: name }];
    if (now.unknown.length > 0) return [];
    const names = new Set(left.columns.map((column) => column.name));
    return columns
      .filter((column) => !names.has(column.name))
      .map((column) => ({ table: name, column: column.name }));
  });
}

/** Returns undefined if one of the two configs cannot run. */
export function* reviewAccess(
  text: string,
  { before, source }: ReviewInput,
  isTimeUp: () => boolean,
): Generator<void, DescribedComparison | undefined, void> {
  const old = before === undefined ? undefined : runnableConfig(before, source);
  const now = runnableConfig(text, source);
  if (old === undefined || now === undefined) return undefined;
  return describeComparison(yield* compareAccess(old, now, source?.catalog, () => ({ isTimeUp })));
}

/** Returns the config if a service would run it. */
export function runnableConfig(text: string, source: KnownSource | undefined): Config | undefined {
  const { config, findings } = analyze(text, { ...source, kind: 'sync' });
  return findings.some(({ code }) => severityOf(code) === 'error') ? undefined : config;
}

/** Returns the names that a config reads but the source does not have; undefined if the answer contains no tables. */
export function missingByAnswer(text: string, answer: unknown): ReturnType<typeof missingIn> | undefined {
  const source = readServiceSchema(answer);
  return source && missingIn(analyze(text, { ...source, kind: 'sync' }));
}

function plansIn({ config }: Analysis): readonly StreamPlan[] {
  return config === undefined ? [] : plansOf(config);
}

function nameOf({ name }: TablePattern): string {
  return name.wildcard ? `${name.text}%` : name.text;
}
