/** The rows of a test from step to step. Most tests only add rows to the shared ones, which are indexed only once. */
import type { SourceValue } from '../plan/values/source.ts';
import type { Span } from '../text/span.ts';
import { type RowIndex, type TestedRow, toRowIndex } from './rowIndex.ts';
import type { TestSubject } from './subject.ts';
import type { DeletedRow, TableReference, TestRow, TestStep, WithPlace } from './testFile.ts';

interface TestState {
  readonly shared: RowIndex;
  /** The test's own rows. Absent: the shared rows are unchanged. */
  readonly own: readonly TestedRow[];
  readonly database: RowIndex;
}

export function startState(shared: RowIndex): TestState {
  return { shared, own: [], database: shared };
}

type Change = Exclude<TestStep, { kind: 'expect' }>;

interface StepProblem {
  readonly span: Span;
  readonly message: string;
}

/** Returns the state after a step, and the reasons why the source would refuse parts of the step. */
export function applyStep(
  state: TestState,
  step: Change,
  subject: TestSubject,
): { readonly state: TestState; readonly problems: readonly StepProblem[] } {
  switch (step.kind) {
    case 'insert': {
      const own = [...state.own, ...step.rows.map(storedRow)];
      return { state: { ...state, own, database: toRowIndex(own, subject, state.shared) }, problems: [] };
    }
    case 'delete': {
      const changed = changeRows(state, subject, step.rows, keyOf, () => undefined);
      const { rows, refused } = afterDeletion(state.database.rows, changed.rows, step.references ?? []);
      const [first] = step.rows;
      const problems = refused.map((message) => ({ span: first?.id.span ?? { start: 0, end: 0 }, message }));
      return {
        // The source would refuse the entire step, so the later steps start with the same rows.
        state: refused.length > 0 ? state : stateOf(rows, subject),
        problems: [...missingRows(changed.missing, step), ...problems],
      };
    }
    case 'update': {
      const { rows, missing } = changeRows(state, subject, step.rows, keyOfWritten, (row, old) => ({
        ...old,
        values: { ...old.values, ...withoutNewId(row.values, old.values) },
      }));
      return { state: stateOf(rows, subject), problems: missingRows(missing, step) };
    }
  }
}

export function storedRow({ table, id, values }: TestRow): TestedRow {
  return { table: table.value, id, values };
}

function missingRows(missing: readonly WithPlace[], { kind }: Change): readonly StepProblem[] {
  return missing.map(({ value, span }) => ({ span, message: `There is no row ${value} to ${kind} here.` }));
}

function stateOf(rows: readonly TestedRow[], subject: TestSubject): TestState {
  const shared = toRowIndex(rows, subject);
  return { shared, own: [], database: shared };
}

/** Deletes or changes the rows that refer to deleted rows, as the foreign keys of the source demand. */
function afterDeletion(
  before: readonly TestedRow[],
  after: readonly TestedRow[],
  references: readonly TableReference[],
): { readonly rows: readonly TestedRow[]; readonly refused: readonly string[] } {
  const refused: string[] = [];
  let rows = after;
  let deleted = before.filter((row) => !after.includes(row));
  while (deleted.length > 0) {
    const parents = deleted;
    const referencesFrom = (row: TestedRow): readonly TableReference[] =>
      references.filter(
        ({ table, columns, parent, parentColumns }) =>
          table === row.table &&
          parents.some(
            (gone) =>
              gone.table === parent &&
              columns.every((column, at) =>
                isEqual(gone.values[parentColumns[at] ?? ''], row.values[column]),
              ),
          ),
      );
    deleted = rows.filter((row) => referencesFrom(row).some(({ onDelete }) => onDelete === 'cascade'));
    const gone = new Set(deleted);
    rows = rows.flatMap((row) => {
      if (gone.has(row)) return [];
      const own = referencesFrom(row);
      if (own.some(({ onDelete }) => onDelete === 'refuse'))
        refused.push(
          `The source would refuse this deletion, because ${row.table} ${row.id} refers to the row. So this step deletes nothing.`,
        );
      const changed = own.flatMap(({ columns, onDelete, fallbacks }) =>
        onDelete === 'refuse'
          ? []
          : columns.map(
              (column, at) => [column, onDelete === 'set null' ? null : (fallbacks[at] ?? null)] as const,
            ),
      );
      return changed.length === 0
        ? [row]
        : [{ ...row, values: { ...row.values, ...Object.fromEntries(changed) } }];
    });
  }
  return { rows, refused };
}

function isEqual(one: SourceValue | undefined, other: SourceValue | undefined): boolean {
  return one !== null && one !== undefined && one === other;
}

function changeRows<T extends TestRow | DeletedRow>(
  { database }: TestState,
  subject: TestSubject,
  named: readonly T[],
  key: (row: T) => string,
  change: (row: T, old: TestedRow) => TestedRow | undefined,
): { readonly rows: readonly TestedRow[]; readonly missing: readonly WithPlace[] } {
  const byKey = new Map(named.map((row) => [key(row), row]));
  const found = new Set<string>();
  const rows = database.rows.flatMap((old) => {
    const text = keysOf(old, subject).find((each) => byKey.has(each));
    const row = text === undefined ? undefined : byKey.get(text);
    if (text === undefined || row === undefined) return [old];
    found.add(text);
    return change(row, old) ?? [];
  });
  return {
    rows,
    missing: named.filter((row) => !found.has(key(row))).map(placeOf),
  };
}

/** Returns the keys of a row: the `id` in the test, and the ids under which clients know the row. */
function keysOf({ table, id, values }: TestedRow, subject: TestSubject): readonly string[] {
  const { name } = subject.tableNamed(table);
  return [id, ...subject.idsOf(table, values, name)].map((each) => textOfKey(table, each));
}

/** Removes an `id` that only identifies the row. */
function withoutNewId(values: TestRow['values'], old: TestRow['values']): TestRow['values'] {
  if ('id' in old) return values;
  const { id: _, ...others } = values;
  return others;
}

function keyOf({ table, id }: DeletedRow): string {
  return textOfKey(table.value, id.value);
}

function keyOfWritten({ table, id }: TestRow): string {
  return textOfKey(table.value, id);
}

function textOfKey(table: string, id: string): string {
  return JSON.stringify([table, id]);
}

function placeOf(row: TestRow | DeletedRow): WithPlace {
  return 'values' in row ? { value: row.id, span: row.span } : row.id;
}
