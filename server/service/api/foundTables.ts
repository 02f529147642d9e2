/** The tables of the source that a config refers to. */

import { tablesOf } from '../../engine/plan/evaluate/evaluate.ts';
import { matchesTable } from '../../engine/plan/evaluate/patterns.ts';
import type { StreamPlan, TablePattern } from '../../engine/plan/plan.ts';
import type { SyncConfig } from '../deployments/syncConfigs.ts';
import type { MatchedTable, Source } from '../replication/source.ts';
import type { ReplicationError } from './problems.ts';

export interface FoundTable {
  readonly pattern: TablePattern;
  readonly info: TableAnswer;
}

interface TableAnswer {
  readonly schema: string;
  readonly name: string;
  readonly pattern?: string;
  readonly replication_id: readonly string[];
  readonly data_queries: boolean;
  readonly parameter_queries: boolean;
  readonly errors: readonly ReplicationError[];
}

export async function findTables(config: SyncConfig, source: Source): Promise<readonly FoundTable[]> {
  const matched = await source.tables(tablesOf(config.plans));
  return matched.map((match) => ({
    pattern: match.pattern,
    info: toAnswer(match, config.plans, source.tag),
  }));
}

/** Describes tables when the source does not answer: only with facts from the config. Each table has the reason as its error. */
export function unreachableTables(config: SyncConfig, error: ReplicationError): readonly FoundTable[] {
  return tablesOf(config.plans)
    .filter(({ schema, name }) => !schema.wildcard && !name.wildcard)
    .map((pattern) => {
      const { tag, schema, name } = pattern;
      const uses = usesOf(config.plans, { tag, schema: schema.text, name: name.text });
      const info = { schema: schema.text, name: name.text, replication_id: [], ...uses, errors: [error] };
      return { pattern, info };
    });
}

/** Returns the pattern in the notation of the config, for example `todos_%`. */
export function patternText({ name }: TablePattern): string {
  return name.wildcard ? `${name.text}%` : name.text;
}

function toAnswer(
  { pattern, table, problems }: MatchedTable,
  plans: readonly StreamPlan[],
  tag: string,
): TableAnswer {
  const schema = table?.schema ?? pattern.schema.text;
  const name = table?.name ?? pattern.name.text;
  return {
    schema,
    name,
    ...(pattern.name.wildcard && { pattern: patternText(pattern) }),
    replication_id: table?.identity.map((column) => column.name) ?? [],
    ...usesOf(plans, { tag, schema, name }),
    errors: problems,
  };
}

type Uses = Pick<TableAnswer, 'data_queries' | 'parameter_queries'>;

function usesOf(plans: readonly StreamPlan[], table: Parameters<typeof matchesTable>[1]): Uses {
  const isUsed = (patterns: readonly TablePattern[]) => patterns.some((each) => matchesTable(each, table));
  return {
    data_queries: isUsed(plans.flatMap(dataPatterns)),
    parameter_queries: isUsed(plans.flatMap(({ lookups }) => lookups.map((lookup) => lookup.table))),
  };
}

function dataPatterns({ sources }: StreamPlan): readonly TablePattern[] {
  return sources.flatMap(({ rules }) => rules.map(({ table }) => table));
}
