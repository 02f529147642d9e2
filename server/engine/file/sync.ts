/**
 * A sync config: its parts are read, then its options and global CTEs, then its definitions one by one; at last
 * what only the whole file can tell. What did not change since an earlier analysis is taken from its memory.
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
import { duplicatesAcross } from '../yaml/duplicates.ts';
import type { YamlNode } from '../yaml/nodes.ts';
import { type FileSection, type Part, readParts, sectionsOf } from '../yaml/parts.ts';
import type { Reading } from '../yaml/read.ts';
import { checkAllPlans } from './check.ts';
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
import { type ByPart, type ByReading, byReading, perPart } from './perPart.ts';

export interface Config {
  /** All of the file, in reading order. */
  readonly parts: readonly Part[];
  readonly surroundings: ConfigSurroundings;
  /** Of the whole file; those of a stream are in its definition. */
  readonly ctes: readonly PlacedCte[];
  /** Section by section, in reading order. */
  readonly definitions: readonly PlacedDefinition[];
}

interface SyncAnalysis {
  readonly config: Config;
  readonly findings: readonly Finding[];
  readonly memory: Memory;
}

/** A part that did not change keeps its reading, and so all that was made of it. */
export interface Memory {
  readonly readings: ReadonlyMap<string, Reading>;
  readonly surroundings: ConfigSurroundings;
  readonly globals: ByReading<ReadCtes>;
  readonly checks: ByReading<CheckedCtes>;
  readonly entries: ReadonlyMap<DefinitionSection, ByReading<AnalyzedEntries>>;
}

interface SyncWorld {
  readonly catalog?: Catalog | undefined;
  readonly defaultSchema: string;
  readonly memory?: Memory | undefined;
}

export function analyzeSync(text: string, world: SyncWorld): SyncAnalysis {
  const parts = readParts(text, new Set(definitionSections), world.memory?.readings ?? new Map());
  const file = collectInFile(text, parts);
  const all = sectionsOf(parts);
  file.addAtFile(duplicatesAcross(text, all));
  const sections = nameSections(all, ({ part }) => file.inPart(part));
  const options = readOptionsOf(sections, all, file);
  checkFile(text, parts, all, sections, options.edition, file);

  const globals = perPart(sections, 'with', world.memory?.globals, readCtes);
  const surroundings = settle(options, globals, world);
  const memory = world.memory?.surroundings === surroundings ? world.memory : undefined;
  const checks = perPart(sections, 'with', memory?.checks, (part) =>
    checkCtes(globals.get(part)?.ctes ?? [], surroundings),
  );
  const entries = analyzeDefinitions(sections, surroundings, memory);
  for (const found of [globals, checks, ...entries.values()])
    for (const [part, { findings }] of found) file.add(part, findings);
  const definitions = placeDefinitions(entries);
  const ctes = placeCtes(globals, checks);
  addInCtes(ctes, definitions, file);
  checkAllPlans(definitions, surroundings, file);
  if (!file.broken && options.edition === 3) checkUse(globals, checks, definitions, file);

  return {
    config: { parts, surroundings, ctes, definitions },
    findings: file.inOrder(),
    memory: {
      readings: new Map(parts.map(({ reading }) => [reading.text, reading])),
      surroundings,
      globals: byReading(globals),
      checks: byReading(checks),
      entries: new Map([...entries].map(([section, found]) => [section, byReading(found)])),
    },
  };
}

/** Where the edition cannot be read, that which fits the sections: else each stream would have an error. */
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

/** The same object as before if nothing changed: what was analysed in it is still right. */
function settle(options: Options, globals: ByPart<ReadCtes>, world: SyncWorld): ConfigSurroundings {
  const ctes = options.edition === 3 ? [...globals.values()].flatMap((read) => read.ctes) : [];
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

/** Plans of all definitions that have no error. */
export function plansOf({ definitions }: Config): readonly StreamPlan[] {
  return definitions.flatMap(({ plan }) => plan ?? []);
}

function analyzeDefinitions(
  sections: Sections,
  surroundings: ConfigSurroundings,
  memory: Memory | undefined,
) {
  const known = definitionSections.filter(
    (section) => surroundings.options.edition < 3 || section !== 'bucket_definitions',
  );
  return new Map(
    known.map((section) => [
      section,
      perPart(sections, section, memory?.entries.get(section), (part, entries) =>
        analyzeEntries(section, part, entries, surroundings),
      ),
    ]),
  );
}

/** Key by key: spreading would take longer than all else that is done for a definition that did not change. */
function place(part: Part, { definition, plan, texts, globalCtes }: AnalyzedDefinition): PlacedDefinition {
  return { part, definition, plan, texts, globalCtes };
}

function placeDefinitions(
  entries: ReadonlyMap<DefinitionSection, ByPart<AnalyzedEntries>>,
): PlacedDefinition[] {
  const placed: PlacedDefinition[] = [];
  for (const found of entries.values())
    for (const [part, { definitions }] of found)
      for (const analyzed of definitions) placed.push(place(part, analyzed));
  return placed;
}
