/**
 * A map of the tables, the streams that read them, and the users who get the buckets of each stream. The source schema is optional;
 * with it, the map contains more details.
 */
import type { PlacedDefinition } from '../file/definitions.ts';
import type { Config } from '../file/sync.ts';
import type { Catalog } from '../model/catalog.ts';
import { type Span, shift } from '../text/span.ts';
import type { Audience } from './audiences.ts';
import { factsOf, type MapRead, readsByTable, type StreamFacts, type TableName } from './facts.ts';
import { type ConfigMark, marksOfStream, marksOfTable } from './marks.ts';
import { describeStream, describeTable, summariseStream } from './sentences.ts';

export interface ConfigMap {
  /** The tables in the order of the file, followed by the tables that no stream reads. */
  readonly tables: readonly MapTable[];
  readonly streams: readonly MapStream[];
  readonly audiences: readonly Audience[];
}

interface MapTable extends TableName {
  readonly sentence: string;
  readonly marks: readonly ConfigMark[];
}

interface MapStream {
  readonly name: string;
  readonly kind: 'stream' | 'bucket definition';
  /** Whether clients get the stream without subscribing. */
  readonly isDefault: boolean;
  /** The span of the stream's name in the file. */
  readonly at: Span;
  /** The users who get the stream, and whether they have to subscribe. */
  readonly summary: string;
  /** The summary, followed by details. */
  readonly sentence: string;
  readonly tables: readonly MapRead[];
  /** The ids of the stream's audiences. */
  readonly audiences: readonly string[];
  readonly marks: readonly ConfigMark[];
}

/** Returns the map of a config. Streams whose name is already taken are left out, because the config has an error there. */
export function syncMapOf(config: Config, catalog: Catalog | undefined): ConfigMap {
  const byName = new Map<string, PlacedDefinition>();
  for (const placed of config.definitions)
    if (placed.definition.kind !== 'event' && !byName.has(placed.definition.name))
      byName.set(placed.definition.name, placed);
  const facts = [...byName.values()].map((placed) => factsOf(placed, catalog));
  const tables = readsByTable(facts, catalog, config.surroundings.defaultSchema);
  const marks = new Map(tables.map((each) => [each.table.id, marksOfTable(each, catalog)]));
  const audiences = facts.flatMap(({ ways }) => ways.map(({ audience }) => audience));
  return {
    tables: tables.map(({ table, reads }) => ({
      ...table,
      sentence: describeTable(reads),
      marks: marks.get(table.id) ?? [],
    })),
    streams: facts.map((stream) => toStream(stream, marks)),
    audiences: [...new Map(audiences.map((audience) => [audience.id, audience])).values()],
  };
}

function toStream(facts: StreamFacts, marks: ReadonlyMap<string, readonly ConfigMark[]>): MapStream {
  const { placed, ways, reads } = facts;
  const { definition, part } = placed;
  const uses = new Map(reads.map(({ table, use }) => [JSON.stringify([table, use]), { table, use }]));
  return {
    name: definition.name,
    kind: definition.kind === 'stream' ? 'stream' : 'bucket definition',
    isDefault: definition.kind === 'stream' ? definition.autoSubscribe : true,
    at: shift(definition.nameSpan, part.base),
    summary: summariseStream(placed, ways),
    sentence: describeStream(placed, ways),
    tables: [...uses.values()],
    audiences: [...new Set(ways.map(({ audience }) => audience.id))],
    marks: marksOfStream(facts, marks),
  };
}
