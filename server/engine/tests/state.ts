/** The rows of a test from step to step. Most tests only add rows to the shared ones, which are indexed only once. */
import { type RowIndex, type TestedRow, toRowIndex } from './rowIndex.ts';
import type { TestSubject } from './subject.ts';
import type { DeletedRow, TestRow, TestStep, WithPlace } from './testFile.ts';

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

/** Returns the state after a step, and the rows of the step that do not exist. */
export function applyStep(
  state: TestState,
  step: Change,
  subject: TestSubject,
): { readonly state: TestState; readonly missing: readonly WithPlace[] } {
  switch (step.kind) {
    case 'insert': {
      const own = [...state.own, ...step.rows.map(storedRow)];
      return { state: { ...state, own, database: toRowIndex(own, subject, state.shared) }, missing: [] };
    }
    case 'delete':
      return rebuild(
        state,
        subject,
        step.rows,
        (row) => keyOf(row),
        () => undefined,
      );
    case 'update':
      return rebuild(state, subject, step.rows, keyOfWritten, (row, old) => ({
        ...old,
        values: { ...old.values, ...withoutNewId(row.values, old.values) },
      }));
  }
}

export function storedRow({ table, id, values }: TestRow): TestedRow {
  return { table: table.value, id, values };
}

function rebuild<T extends TestRow | DeletedRow>(
  { database }: TestState,
  subject: TestSubject,
  named: readonly T[],
  key: (row: T) => string,
  change: (row: T, old: TestedRow) => TestedRow | undefined,
): { readonly state: TestState; readonly missing: readonly WithPlace[] } {
  const byKey = new Map(named.map((row) => [key(row), row]));
  const found = new Set<string>();
  const rows = database.rows.flatMap((old) => {
    const text = keysOf(old, subject).find((each) => byKey.has(each));
    const row = text === undefined ? undefined : byKey.get(text);
    if (text === undefined || row === undefined) return [old];
    found.add(text);
    return change(row, old) ?? [];
  });
  const shared = toRowIndex(rows, subject);
  return {
    state: { shared, own: [], database: shared },
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
