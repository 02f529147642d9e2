/** One definition after the other: read from its node, then compiled in the dialect of its kind and edition. */
import { checkLegacy, checkStream, watchTexts } from './check.ts';
import type { Finding } from './diagnostics.ts';
import { collectFindings } from './findings.ts';
import { readBucketDefinition } from './model/buckets.ts';
import type { Definition, Edition, Reporter, Surroundings } from './model/definition.ts';
import { readEvent } from './model/events.ts';
import type { Source } from './model/shape.ts';
import { readStream } from './model/streams.ts';
import { type CompiledStream, compileStream } from './plan/compile.ts';
import { type CompiledDefinition, compileBucketDefinition } from './plan/legacy/definition.ts';
import { type CompiledEvent, compileEvent } from './plan/legacy/event.ts';
import { type CompiledAlphaStream, compileAlphaStream } from './plan/legacy/stream.ts';
import type { YamlNode, YamlPair } from './yaml/nodes.ts';
import type { Part } from './yaml/parts.ts';

/** A definition and what its compiler made of it. Spans count in the part of the file that holds it. */
export interface AnalyzedDefinition {
  readonly definition: Definition;
  /** Of a stream of edition 3. */
  readonly compiled?: CompiledStream;
  /** Of any other definition. */
  readonly legacy?: CompiledDefinition | CompiledAlphaStream | CompiledEvent;
}

export interface PlacedDefinition extends AnalyzedDefinition {
  readonly part: Part;
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

/** The entries of a section that lie in one part. */
export function analyzeEntries(
  section: DefinitionSection,
  part: Part,
  entries: readonly YamlPair[],
  surroundings: Surroundings,
): AnalyzedEntries {
  const collector = collectFindings();
  const source = { text: part.reading.text, report: collector.atPart };
  const read: ReadDefinition = readers[section];
  const definitions = entries.flatMap(({ key, value }) => {
    const definition = read(source, key, value, surroundings.options.edition);
    return definition === undefined ? [] : [compile(definition, surroundings, collector)];
  });
  return { definitions, findings: collector.findings };
}

function compile(definition: Definition, surroundings: Surroundings, reporter: Reporter): AnalyzedDefinition {
  const watched = watchTexts(reporter);
  switch (definition.kind) {
    case 'stream': {
      if (surroundings.options.edition === 3) {
        const compiled = compileStream(definition, surroundings, watched);
        return { definition, compiled: checkStream(definition, compiled, surroundings, watched) };
      }
      const legacy = compileAlphaStream(definition, surroundings, watched);
      checkLegacy(legacy, { 'synced before 3': legacy.queries }, surroundings, watched);
      return { definition, legacy };
    }
    case 'bucket-definition': {
      const legacy = compileBucketDefinition(definition, surroundings, watched);
      const { parameters, data } = legacy;
      checkLegacy(legacy, { parameters, 'synced before 3': data }, surroundings, watched);
      return { definition, legacy };
    }
    case 'event': {
      const legacy = compileEvent(definition, surroundings, watched);
      checkLegacy(legacy, { event: legacy.queries }, surroundings, watched);
      return { definition, legacy };
    }
  }
}
