/** Finds the columns of a table that conditions read. They are cached for each subject, because a search asks for every database. */
import { oncePer } from '../ground/oncePer.ts';
import { matchesTable } from '../plan/evaluate/patterns.ts';
import type { SourceTable } from '../plan/evaluate/scope.ts';
import { columnsIn } from '../plan/expression.ts';
import type { StreamPlan } from '../plan/plan.ts';
import { rowRulesOf } from '../plan/rowRules.ts';
import type { TestSubject } from './subject.ts';

const tablesOf = oncePer((_: TestSubject) => new Map<string, ReadonlySet<string>>());

/** Returns the columns of a table on which the rows of clients depend. */
export function decidingColumns(name: string, subject: TestSubject): ReadonlySet<string> {
  const tables = tablesOf(subject);
  const columns = tables.get(name) ?? decidingColumnsIn(subject.plans, subject.tableNamed(name));
  tables.set(name, columns);
  return columns;
}

/** Returns the columns of a table that decide where its rows go, in addition to those that are only synced. */
export function decidingColumnsIn(plans: readonly StreamPlan[], table: SourceTable): ReadonlySet<string> {
  const parts = [
    ...rowRulesOf(plans).map((rule) => ({ ...rule, values: rule.keys })),
    ...plans.flatMap(({ lookups }) =>
      lookups.map((lookup) => ({ ...lookup, values: [...lookup.inputs, ...lookup.outputs] })),
    ),
  ];
  return new Set(
    parts
      .filter((part) => matchesTable(part.table, table))
      .flatMap(({ filter, values, expansions }) => [
        ...filter,
        ...values,
        ...expansions.flatMap(({ args }) => args),
      ])
      .flatMap(columnsIn),
  );
}
