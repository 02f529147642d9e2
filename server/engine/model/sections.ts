/** Reads the top level of a sync config: its sections, and whether they are compatible. */
import type { Report } from '../diagnostics/diagnostics.ts';
import { nearest } from '../text/nearest.ts';
import { span } from '../text/span.ts';
import { type Entry, type FileSection, spanInFile } from '../yaml/parts.ts';
import { lineEnd } from '../yaml/space.ts';
import type { Edition } from './definition.ts';
import { optionHints } from './options.ts';
import { argsAt, nameOfKey, reportUnknownKey } from './shape.ts';

const sectionNames = ['config', 'streams', 'bucket_definitions', 'with', 'event_definitions'] as const;
export type SectionName = (typeof sectionNames)[number];

/** Sections by name. A key that occurs twice, which is an error, has both sections. */
export type Sections = ReadonlyMap<SectionName, readonly FileSection[]>;

/** Returns a reporter for places in the part that contains the entry. */
type ReportIn = (entry: Entry) => Report;

export function nameSections(all: readonly FileSection[], reportIn: ReportIn): Sections {
  const sections = new Map<SectionName, FileSection[]>();
  for (const section of all) {
    const { key, part } = section;
    const name = nameOfKey(part.reading.text, key);
    const known = sectionNames.find((candidate) => candidate === name);
    if (key.kind !== 'scalar') reportIn(section)('complex-key', key.span, {});
    else if (known === undefined) reportUnknownKey(reportIn(section), key, name, sectionNames, optionHints);
    else if (sections.has(known)) sections.get(known)?.push(section);
    else sections.set(known, [section]);
  }
  for (const [name, found] of sections) if (name !== 'config') checkMaps(name, found, reportIn);
  return sections;
}

/** Whether the edition is written at the top level of the file, where services ignore it. */
export function isEditionMisplaced(all: readonly FileSection[]): boolean {
  return all.some(({ key }) => key.kind === 'scalar' && key.text === 'edition');
}

/** Whether an unknown key was probably intended to be this section. */
export function isMisspelt(all: readonly FileSection[], name: SectionName): boolean {
  return all.some(
    ({ key }) => key.kind === 'scalar' && key.text !== name && nearest(key.text, sectionNames) === name,
  );
}

function checkMaps(key: string, sections: readonly FileSection[], reportIn: ReportIn): void {
  for (const section of sections)
    if (!section.isMap) reportIn(section)('expected-map', section.value.span, argsAt(section.value, key));
}

function entriesOf(sections: Sections, name: SectionName): Entry[] {
  return (sections.get(name) ?? []).flatMap(({ entries = [] }) => entries);
}

/** Checks the sections that the edition forbids or requires. `report` takes spans in the file. */
export function checkEdition(sections: Sections, edition: Edition, report: Report): void {
  const contents = (name: SectionName) =>
    (sections.get(name) ?? []).filter(({ isMap }) => isMap).map(({ content }) => content);
  if (edition === 3) {
    for (const content of contents('bucket_definitions'))
      report('bucket-definitions-in-edition-3', content, {});
    return;
  }
  for (const content of contents('streams')) report('alpha-streams', content, {});
  if (entriesOf(sections, 'with').length > 0)
    for (const content of contents('with')) report('cte-requires-edition-3', content, {});
}

/** Reports a file that defines nothing. The finding is at the first section, or at the first line. */
export function checkDefined(
  text: string,
  all: readonly FileSection[],
  sections: Sections,
  edition: Edition,
  report: Report,
): void {
  const [first] = [...sections.values()].flat();
  const at = first === undefined ? span(0, lineEnd(text, 0)) : spanInFile(first, first.key);
  const needed: readonly SectionName[] = edition === 3 ? ['streams'] : ['streams', 'bucket_definitions'];
  // A section with a misspelt name is reported as such and does not count as missing.
  if (needed.some((name) => sections.has(name) || isMisspelt(all, name))) return;
  report(edition === 3 ? 'missing-streams' : 'missing-definitions', at, {});
}

/** Checks that names are unique, because streams and bucket definitions share a single namespace. */
export function checkNames(sections: Sections, report: Report): void {
  const streams = namesOf(sections, 'streams');
  const definitions = namesOf(sections, 'bucket_definitions');
  for (const [name, first] of streams) {
    const second = definitions.get(name);
    if (second === undefined) continue;
    const [a, b] = [spanInFile(first, first.key), spanInFile(second, second.key)];
    report('duplicate-definition', a.start > b.start ? a : b, { name });
  }
}

function namesOf(sections: Sections, name: SectionName): Map<string, Entry> {
  const names = new Map<string, Entry>();
  for (const entry of entriesOf(sections, name))
    if (entry.key.kind === 'scalar' && !names.has(entry.key.text)) names.set(entry.key.text, entry);
  return names;
}
