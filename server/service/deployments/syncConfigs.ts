/** The content of a deployment, made runnable: what it replicates, how its rows are evaluated, what is wrong with it. */
import {
  type Analysis,
  analyze,
  messageOf,
  type Position,
  plansOf,
  positionsIn,
  type Severity,
  severityOf,
  shorten,
} from '../../engine/index.ts';
import type { Options } from '../../engine/model/definition.ts';
import { type ConfigEvaluator, toConfigEvaluator } from '../../engine/plan/evaluate/evaluate.ts';
import type { StreamPlan } from '../../engine/plan/plan.ts';
import { createCache } from '../ground/cache.ts';

export interface SyncConfig {
  readonly analysis: Analysis;
  readonly plans: readonly StreamPlan[];
  readonly options: Options;
  /** In reading order; of very many, the worst. */
  readonly problems: readonly ConfigProblem[];
  /** Without errors: it may be deployed. */
  readonly valid: boolean;
}

export interface ConfigProblem {
  readonly severity: Severity;
  readonly code: string;
  readonly message: string;
  /** Offsets in the content. */
  readonly start: number;
  readonly end: number;
  /** Counted from 0. */
  readonly from: Position;
  readonly to: Position;
}

export interface RunningConfig extends SyncConfig {
  /** Its bucket names begin with the deployment's id. */
  readonly evaluator: ConfigEvaluator;
}

export interface SyncConfigs {
  read(content: string): SyncConfig;
  /** Of a deployment, whose content never changes. */
  of(deployment: { readonly id: number; readonly content: string }): RunningConfig;
}

/** At most a serving and a pending one are in use, and one that is asked for. */
const mostKept = 4;

/** Keeps what was compiled last. */
export function openSyncConfigs(defaultSchema: string): SyncConfigs {
  const kept = createCache<number, RunningConfig>(mostKept);
  return {
    read: (content) => readSyncConfig(content, defaultSchema),
    of: ({ id, content }) => {
      const known = kept.get(id);
      if (known !== undefined) return known;
      const config = readSyncConfig(content, defaultSchema);
      const { plans, options } = config;
      const running = { ...config, evaluator: toConfigEvaluator(plans, { options, version: String(id) }) };
      kept.set(id, running);
      return running;
    },
  };
}

export function readSyncConfig(content: string, defaultSchema: string): SyncConfig {
  const analysis = analyze(content, { kind: 'sync', defaultSchema });
  const { config } = analysis;
  if (config === undefined) throw new Error('a sync config is always analysed as one');
  const problems = problemsOf(analysis);
  const valid = problems.every(({ severity }) => severity !== 'error');
  return { analysis, plans: plansOf(config), options: config.surroundings.options, problems, valid };
}

function problemsOf({ text, findings }: Analysis): readonly ConfigProblem[] {
  const positionOf = positionsIn(text);
  const problems = findings.map((finding) => {
    const { start, end } = finding.span;
    return {
      severity: severityOf(finding.code),
      code: finding.code,
      message: messageOf(finding),
      start,
      end,
      from: positionOf(start),
      to: positionOf(end),
    };
  });
  return shorten(problems);
}

/** `Line 3, column 12: …`, one sentence a problem. */
export function sentenceOf({ from, message }: ConfigProblem): string {
  return `Line ${from.line + 1}, column ${from.character + 1}: ${message}`;
}
