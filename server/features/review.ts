/** What deploying a text would change, stream by stream, and what is wrong with it. */
import type { KnownSource } from '../engine/catalog/reading.ts';
import { messageOf } from '../engine/diagnostics/diagnostics.ts';
import { type Analysis, analyze, plansOf, severityOf } from '../engine/index.ts';
import { diffPlans, type StreamDifference } from '../engine/plan/diff.ts';
import type { StreamPlan, TablePattern } from '../engine/plan/plan.ts';
import type { SeverityChoice } from './diagnostics.ts';

interface ReviewInput {
  /** What is deployed. */
  readonly before?: string | undefined;
  /** What is known of the tables. */
  readonly source?: KnownSource | undefined;
  /** How the editor shows findings; as they are, if not given. */
  readonly showing?: SeverityChoice;
}

type Change = Exclude<StreamDifference['change'], 'untouched'>;

interface Review {
  readonly isSyncConfig: boolean;
  readonly errors: number;
  readonly warnings: number;
  /** Errors that the editor shows as something else, or not at all: `unknown-table: There is no …` */
  readonly playedDown: readonly string[];
  readonly streams: readonly {
    readonly name: string;
    readonly change: Change;
    readonly tables: readonly string[];
  }[];
}

export function review(text: string, { before, source, showing = severityOf }: ReviewInput): Review {
  const analysis = analyze(text, source);
  if (analysis.kind !== 'sync')
    return { isSyncConfig: false, errors: 0, warnings: 0, playedDown: [], streams: [] };
  const errors = analysis.findings.filter(({ code }) => severityOf(code) === 'error');
  const warnings = analysis.findings.filter(({ code }) => severityOf(code) === 'warning');
  const playedDown = errors.filter(({ code }) => showing(code) !== 'error');
  const old = before === undefined ? [] : plansIn(analyze(before, { ...source, kind: 'sync' }));
  return {
    isSyncConfig: true,
    errors: errors.length,
    warnings: warnings.length,
    playedDown: playedDown.map((finding) => `${finding.code}: ${messageOf(finding)}`),
    streams: diffPlans(old, plansIn(analysis)).flatMap(({ stream, change, reads }) =>
      change === 'untouched' ? [] : [{ name: stream, change, tables: reads.map(nameOf) }],
    ),
  };
}

function plansIn({ config }: Analysis): readonly StreamPlan[] {
  return config === undefined ? [] : plansOf(config);
}

function nameOf({ name }: TablePattern): string {
  return name.wildcard ? `${name.text}%` : name.text;
}
