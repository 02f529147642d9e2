/**
 * Analyses a sync config: reads its parts, then its options and global CTEs, then its definitions one by one, and finally the facts
 * that require the entire file. Unchanged parts come from the memory of an earlier analysis.
 */
import type { Finding } from '../diagnostics/diagnostics.ts';
import type { Catalog } from '../model/catalog.ts';
import type { ConfigSurroundings, Edition, Options } from '../model/definition.ts';
import { defaultOptions, readOptions } from '../model/options.ts';
import {
  checkDefined,
  checkEdition,
  checkNames,
  isEditionMisplaced,
  isMisspelt,
  nameSections,
  type Sections,
} from '../model/sections.ts';
import type { StreamPlan } from '../plan/plan.ts';
import { duplicatesAcross } from '../yaml/duplicatesAcross.ts';
import type { YamlNode } from '../yaml/nodes.ts';
import { type FileSection, type Part, readParts, sectionsOf } from '../yaml/parts.ts';
import { findSections, type TopSection } from '../yaml/split.ts';
import { checkAllPlans } from './checkAll.ts';
import {
  type AnalyzedDefinition,
  type AnalyzedEntries,
  analyzeEntries,
  type DefinitionSection,
  definitionSections,
  type PlacedDefinition,
} from './definitions.ts';
import { collectInFile, type FileCollector } from './findings.ts';
import {
  addInCtes,
  type CheckedCtes,
  checkCtes,
  checkUse,
  type PlacedCte,
  placeCtes,
  type ReadCtes,
  readCtes,
} from './globals.ts';
import { type ByPart, inEachPart, type KnownParts, perPart } from './perPart.ts';
import { type DefinitionRun, runsOf } from './runs.ts';

export interface Config {
  /** All parts of the file, in reading order. */
  readonly parts: readonly Part[];
  readonly surroundings: ConfigSurroundings;
  /** The CTEs of the entire file. The CTEs of a stream are in its definition. */
  readonly ctes: readonly PlacedCte[];
  /** The definitions in reading order, section by section. */
  readonly definitions: readonly PlacedDefinition[];
  /** The same definitions in runs, without places. */
  readonly runs: readonly DefinitionRun[];
}

interface SyncAnalysis {
  readonly config: Config;
  readonly findings: readonly Finding[];
  readonly memory: Memory;
}

/** Data that the next analysis can reuse. An unchanged part keeps its parsed YAML and everything derived from it. */
export interface Memory {
  readonly text: string;
  readonly parts: readonly Part[];
  readonly surroundings: ConfigSurroundings;
  readonly globals: ByPart<ReadCtes>;
  readonly checks: ByPart<CheckedCtes>;
  readonly entries: ReadonlyMap<DefinitionSection, ByPart<AnalyzedEntries>>;
  readonly runs: readonly DefinitionRun[];
}

interface SyncWorld {
  readonly catalog?: Catalog | undefined;
  readonly defaultSchema: string;
  readonly memory?: Memory | undefined;
}

const divisible: ReadonlySet<string> = new Set(definitionSections);

/** @param topLevel the top level of the text, if the caller has already found it */
export function analyzeSync(
  text: string,
  world: SyncWorld,
  topLevel: readonly TopSection[] | undefined = findSections(text),
): SyncAnalysis {
  const { parts, origins } = readParts(text, divisible, world.memory, topLevel);
  const file = collectInFile(text, parts);
  const all = sectionsOf(parts);
  file.addAtFile(duplicatesAcross(text, all, parts));
  const sections = nameSections(all, ({ part }) => file.inPart(part));
  const options = readOptionsOf(sections, all, file);
  checkFile(text, parts, all, sections, options.edition, file);

  const toKnown = <T>(made: ByPart<T> | undefined): KnownParts<T> | undefined => made && { made, origins };
  const globals = perPart(sections, 'with', parts, toKnown(world.memory?.globals), readCtes);
  const surroundings = settle(options, globals, world);
  const memory = world.memory?.surroundings === surroundings ? world.memory : undefined;
  const checks = perPart(sections, 'with', parts, toKnown(memory?.checks), (_, __, at) =>
    checkCtes(globals[at]?.ctes ?? [], surroundings),
  );
  const entries = analyzeDefinitions(sections, parts, surroundings, (section) =>
    toKnown(memory?.entries.get(section)),
  );
  for (const found of [globals, checks, ...entries.values()])
    for (const [at, part] of parts.entries()) {
      const { findings = [] } = found[at] ?? {};
      if (findings.length > 0) file.add(part, findings);
    }
  const definitions = placeDefinitions(parts, entries);
  const runs = runsOf([...entries.values()].flatMap(inEachPart), memory?.runs);
  const ctes = placeCtes(parts, globals, checks);
  addInCtes(ctes, definitions, file);
  checkAllPlans(definitions, runs, surroundings, file);
  if (!file.broken && options.edition === 3) checkUse(parts, globals, checks, definitions, file);

  return {
    config: { parts, surroundings, ctes, definitions, runs },
    findings: file.inOrder(),
    memory: { text, parts, surroundings, globals, checks, entries, runs },
  };
}

