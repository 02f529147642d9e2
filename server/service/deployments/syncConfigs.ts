/** Compiles the content of a deployment: the tables to replicate, the evaluation of their rows, and the problems of the content. */
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
import {
  type ConfigEvaluator,
  type RowSide,
  toConfigEvaluator,
  toRowSide,
} from '../../engine/plan/evaluate/evaluate.ts';
import {
  addParts,
  allParts,
  isAddable,
  joinParts,
  type KeptNames,
  keepNames,
  nameParts,
  onlyParts,
  ownPlans,
  type StoredParts,
} from '../../engine/plan/evaluate/names.ts';
import { keepsOrder, meaningOf, meaningOfOptions, meaningOfStream } from '../../engine/plan/meaning.ts';
import type { StreamPlan } from '../../engine/plan/plan.ts';
import { createCache } from '../ground/cache.ts';
import { type Deployment, type StoredText, storedTextsOf } from '../storage/deployment.ts';

export interface SyncConfig {
  readonly analysis: Analysis;
  readonly plans: readonly StreamPlan[];
  readonly options: Options;
  /** The problems in reading order. If there are too many, only the most severe ones. */
  readonly problems: readonly ConfigProblem[];
  /** Whether the config has no errors and can be deployed. */
  readonly valid: boolean;
}

export interface ConfigProblem {
  readonly severity: Severity;
  readonly code: string;
  readonly message: string;
  /** Offsets in the content. */
  readonly start: number;
  readonly end: number;
  /** Line and column, counted from 0. */
  readonly from: Position;
  readonly to: Position;
}

export interface RunningConfig extends SyncConfig {
  /** The evaluator for clients. Its bucket names begin with the deployment's id. */
  readonly evaluator: ConfigEvaluator;
  /** The evaluation of rows for the storage. It covers all parts that clients get, and stored parts that they no longer get. */
  readonly storing: Storing;
  /** Whether all of the content is stored. If not, only the stored parts are served. */
  readonly isStored: boolean;
}

export interface Storing {
  readonly evaluator: RowSide;
  readonly options: Options;
  readonly parts: StoredParts;
}

/** The parts that are copied beside those of a deployment, so that another content can replace the deployment's own. */
export interface Beside {
  /** The id of the pending deployment. */
  readonly id: number;
  /** All parts of the base, and the added ones. */
  readonly storing: Storing;
  /** The added parts alone, without those of the base. */
  readonly added: RowSide;
  readonly addedParts: StoredParts;
  /** The config texts after the copy, with the parts of each that the base stores. */
  readonly storedTexts: readonly StoredText[];
  /** The streams with at least one added part. */
  readonly streams: ReadonlySet<string>;
}

/** The properties of a deployment that determine its compiled config. */
type Contents = Pick<Deployment, 'id' | 'content' | 'storedContent' | 'storedTexts'>;

/**
 * How much of a content a deployment stores. `same`: the content has the same meaning as the deployment's own; `within`: it has
 * another meaning, but all of its parts are stored; `beside`: some of its parts are stored, and the others can be copied beside
 * them; undefined: everything must be copied.
 */
export type Coverage = 'same' | 'within' | 'beside' | undefined;

export interface SyncConfigs {
  read(content: string): SyncConfig;
  of(deployment: Contents): RunningConfig;
  coverageOf(content: SyncConfig, deployment: Contents): Coverage;
  /** Returns undefined if the pending content cannot be copied beside the deployment. */
  beside(deployment: Contents, pending: Pick<Deployment, PendingPart>): Beside | undefined;
  /**
   * Returns the config texts that remain when parts that the content does not need are removed. Undefined: all parts are needed.
   */
  needed(deployment: Contents): readonly StoredText[] | undefined;
}

type PendingPart = 'id' | 'content' | 'storedContent' | 'anew';

/** The maximum number of compiled configs. A serving and a pending one are in use, and others are being examined. */
const mostKept = 4;

