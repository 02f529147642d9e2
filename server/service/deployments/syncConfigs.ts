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
import { type KeptNames, keepNames, type Naming, nameParts } from '../../engine/plan/evaluate/names.ts';
import { meaningOf } from '../../engine/plan/meaning.ts';
import type { StreamPlan } from '../../engine/plan/plan.ts';
import { createCache } from '../ground/cache.ts';
import type { Deployment } from '../storage/deployment.ts';

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

/** What is compiled of a deployment. */
type Content = Pick<Deployment, 'id' | 'content'> & { readonly names?: string | undefined };

export interface SyncConfigs {
  read(content: string): SyncConfig;
  of(deployment: Content): RunningConfig;
  /**
   * The names under which all is stored already that another content needs, if it means the same as that of the
   * deployment; undefined if it does not.
   */
  namesFor(content: SyncConfig, deployment: Content): string | undefined;
}

/** At most a serving and a pending one are in use, and one that is asked for. */
const mostKept = 4;

/** Keeps what was compiled last. */
export function openSyncConfigs(defaultSchema: string): SyncConfigs {
  const kept = createCache<number, Pick<Content, 'content' | 'names'> & { readonly config: RunningConfig }>(
    mostKept,
  );
  const of = ({ id, content, names }: Content): RunningConfig => {
    const known = kept.get(id);
    if (known !== undefined && known.content === content && known.names === names) return known.config;
    const read = readSyncConfig(content, defaultSchema);
    const { plans, options } = read;
    const evaluator = toConfigEvaluator(plans, { options, ...namingOf({ id, names }) });
    const config = { ...read, evaluator };
    kept.set(id, { content, names, config });
    return config;
  };
  return {
    read: (content) => readSyncConfig(content, defaultSchema),
    of,
    namesFor: (config, deployment) => {
      const before = of(deployment);
      if (!config.valid || !before.valid) return undefined;
      if (meaningOf(before.plans, before.options) !== meaningOf(config.plans, config.options))
        return undefined;
      const names = keepNames(nameParts(before.plans, namingOf(deployment)), config.plans);
      return names && JSON.stringify(names);
    },
  };
}

function namingOf({ id, names }: Omit<Content, 'content'>): Naming {
  return { version: String(id), ...(names !== undefined && { names: JSON.parse(names) as KeptNames }) };
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
