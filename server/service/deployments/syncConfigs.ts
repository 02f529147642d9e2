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
import { type KeptNames, keepNames, type NamedPlan, nameParts } from '../../engine/plan/evaluate/names.ts';
import { keepsOrder, meaningOf, meaningOfOptions, meaningOfStream } from '../../engine/plan/meaning.ts';
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
  /** By which clients are served. Its bucket names begin with the deployment's id. */
  readonly evaluator: ConfigEvaluator;
  /** By which rows are stored: all that clients are served by, and what they no longer are. */
  readonly storing: Storing;
  /** False: not all of the content is stored after all, and what is served is what is stored. */
  readonly isStored: boolean;
}

interface Storing {
  readonly evaluator: ConfigEvaluator;
  readonly options: Options;
}

/** What is compiled of a deployment. */
type Contents = Pick<Deployment, 'id' | 'content' | 'storedContent'>;

/**
 * What a deployment has of another content: `same`: it means the same as its own; `within`: it means something else, and
 * all that it needs is stored; undefined: something has to be copied.
 */
export type Coverage = 'same' | 'within' | undefined;

export interface SyncConfigs {
  read(content: string): SyncConfig;
  of(deployment: Contents): RunningConfig;
  coverageOf(content: SyncConfig, deployment: Contents): Coverage;
}

/** At most a serving and a pending one are in use, and one that is asked for. */
const mostKept = 4;

/** Keeps what was compiled last. */
export function openSyncConfigs(defaultSchema: string): SyncConfigs {
  const kept = createCache<number, { readonly contents: Contents; readonly config: RunningConfig }>(mostKept);
  const read = (content: string) => readSyncConfig(content, defaultSchema);
  const of = (contents: Contents): RunningConfig => {
    const { id, content, storedContent } = contents;
    const known = kept.get(id);
    if (known?.contents.content === content && known.contents.storedContent === storedContent)
      return known.config;
    const config = runningConfig(
      read(content),
      storedContent === undefined ? undefined : read(storedContent),
      id,
    );
    kept.set(id, { contents, config });
    return config;
  };
  return {
    read,
    of,
    coverageOf: (config, deployment) => {
      const before = of(deployment);
      if (!config.valid || !before.valid || !before.isStored) return undefined;
      if (meaningOf(before.plans, before.options) === meaningOf(config.plans, config.options)) return 'same';
      return namesIn(read(deployment.storedContent ?? deployment.content), config, deployment.id) && 'within';
    },
  };
}

function runningConfig(config: SyncConfig, stored: SyncConfig | undefined, id: number): RunningConfig {
  const version = String(id);
  const { plans, options } = stored ?? config;
  const evaluator = toConfigEvaluator(plans, { options, version });
  if (stored === undefined) return { ...config, evaluator, storing: { evaluator, options }, isStored: true };
  const names = namesIn(stored, config, id);
  // An earlier release took for the same what this one does not.
  if (names === undefined) return { ...stored, evaluator, storing: { evaluator, options }, isStored: false };
  const storing = { evaluator: reportingOnly(nameParts(plans, { version }), names, evaluator), options };
  const served = toConfigEvaluator(config.plans, { options: config.options, version, names });
  return { ...config, evaluator: served, storing, isStored: true };
}

/** Undefined unless all that a content needs is stored of another one, as it needs it. */
function namesIn(stored: SyncConfig, config: SyncConfig, id: number): KeptNames | undefined {
  if (meaningOfOptions(stored.options) !== meaningOfOptions(config.options)) return undefined;
  if (!keepsOrder(stored.plans, config.plans)) return undefined;
  return keepNames(nameParts(stored.plans, { version: String(id) }), config.plans);
}

/** Of what is served no longer, no row is reported; of what has another name now, under that. */
function reportingOnly(
  stored: readonly NamedPlan[],
  names: KeptNames,
  evaluator: ConfigEvaluator,
): ConfigEvaluator {
  const users = new Map<string, string>();
  for (const [stream, { sources, lookups }] of Object.entries(names)) {
    for (const name of sources) users.set(`source ${name}`, stream);
    for (const name of lookups) users.set(`lookup ${name}`, stream);
  }
  const streams = new Map<string, string | undefined>();
  for (const { plan, sourceNames, lookupNames } of stored) {
    const parts = [
      ...sourceNames.map((name) => `source ${name}`),
      ...lookupNames.map((name) => `lookup ${name}`),
    ];
    const used = parts.flatMap((part) => users.get(part) ?? []);
    streams.set(plan.name, used.includes(plan.name) ? plan.name : used[0]);
  }
  const rowsOf: ConfigEvaluator['rowsOf'] = (table) => {
    const evaluate = evaluator.rowsOf(table);
    return (row) => {
      const result = evaluate(row);
      if (result.failures.length === 0) return result;
      const failures = result.failures.flatMap((failure) => {
        const stream = streams.get(failure.stream);
        return stream === undefined ? [] : [{ ...failure, stream }];
      });
      return { ...result, failures };
    };
  };
  return { ...evaluator, rowsOf };
}

export function readSyncConfig(content: string, defaultSchema: string): SyncConfig {
  const analysis = analyze(content, { kind: 'sync', defaultSchema });
  const { config } = analysis;
  if (config === undefined) throw new Error('a sync config is always analysed as one');
  const problems = problemsOf(analysis);
  const valid = problems.every(({ severity }) => severity !== 'error');
  return { analysis, plans: plansOf(config), options: config.surroundings.options, problems, valid };
}

/** Texts that change with what a config means. */
export interface Meanings {
  /** By name. */
  readonly streams: ReadonlyMap<string, string>;
  /** Also of its options, and of the order of streams where it decides. */
  readonly whole: string;
}

export function meaningsIn({ plans, options }: Pick<SyncConfig, 'plans' | 'options'>): Meanings {
  return {
    streams: new Map(plans.map((plan) => [plan.name, meaningOfStream(plan)])),
    whole: meaningOf(plans, options),
  };
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
