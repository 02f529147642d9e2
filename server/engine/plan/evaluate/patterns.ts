/** Matches tables with the patterns of a plan. Matching is case-sensitive, and a trailing `%` matches any suffix. */
import type { NamePattern, RowRule, TablePattern } from '../plan.ts';
import type { SourceTable } from './scope.ts';

export function matchesTable(pattern: TablePattern, table: SourceTable): boolean {
  return (
    pattern.tag === table.tag &&
    matchesName(pattern.schema, table.schema) &&
    matchesName(pattern.name, table.name)
  );
}

/** Whether rows of the rule can be synced to a table on clients. */
export function canBecome({ outputTable, table }: RowRule, clientTable: string): boolean {
  return outputTable === undefined ? matchesName(table.name, clientTable) : outputTable === clientTable;
}

function matchesName(pattern: NamePattern, name: string): boolean {
  return pattern.wildcard ? name.startsWith(pattern.text) : name === pattern.text;
}

/** Returns the part of the table's name that the wildcard matches; empty without a wildcard. */
export function matchedSuffix(pattern: TablePattern, table: SourceTable): string {
  return pattern.name.wildcard ? table.name.slice(pattern.name.text.length) : '';
}