/** Compiles configs, and caches the latest ones. */
export function openSyncConfigs(defaultSchema: string): SyncConfigs {
  const kept = createCache<number, { readonly key: string; readonly config: RunningConfig }>(mostKept);
  const read = (content: string) => readSyncConfig(content, defaultSchema);
  const of = (contents: Contents): RunningConfig => {
    const { id, content } = contents;
    const key = keyOf(contents);
    const known = kept.get(id);
    if (known?.key === key) return known.config;
    const config = runningConfig(read(content), partsOf(contents, read), id);
    kept.set(id, { key, config });
    return config;
  };
  return {
    read,
    of,
    coverageOf: (config, deployment) => {
      const before = of(deployment);
      if (!config.valid || !before.valid || !before.isStored) return undefined;
      if (meaningOf(before.plans, before.options) === meaningOf(config.plans, config.options)) return 'same';
      if (meaningOfOptions(before.storing.options) !== meaningOfOptions(config.options)) return undefined;
      if (namesIn(before.storing.parts, config) !== undefined) return 'within';
      return besideOf(before, config, { id: 0, deployment: deployment.id }) && 'beside';
    },
    beside: (deployment, pending) => {
      const { id, content, storedContent = content, anew } = pending;
      const before = of(deployment);
      const config = read(storedContent);
      if (!config.valid || !before.valid || !before.isStored) return undefined;
      if (meaningOfOptions(before.storing.options) !== meaningOfOptions(config.options)) return undefined;
      const found = besideOf(before, config, { id, deployment: deployment.id, anew });
      if (found === undefined) return undefined;
      const { added, kept: names, storing, streams } = found;
      const texts = neededOf(deployment, read, names);
      return {
        id,
        storing,
        added: toRowSide(added, config.options),
        addedParts: added,
        storedTexts: [...texts, { content: storedContent, from: id, names: [...added.names] }],
        streams,
      };
    },
    needed: (deployment) => {
      const { storing, plans, isStored } = of(deployment);
      const names = keepNames(storing.parts, plans);
      if (!isStored || names === undefined || !isAddable(storing.parts.names)) return undefined;
      const used = new Set(Object.values(names).flatMap(({ sources, lookups }) => [...sources, ...lookups]));
      return used.size === storing.parts.names.size ? undefined : neededOf(deployment, read, used);
    },
  };
}

type Read = (content: string) => SyncConfig;

/** Returns a cache key: the properties that determine the result. */
function keyOf({ id, content, storedContent, storedTexts }: Contents): string {
  return JSON.stringify([id, content, storedContent, storedTexts]);
}

/** Returns the stored parts of each config text of a deployment, in the order of the texts. */
function partsOfTexts(
  contents: Contents,
  read: Read,
): readonly { readonly text: StoredText; readonly parts: StoredParts }[] {
  return storedTextsOf(contents).map((text) => {
    const { from, names } = text;
    const named = nameParts(read(text.content).plans, namingOf(contents.id, from));
    return { text, parts: names === undefined ? allParts(named) : onlyParts(named, new Set(names)) };
  });
}

function namingOf(deployment: number, from: number | undefined) {
  return from === undefined
    ? { version: String(deployment) }
    : { version: `${deployment}.${from}`, lookupPrefix: `${from}.` };
}

interface StoredConfig {
  readonly parts: StoredParts;
  readonly options: Options;
  /** The configs, one for each text. */
  readonly configs: readonly SyncConfig[];
}

/** Returns undefined if only the content itself is stored. */
function partsOf(contents: Contents, read: Read): StoredConfig | undefined {
  const { storedContent, storedTexts } = contents;
  if (storedContent === undefined && storedTexts === undefined) return undefined;
  const all = partsOfTexts(contents, read);
  const configs = all.map(({ text }) => read(text.content));
  const { options } = configs[0] as SyncConfig;
  return { parts: joinParts(all.map(({ parts }) => parts)), options, configs };
}

/** Returns the config texts with their needed parts. A text without needed parts is removed. */
function neededOf(contents: Contents, read: Read, needed: ReadonlySet<string>): readonly StoredText[] {
  return partsOfTexts(contents, read).flatMap(({ text, parts }) => {
    const names = [...parts.names].filter((name) => needed.has(name));
    return names.length === 0 ? [] : [{ ...text, names }];
  });
}

function runningConfig(config: SyncConfig, stored: StoredConfig | undefined, id: number): RunningConfig {
  const version = String(id);
  const { plans, options } = config;
  if (stored === undefined) {
    const evaluator = toConfigEvaluator(plans, { options, version });
    const parts = allParts(nameParts(plans, { version }));
    return { ...config, evaluator, storing: { evaluator, options, parts }, isStored: true };
  }
  const names =
    meaningOfOptions(stored.options) === meaningOfOptions(options)
      ? namesIn(stored.parts, config)
      : undefined;
  // An earlier release regarded configs as equivalent that this release distinguishes.
  if (names === undefined) return onlyStored(stored, id);
  const evaluator = reportingOnly(stored.parts, usersIn(names), stored.options);
  const storing = { parts: stored.parts, options: stored.options, evaluator };
  const served = toConfigEvaluator(config.plans, { options: config.options, version, names });
  return { ...config, evaluator: served, storing, isStored: true };
}

