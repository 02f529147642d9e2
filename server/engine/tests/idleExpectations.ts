/** Finds expectations of no rows that hold with any config, because the test never has a row that the user could get. */
import type { Finding } from '../diagnostics/diagnostics.ts';
import type { Span } from '../text/span.ts';
import type { TestSubject } from './subject.ts';
import { clientTablesNamed, meaningOfTable } from './tableMeaning.ts';
import type { AccessTest, TableExpectation, TestFile, UserExpectation } from './testFile.ts';

/** @param seeded the tables with rows of SQL files */
export function idleExpectations(
  file: TestFile,
  subject: TestSubject,
  seeded: ReadonlySet<string>,
): readonly Finding[] {
  const shared = new Set([...seeded, ...file.rows.map(({ table }) => table.value)]);
  return file.tests.flatMap((test) => {
    // A test may expect none before it adds the first row, or after it has deleted the last one.
    const filled = [...shared, ...tablesAdded(test)];
    const isFilled = (clientTable: string) => filled.some((table) => subject.feeds(table, clientTable));
    return test.steps.flatMap((step) =>
      step.kind === 'expect'
        ? step.expectation.users.flatMap((expected) => idleIn(expected, { filled, isFilled, subject }))
        : [],
    );
  });
}

function tablesAdded({ steps }: AccessTest): readonly string[] {
  return steps.flatMap((step) => (step.kind === 'insert' ? step.rows.map(({ table }) => table.value) : []));
}

interface TestTables {
  readonly subject: TestSubject;
  /** The source tables that have rows at some step. */
  readonly filled: readonly string[];
  readonly isFilled: (clientTable: string) => boolean;
}

function idleIn(
  { user: { value: user, span }, tables }: UserExpectation,
  { subject, filled, isFilled }: TestTables,
): readonly Finding[] {
  const finding = (at: Span, table?: string): Finding => ({
    code: 'test-no-rows',
    span: at,
    args: { user, ...(table !== undefined && { table }) },
  });
  if (tables === 'nothing') return filled.length > 0 ? [] : [finding(span)];
  return tables
    .filter(isOfNone)
    .map(({ table }) => table)
    .filter(
      ({ value }) =>
        meaningOfTable(value, subject).kind !== 'unknown' &&
        !clientTablesNamed(value, subject).some(isFilled),
    )
    .map((table) => finding(table.span, table.value));
}

function isOfNone({ rows }: TableExpectation): boolean {
  return rows?.kind === 'none' || (rows?.kind === 'exactly' && rows.ids.length === 0);
}
