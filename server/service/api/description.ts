/** Describes a config for people: its definitions, its tables in the source, and the tables that clients get. */
import type { Config } from '../../engine/index.ts';
import { tablesOf } from '../../engine/plan/evaluate/evaluate.ts';
import type { TablePattern } from '../../engine/plan/plan.ts';
import type { SyncConfig } from '../deployments/syncConfigs.ts';
import { type FoundTable, patternText } from './foundTables.ts';

export function describeConfig(config: SyncConfig, tables: readonly FoundTable[]): Record<string, unknown> {
  const definitions = config.analysis.config?.definitions ?? [];
  return {
    bucket_definitions: definitions.flatMap((definition) =>
      config.options.edition === 3 ? describeStream(definition) : describeBefore3(definition),
    ),
    source_tables: tablesOf(config.plans).map((pattern) => describePattern(pattern, tables)),
    data_tables: dataTablesOf(definitions),
  };
}

type Definition = Config['definitions'][number];

function describeStream({ definition }: Definition): readonly unknown[] {
  return definition.kind === 'stream' ? [`stream ${definition.name}`] : [];
}

function describeBefore3({ definition, plan }: Definition): readonly unknown[] {
  if (definition.kind === 'stream')
    return [{ name: definition.name, type: 'STREAM', ...queriesOf(definition) }];
  if (definition.kind !== 'bucket-definition') return [];
  const ofTables = new Map(plan?.lookups.map(({ at, table }) => [at.text, table]));
  const parameters = (definition.parameters ?? []).map(({ sql }, index) => ({
    sql: sql.text,
    table: ofTables.get(index),
  }));
  return [
    {
      name: definition.name,
      type: 'SYNC_RULE',
      global_parameter_queries: parameters
        .filter(({ table }) => table === undefined)
        .map(({ sql }) => ({ sql })),
      parameter_queries: parameters.flatMap(({ sql, table }) =>
        table ? [{ sql, table: describeTable(table) }] : [],
      ),
      data_queries: definition.data.map(({ sql }) => ({ sql: sql.text })),
    },
  ];
}

function queriesOf({ queries }: Extract<Definition['definition'], { kind: 'stream' }>): {
  data: readonly unknown[];
} {
  return { data: queries.map(({ sql }) => ({ sql: sql.text })) };
}

function describeTable(pattern: TablePattern): Record<string, string> {
  return { tablePattern: patternText(pattern), connectionTag: pattern.tag, schema: pattern.schema.text };
}

function describePattern(pattern: TablePattern, tables: readonly FoundTable[]): Record<string, unknown> {
  const wildcard = pattern.name.wildcard || pattern.schema.wildcard;
  const infos = tables.filter((found) => isEqual(found.pattern, pattern)).map(({ info }) => info);
  return {
    schema: pattern.schema.text,
    pattern: patternText(pattern),
    wildcard,
    ...(wildcard ? { tables: infos } : { table: infos[0] }),
  };
}

function isEqual(one: TablePattern, other: TablePattern): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Returns the tables as clients see them, and the queries that fill them. */
function dataTablesOf(definitions: readonly Definition[]): Record<string, readonly { query: string }[]> {
  const queries = new Map<string, Set<string>>();
  for (const { plan, texts } of definitions) {
    for (const rule of plan?.sources.flatMap(({ rules }) => rules) ?? []) {
      const name = rule.outputTable ?? patternText(rule.table);
      const text = texts[rule.at.text]?.sql.text;
      if (text !== undefined) queries.set(name, (queries.get(name) ?? new Set()).add(text));
    }
  }
  return Object.fromEntries(
    [...queries].map(([name, texts]) => [name, [...texts].map((query) => ({ query }))]),
  );
}
