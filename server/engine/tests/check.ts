/** Checks the names in an access test file against the config under test and the known tables. */
import type { Args, Code, Finding } from '../diagnostics/diagnostics.ts';
import type { Catalog, CatalogTable } from '../model/catalog.ts';
import { unlistedValueIn } from '../model/listedValues.ts';
import { canBecome, matchesTable } from '../plan/evaluate/patterns.ts';
import type { RowRule, StreamPlan } from '../plan/plan.ts';
import { requestExpressionsOf, requestReadsIn } from '../plan/requestReads.ts';
import { rowRulesOf } from '../plan/rowRules.ts';
import { nearest } from '../text/nearest.ts';
import type { Span } from '../text/span.ts';
import { functionNames, unknownFunctionIn } from './claimFunctions.ts';
import { catalogTable, type TestSubject } from './subject.ts';
import { meaningOfTable } from './tableMeaning.ts';
import type { AccessTest, DeletedRow, TestExpectation, TestFile, TestRow, WithPlace } from './testFile.ts';

export function checkTests(file: TestFile, subject: TestSubject, catalog: Catalog | undefined): Finding[] {
  const findings: Finding[] = [];
  const report = <C extends Code>(code: C, span: Span, args: Args<C>): void => {
    findings.push({ code, span, args: args as object });
  };
  const unknown = (kind: NamedKind, { value: name, span }: WithPlace, names: Iterable<string>): void => {
    report('test-unknown-name', span, { ...kind, name, near: nearest(name, names) });
  };
  const users = new Set(file.users.map(({ name }) => name.value));
  const rules = rowRulesOf(subject.plans);
  const synced = clientTablesOf(rules);
  // A database that has run SQL files has created entire rows, so all columns are known.
  const doubtful = file.seeds.length > 0 ? [] : rules.filter((rule) => givesUnknownColumns(rule, catalog));
  const checkSynced = (table: WithPlace): void => {
    // The name may also be that of a source table, even if a query gives the table another name.
    if (synced.has(table.value) || meaningOfTable(table.value, subject).kind !== 'unknown') return;
    if (catalog !== undefined && !catalog.open && catalogTable(table.value, subject, catalog) === undefined)
      unknown({ what: 'table' }, table, [...synced.names, ...catalog.tables.map(({ name }) => name)]);
    else report('test-never-synced', table.span, { table: table.value });
  };
  const checkRow = (row: TestRow): void => {
    const table = checkRowNames(row, subject, catalog, unknown);
    for (const { value: name, ofValue } of row.columns) {
      const column = table?.columns.get(name);
      const value = row.values[name];
      const unlisted = column && typeof value === 'string' && unlistedValueIn(column, name, value);
      if (unlisted) report('unlisted-value', ofValue, unlisted);
    }
  };

  const shared = new Set<string>();
  checkRows(file.rows, shared, noRows);
  for (const row of file.rows) checkRow(row);
  for (const test of file.tests) checkTest(test);
  for (const { table, holds } of file.always) {
    checkSynced(table);
    const name = unknownFunctionIn(holds.value);
    if (name !== undefined) unknown({ what: 'function' }, { value: name, span: holds.span }, functionNames);
  }
  const used = new Set(
    file.tests.flatMap(expectationsOf).flatMap(({ users: named }) => named.map(({ user }) => user.value)),
  );
  if (file.tests.length > 0)
    for (const { name } of file.users)
      if (!used.has(name.value)) report('test-unused-user', name.span, { name: name.value });
  return findings;

  function checkTest(test: AccessTest): void {
    const added = new Set<string>();
    const deleted = new Set<string>();
    for (const { stream, names } of test.subscriptions) {
      const plan = subject.plans.find(({ name }) => name === stream.value);
      if (plan === undefined) {
        const streams = subject.config.definitions.map(({ definition }) => definition.name);
        if (!streams.includes(stream.value)) unknown({ what: 'stream' }, stream, streams);
        continue;
      }
      const parameters = parametersOf(plan);
      if (parameters === 'any') continue;
      for (const name of names)
        if (!parameters.has(name.value)) unknown({ what: 'subscription parameter' }, name, parameters);
    }
    for (const step of test.steps)
      switch (step.kind) {
        case 'insert':
          checkRows(step.rows, added, { has: (key) => shared.has(key) && !deleted.has(key) });
          for (const row of step.rows) checkRow(row);
          break;
        case 'update':
          // The id only identifies a row, under the name that clients have for it.
          for (const row of step.rows)
            checkRow({ ...row, columns: row.columns.filter(({ value }) => value !== 'id') });
          break;
        case 'delete':
          for (const row of step.rows) {
            added.delete(keyOf(row));
            deleted.add(keyOf(row));
          }
          break;
        case 'expect':
          checkExpectation(step.expectation);
      }
  }

  /** Adds rows to the known ones. Others may exist in addition. */
  function checkRows(
    rows: readonly TestRow[],
    known: Set<string>,
    besides: Pick<ReadonlySet<string>, 'has'>,
  ): void {
    for (const row of rows) {
      const key = keyOf(row);
      if (row.id === '') continue;
      if (known.has(key) || besides.has(key))
        report('test-duplicate-name', row.span, { what: 'row', of: row.table.value, name: row.id });
      known.add(key);
    }
  }

  function checkExpectation(expectation: TestExpectation): void {
    for (const { user, tables } of expectation.users) {
      if (!users.has(user.value)) unknown({ what: 'user' }, user, users);
      if (tables === 'nothing') continue;
      for (const { table, columns } of tables) {
        checkSynced(table);
        if (columns === undefined) continue;
        const doubted = doubtful.find((rule) => canBecome(rule, table.value));
        if (doubted === undefined) continue;
        const { wildcard, text } = doubted.table.name;
        report('test-unknown-columns', columns.span, { table: wildcard ? `${text}%` : text });
      }
    }
  }
}

