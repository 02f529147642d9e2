/** One definition after the other: read from its node, then compiled in the dialect of its kind and edition. */
import type { Finding } from './diagnostics.ts';
import { collectFindings } from './findings.ts';
import { readBucketDefinition } from './model/buckets.ts';
import type { Cte, Definition, Edition, Surroundings } from './model/definition.ts';
import { readEvent } from './model/events.ts';
import type { Source } from './model/shape.ts';
import { readStream } from './model/streams.ts';
import { readCte } from './model/values.ts';
import type { YamlNode, YamlPair } from './yaml/nodes.ts';
import type { Part } from './yaml/parts.ts';

/** Spans count in the part of the file that holds the definition. */
export interface AnalyzedDefinition {
  readonly definition: Definition;
  /** The global CTEs that it uses. */
  readonly usedCtes: ReadonlySet<Cte>;
}

export interface AnalyzedEntries {
  readonly definitions: readonly AnalyzedDefinition[];
  readonly findings: readonly Finding[];
}

type ReadDefinition = (
  source: Source,
  key: YamlNode,
  value: YamlNode,
  edition: Edition,
) => Definition | undefined;

const readers = {
  streams: readStream,
  bucket_definitions: readBucketDefinition,
  event_definitions: readEvent,
} satisfies Record<string, ReadDefinition>;

/** A section that holds definitions. */
export type DefinitionSection = keyof typeof readers;

export const definitionSections = Object.keys(readers) as readonly DefinitionSection[];

/** Global CTEs, before it is known what they may refer to. */
export interface ReadCtes {
  readonly ctes: readonly Cte[];
  readonly findings: readonly Finding[];
}

export function readCtes(part: Part, entries: readonly YamlPair[]): ReadCtes {
  const collector = collectFindings();
  const source = { text: part.reading.text, report: collector.atPart };
  const ctes = entries.flatMap(({ key, value }) => readCte(source, key, value) ?? []);
  return { ctes, findings: collector.findings };
}

export interface CheckedCtes {
  readonly findings: readonly Finding[];
}

export function checkCtes(_ctes: readonly Cte[], _surroundings: Surroundings): CheckedCtes {
  return { findings: [] };
}

/** The entries of a section that lie in one part, whose text is given. */
export function analyzeEntries(
  section: DefinitionSection,
  text: string,
  entries: readonly YamlPair[],
  surroundings: Surroundings,
): AnalyzedEntries {
  const collector = collectFindings();
  const read: ReadDefinition = readers[section];
  const definitions = entries.flatMap(({ key, value }) => {
    const source = { text, report: collector.atPart };
    const definition = read(source, key, value, surroundings.options.edition);
    return definition === undefined ? [] : [{ definition, usedCtes: new Set<Cte>() }];
  });
  return { definitions, findings: collector.findings };
}