/** Returns the newest of the config texts that is stored completely, or else the first one, of which some part is always stored. */
function onlyStored({ parts, options, configs }: StoredConfig, id: number): RunningConfig {
  const version = String(id);
  const storing = { parts, options, evaluator: toRowSide(parts, options) };
  for (const config of configs.toReversed()) {
    const names = namesIn(parts, config);
    if (names === undefined) continue;
    const evaluator = toConfigEvaluator(config.plans, { options, version, names });
    return { ...config, evaluator, storing, isStored: false };
  }
  const config = configs[0] as SyncConfig;
  const evaluator = toConfigEvaluator(config.plans, { options, version, names: {} });
  return { ...config, evaluator, storing, isStored: false };
}

/** Returns undefined unless everything that a config needs is stored in the required form. */
function namesIn(stored: StoredParts, config: SyncConfig): KeptNames | undefined {
  return keepsOrder(ownPlans(stored), config.plans) ? keepNames(stored, config.plans) : undefined;
}

interface Addition {
  readonly id: number;
  /** The deployment to which parts are added. */
  readonly deployment: number;
  readonly anew?: readonly string[] | undefined;
}

/** Returns undefined if no part can be kept, or if the added parts would be in a different order than in the content. */
function besideOf(
  { plans, storing: { parts: stored, options } }: RunningConfig,
  config: SyncConfig,
  { id, deployment, anew = [] }: Addition,
) {
  const named = nameParts(config.plans, namingOf(deployment, id));
  const again = addParts(
    stored,
    named.filter(({ plan }) => anew.includes(plan.name)),
  );
  const reusable = new Set([...stored.names].filter((name) => !again.kept.has(name)));
  const { added, kept } = addParts({ ...stored, names: reusable }, named);
  if (kept.size === 0 || !isAddable([...stored.names, ...added.names])) return undefined;
  const parts = joinParts([stored, added]);
  const needed = onlyParts(parts.plans, new Set([...kept, ...added.names]));
  if (!keepsOrder(ownPlans(needed), config.plans)) return undefined;
  const isAdded = (name: string) => added.names.has(name);
  const streams = named
    .filter(({ sourceNames, lookupNames }) => [...sourceNames, ...lookupNames].some(isAdded))
    .map(({ plan }) => plan.name);
  const users = new Map([
    ...usersIn(keepNames(needed, config.plans) ?? {}),
    ...usersIn(keepNames(stored, plans) ?? {}),
  ]);
  return {
    added,
    kept,
    streams: new Set(streams),
    storing: { parts, options, evaluator: reportingOnly(parts, users, options) },
  };
}

/** The stream that currently uses a part, by the name of the part. */
type Users = ReadonlyMap<string, string>;

function usersIn(names: KeptNames): Users {
  return new Map(
    Object.entries(names).flatMap(([stream, { sources, lookups }]) =>
      [...sources, ...lookups].map((name) => [name, stream] as const),
    ),
  );
}

/**
 * Returns an evaluation that ignores failures of parts that are no longer served, and reports renamed parts by their current
 * names.
 */
function reportingOnly(parts: StoredParts, users: Users, options: Options): RowSide {
  const plans = parts.plans.map((named) => {
    const { plan, sourceNames, lookupNames } = named;
    const used = [...sourceNames, ...lookupNames].flatMap((name) => users.get(name) ?? []);
    const name = used.includes(plan.name) ? plan.name : (used[0] ?? nobody);
    return { ...named, plan: { ...plan, name } };
  });
  const side = toRowSide({ ...parts, plans }, options);
  const rowsOf: RowSide['rowsOf'] = (table) => {
    const evaluate = side.rowsOf(table);
    return (row) => {
      const result = evaluate(row);
      if (result.failures.length === 0) return result;
      return { ...result, failures: result.failures.filter(({ stream }) => stream !== nobody) };
    };
  };
  return { ...side, rowsOf };
}

/** The name of parts that no stream uses. No stream can have this name. */
const nobody = '';

export function readSyncConfig(content: string, defaultSchema: string): SyncConfig {
  const analysis = analyze(content, { kind: 'sync', defaultSchema });
  const { config } = analysis;
  if (config === undefined) throw new Error('a sync config is always analysed as one');
  const problems = problemsOf(analysis);
  const valid = problems.every(({ severity }) => severity !== 'error');
  return { analysis, plans: plansOf(config), options: config.surroundings.options, problems, valid };
}

/** The meanings of a config as texts: if a meaning changes, its text also changes. */
export interface Meanings {
  /** The meanings of the streams, by name. */
  readonly streams: ReadonlyMap<string, string>;
  /** The meaning of the entire config, including the options, and the order of streams if it matters. */
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

/** Returns one sentence for a problem: `Line 3, column 12: …`. */
export function sentenceOf({ from, message }: ConfigProblem): string {
  return `Line ${from.line + 1}, column ${from.character + 1}: ${message}`;
}
