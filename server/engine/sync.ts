/**
 * A sync config: its parts are read, then its options and global CTEs, then its definitions one by one; at last
 * what only the whole file can tell. What did not change since an earlier analysis is taken from its memory.
 */
import {
  type AnalyzedDefinition,
  type AnalyzedEntries,
  analyzeEntries,
  type CheckedCtes,
  checkCtes,
  type DefinitionSection,
  definitionSections,
  type ReadCtes,
  readCtes,
} from './definitions.ts';
import type { Finding } from './diagnostics.ts';
import { collectInFile, type FileCollector } from './findings.ts';
import type { Catalog } from './model/catalog.ts';
import type { Cte, Edition, Options, Surroundings } from './model/definition.ts';
import { defaultOptions, readOptions } from './model/options.ts';
import {
  checkDefined,
  checkEdition,
  checkNames,
  entriesOf,
  isMisspelt,
  nameSections,
  type SectionName,
  type Sections,
} from './model/sections.ts';
import { duplicatesAcross } from './yaml/duplicates.ts';
import type { YamlNode } from './yaml/nodes.ts';
import { type Entry, type Part, readParts, type Section, sectionsOf } from './yaml/parts.ts';
import type { Reading } from './yaml/read.ts';

export interface PlacedDefinition extends AnalyzedDefinition {
  readonly part: Part;
}

export interface PlacedCte {
  readonly cte: Cte;
  readonly part: Part;
}

export interface Config {
  /** All of the file, in reading order. */
  readonly parts: readonly Part[];
  readonly surroundings: Surroundings;
  /** Of the whole file; those of a stream are in its definition. */
  readonly ctes: readonly PlacedCte[];
  /** Section by section, in reading order. */
  readonly definitions: readonly PlacedDefinition[];
}

export interface SyncAnalysis {
  readonly config: Config;
  readonly findings: readonly Finding[];
  readonly memory: Memory;
}

/** A part that did not change keeps its reading, and so all that was made of it. */
export interface Memory {
  readonly readings: ReadonlyMap<string, Reading>;
  readonly surroundings: Surroundings;
  readonly globals: ByReading<ReadCtes>;
  readonly checks: ByReading<CheckedCtes>;
  readonly entries: ReadonlyMap<DefinitionSection, ByReading<AnalyzedEntries>>;
}

type ByReading<T> = ReadonlyMap<Reading, T>;
type ByPart<T> = ReadonlyMap<Part, T>;

export interface SyncWorld {
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
  checkFile(text, parts, sections, options.edition, file);

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
  addInCtes(globals, definitions, file);
  if (!file.broken && options.edition === 3) checkUse(globals, checks, definitions, file);

  return {
    config: { parts, surroundings, ctes: placeCtes(globals), definitions },
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
function readOptionsOf(sections: Sections, all: readonly Section[], file: FileCollector): Options {
  const likely = likelyEdition(sections);
  const missing = file.broken || isMisspelt(all, 'config') ? likely : 1;
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
  else checkDefined(text, sections, edition, file.atFile);
}

function isMapOrNothing(root: YamlNode): boolean {
  return root.kind === 'map' || (root.kind === 'scalar' && root.value === null && root.text === '');
}

/** The same object as before if nothing changed: what was analysed in it is still right. */
function settle(options: Options, globals: ByPart<ReadCtes>, world: SyncWorld): Surroundings {
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

function analyzeDefinitions(sections: Sections, surroundings: Surroundings, memory: Memory | undefined) {
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

/** What is made of the entries of a section in each part that has some, unless it is known already. */
function perPart<T>(
  sections: Sections,
  name: SectionName,
  known: ByReading<T> | undefined,
  make: (part: Part, entries: readonly Entry[]) => T,
): ByPart<T> {
  const grouped = new Map<Part, Entry[]>();
  for (const entry of entriesOf(sections, name)) {
    const group = grouped.get(entry.part);
    if (group === undefined) grouped.set(entry.part, [entry]);
    else group.push(entry);
  }
  const made = new Map<Part, T>();
  for (const [part, entries] of grouped) made.set(part, known?.get(part.reading) ?? make(part, entries));
  return made;
}

function byReading<T>(found: ByPart<T>): ByReading<T> {
  return new Map([...found].map(([part, value]) => [part.reading, value]));
}

function placeCtes(globals: ByPart<ReadCtes>): PlacedCte[] {
  return [...globals].flatMap(([part, { ctes }]) => ctes.map((cte) => ({ part, cte })));
}

function placeDefinitions(
  entries: ReadonlyMap<DefinitionSection, ByPart<AnalyzedEntries>>,
): PlacedDefinition[] {
  return [...entries.values()].flatMap((found) =>
    [...found].flatMap(([part, { definitions }]) => definitions.map((analyzed) => ({ part, ...analyzed }))),
  );
}

/** What streams find in the texts of global CTEs. */
function addInCtes(
  globals: ByPart<ReadCtes>,
  definitions: readonly PlacedDefinition[],
  file: FileCollector,
): void {
  const found = definitions.flatMap(({ compiled }) => compiled?.inGlobalCtes ?? []);
  if (found.length === 0) return;
  const partOf = new Map(placeCtes(globals).map(({ cte, part }) => [cte, part]));
  for (const { cte, finding } of found) {
    const part = partOf.get(cte);
    if (part) file.add(part, [{ ...finding, span: cte.query.place(finding.span) }]);
  }
}

/** A global CTE is used if one stream uses it; one with an error cannot be. */
function checkUse(
  globals: ByPart<ReadCtes>,
  checks: ByPart<CheckedCtes>,
  definitions: readonly PlacedDefinition[],
  file: FileCollector,
): void {
  const used = new Set(definitions.flatMap(({ compiled }) => [...(compiled?.usedGlobalCtes ?? [])]));
  for (const [part, { ctes, broken }] of globals)
    for (const cte of ctes)
      if (!used.has(cte) && !broken.has(cte) && !checks.get(part)?.broken.has(cte))
        file.inPart(part)('unused-cte', cte.nameSpan, { name: cte.name });
}
