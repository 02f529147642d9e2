/** Reads definitions from their nodes, one after the other, and compiles each in the dialect of its kind and edition. */

import { type Finding, severityOf } from '../diagnostics/diagnostics.ts';
import { append } from '../ground/append.ts';
import { readBucketDefinition } from '../model/bucketDefinition.ts';
import type {
  ConfigSurroundings,
  Cte,
  Definition,
  Edition,
  Reporter,
  SqlText,
  StreamDefinition,
} from '../model/definition.ts';
import { readEvent } from '../model/events.ts';
import type { SourceText } from '../model/shape.ts';
import { readStream } from '../model/streams.ts';
import { textsOf } from '../model/texts.ts';
import { compileBefore3 } from '../plan/before3/before3.ts';
import { type CteFinding, compileStream } from '../plan/compile/compile.ts';
import type { StreamPlan } from '../plan/plan.ts';
import type { YamlNode, YamlPair } from '../yaml/nodes.ts';
import type { Part } from '../yaml/parts.ts';
import { checkBefore3, checkStream, type WatchedReporter, watchTexts } from './check.ts';
import { collectFindings } from './findings.ts';

/** A definition and the result of its compiler. Spans are relative to the part of the file that contains it. */
export interface AnalyzedDefinition {
  readonly definition: Definition;
  /** Absent after an error, and for an event. */
  readonly plan?: StreamPlan | undefined;
  /** The texts that the plan's origins refer to by index. */
  readonly texts: readonly SqlText[];
  /** Present only for a stream of edition 3. */
  readonly globalCtes?: GlobalCteUse | undefined;
}

/** The use of the file's CTEs by one stream. */
interface GlobalCteUse {
  readonly used: ReadonlySet<Cte>;
  /** Findings in the texts of the CTEs, which are not part of the stream. */
  readonly findings: readonly CteFinding[];
}

export interface PlacedDefinition extends AnalyzedDefinition {
  readonly part: Part;
}

export interface AnalyzedEntries {
  readonly definitions: readonly AnalyzedDefinition[];
  readonly findings: readonly Finding[];
}

type ReadDefinition = (
  source: SourceText,
  key: YamlNode,
  value: YamlNode,
  edition: Edition,
) => Definition | undefined;

const readers = {
  streams: readStream,
  bucket_definitions: readBucketDefinition,
  event_definitions: readEvent,
} satisfies Record<string, ReadDefinition>;

/** The name of a section that contains definitions. */
export type DefinitionSection = keyof typeof readers;

export const definitionSections = Object.keys(readers) as readonly DefinitionSection[];

/** Reads and compiles the entries of a section that are in one part. */
export function analyzeEntries(
  section: DefinitionSection,
  part: Part,
  entries: readonly YamlPair[],
  surroundings: ConfigSurroundings,
): AnalyzedEntries {
  const read: ReadDefinition = readers[section];
  const findings: Finding[] = [];
  const definitions = entries.flatMap(({ key, value }) => {
    const collector = collectFindings();
    const source = { text: part.reading.text, report: collector.atPart };
    const definition = read(source, key, value, surroundings.options.edition);
    const analyzed = definition === undefined ? [] : [analyze(definition, surroundings, collector)];
    for (const { sql } of definition === undefined ? [] : textsOf(definition)) sql.letGo();
    append(findings, withoutUnfinished(collector.findings));
    return analyzed;
  });
  return { definitions, findings };
}

/**
 * Removes the finding about a missing query of a stream, unless the values of the stream are valid, because a wrong key may be
 * intended as the query.
 */
function withoutUnfinished(findings: readonly Finding[]): readonly Finding[] {
  const isMissing = ({ code, args }: Finding) =>
    code === 'query-or-queries' && 'found' in args && args.found === 'neither';
  const hasOther = findings.some(
    (one) => severityOf(one.code) === 'error' && one.code !== 'unknown-key' && !isMissing(one),
  );
  return hasOther ? findings.filter((one) => !isMissing(one)) : findings;
}

function analyze(
  definition: Definition,
  surroundings: ConfigSurroundings,
  reporter: Reporter,
): AnalyzedDefinition {
  const watched = watchTexts(reporter);
  if (definition.kind === 'stream' && surroundings.options.edition === 3)
    return analyzeStream(definition, surroundings, watched);
  const compiled = compileBefore3(definition, surroundings, watched);
  checkBefore3(definition, compiled, surroundings, watched);
  return { definition, plan: compiled.plan, texts: compiled.texts };
}

function analyzeStream(
  definition: StreamDefinition,
  surroundings: ConfigSurroundings,
  reporter: WatchedReporter,
): AnalyzedDefinition {
  const compiled = compileStream(definition, surroundings, reporter);
  const { plan, texts, usedGlobalCtes: used, inGlobalCtes } = compiled;
  const found = checkStream(definition, compiled, surroundings, reporter);
  return { definition, plan, texts, globalCtes: { used, findings: [...inGlobalCtes, ...found] } };
}