/**
 * Reads the options. If the edition cannot be read, the edition that matches the sections is assumed, because otherwise every
 * stream would have an error.
 */
function readOptionsOf(sections: Sections, all: readonly FileSection[], file: FileCollector): Options {
  const likely = likelyEdition(sections);
  const unclear = file.broken || isMisspelt(all, 'config') || isEditionMisplaced(all);
  const missing = unclear ? likely : 1;
  const [section] = sections.get('config') ?? [];
  if (section === undefined) return defaultOptions(missing);
  const { part, value } = section;
  const source = { text: part.reading.text, report: file.inPart(part) };
  return readOptions(source, value, { missing, unreadable: likely });
}

function likelyEdition(sections: Sections): Edition {
  if (!sections.has('streams')) return 1;
  return sections.has('bucket_definitions') ? 2 : 3;
}

function checkFile(
  text: string,
  parts: readonly Part[],
  all: readonly FileSection[],
  sections: Sections,
  edition: Edition,
  file: FileCollector,
): void {
  checkEdition(sections, edition, file.atFile);
  if (edition < 3) checkNames(sections, file.atFile);
  if (file.broken) return;
  const [part] = parts;
  const root = part?.reading.root;
  if (part !== undefined && root !== undefined && !isMapOrNothing(root))
    file.inPart(part)('config-not-a-map', root.span, {});
  else checkDefined(text, all, sections, edition, file.atFile);
}

function isMapOrNothing(root: YamlNode): boolean {
  return root.kind === 'map' || (root.kind === 'scalar' && root.value === null && root.text === '');
}

/** Returns the same object as before if nothing changed, so that earlier analyses with it stay valid. */
function settle(options: Options, globals: ByPart<ReadCtes>, world: SyncWorld): ConfigSurroundings {
  const ctes = options.edition === 3 ? inEachPart(globals).flatMap((read) => read.ctes) : [];
  const { catalog, defaultSchema } = world;
  const before = world.memory?.surroundings;
  const same =
    before !== undefined &&
    before.catalog?.version === catalog?.version &&
    before.defaultSchema === defaultSchema &&
    before.ctes.length === ctes.length &&
    before.ctes.every((cte, index) => cte === ctes[index]) &&
    JSON.stringify(before.options) === JSON.stringify(options);
  return same ? before : { options, ctes, defaultSchema, ...(catalog && { catalog }) };
}

/** Returns the plans of all definitions without errors. */
export function plansOf({ definitions }: Config): readonly StreamPlan[] {
  return definitions.flatMap(({ plan }) => plan ?? []);
}

function analyzeDefinitions(
  sections: Sections,
  parts: readonly Part[],
  surroundings: ConfigSurroundings,
  known: (section: DefinitionSection) => KnownParts<AnalyzedEntries> | undefined,
) {
  const allowed = definitionSections.filter(
    (section) => surroundings.options.edition < 3 || section !== 'bucket_definitions',
  );
  return new Map(
    allowed.map((section) => [
      section,
      perPart(sections, section, parts, known(section), (part, entries) =>
        analyzeEntries(section, part, entries, surroundings),
      ),
    ]),
  );
}

/** Copies the properties one by one, because spreading would take longer than all other work for an unchanged definition. */
function place(part: Part, { definition, plan, texts, globalCtes }: AnalyzedDefinition): PlacedDefinition {
  return { part, definition, plan, texts, globalCtes };
}

function placeDefinitions(
  parts: readonly Part[],
  entries: ReadonlyMap<DefinitionSection, ByPart<AnalyzedEntries>>,
): PlacedDefinition[] {
  const placed: PlacedDefinition[] = [];
  for (const found of entries.values())
    for (const [at, part] of parts.entries())
      for (const analyzed of found[at]?.definitions ?? []) placed.push(place(part, analyzed));
  return placed;
}