/** The kind of thing that a name names. `of` is the table that has it. */
interface NamedKind {
  readonly what: string;
  readonly of?: string;
}

const noRows: ReadonlySet<string> = new Set();

function expectationsOf({ steps }: AccessTest): readonly TestExpectation[] {
  return steps.flatMap((step) => (step.kind === 'expect' ? [step.expectation] : []));
}

function keyOf(row: TestRow | DeletedRow): string {
  return JSON.stringify([row.table.value, typeof row.id === 'string' ? row.id : row.id.value]);
}

/**
 * Checks the names in a row of a test. Without a catalog, any table may exist.
 *
 * @returns the table of the row, if it is known
 */
function checkRowNames(
  { table, columns }: TestRow,
  subject: TestSubject,
  catalog: Catalog | undefined,
  unknown: (kind: NamedKind, name: WithPlace, names: Iterable<string>) => void,
): CatalogTable | undefined {
  if (catalog === undefined) return undefined;
  const found = catalogTable(table.value, subject, catalog);
  if (catalog.open) return found;
  if (found === undefined) {
    unknown(
      { what: 'table' },
      table,
      catalog.tables.map(({ name }) => name),
    );
    return undefined;
  }
  if (!found.open)
    for (const column of columns)
      if (!found.columns.has(column.value))
        unknown({ what: 'column', of: table.value }, column, found.columns.keys());
  return found;
}

/** Whether a rule gives all columns of a table whose columns are unknown. */
function givesUnknownColumns({ columns, table }: RowRule, catalog: Catalog | undefined): boolean {
  return (
    columns.some(({ kind }) => kind === 'star') &&
    (catalog === undefined ||
      catalog.open === true ||
      catalog.tables.some((each) => each.open && matchesTable(table, each)))
  );
}

/** Returns the tables that clients can have. `names` does not include tables that only a wildcard names. */
function clientTablesOf(rules: readonly RowRule[]): {
  readonly names: ReadonlySet<string>;
  readonly has: (name: string) => boolean;
} {
  const names = rules.flatMap(
    ({ outputTable, table }) => outputTable ?? (table.name.wildcard ? [] : table.name.text),
  );
  return { names: new Set(names), has: (name) => rules.some((rule) => canBecome(rule, name)) };
}

/** Returns the subscription parameters that a stream reads. */
function parametersOf(plan: StreamPlan): ReadonlySet<string> | 'any' {
  const reads = requestExpressionsOf(plan)
    .flatMap(requestReadsIn)
    .filter(({ part }) => part === 'subscription');
  return reads.some(({ path }) => path.length === 0)
    ? 'any'
    : new Set(reads.map(({ path: [name = ''] }) => name));
}
