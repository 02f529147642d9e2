/**
 * Tests conditions of the form `column = constant`, which most filters contain. They are tested without a closure, and the rules of
 * a table are indexed by them: if 100 streams each read a different kind of row of one table, only one rule is tried instead of
 * all.
 */
import { groupBy } from '../../ground/group.ts';
import type { Expression } from '../expression.ts';
import type { SqlValue } from '../values/value.ts';
import { canFail } from './canFail.ts';
import { constantValue } from './expression.ts';
import type { EvaluationRules, Row } from './scope.ts';

export interface ColumnTest {
  readonly column: string;
  readonly value: string | bigint;
}

interface SplitFilter {
  readonly tests: readonly ColumnTest[];
  /** The other conditions. */
  readonly rest: readonly Expression[];
}

/** Returns no tests if a condition can fail, because its failure must be reported even if another condition is false. */
export function splitFilter(filter: readonly Expression[], rules: EvaluationRules): SplitFilter {
  // A trace reports every condition, and the SQLite engine compares differently.
  if (rules.observe !== undefined || rules.sqliteEngine || filter.some(canFail))
    return { tests: [], rest: filter };
  const tests: ColumnTest[] = [];
  const rest: Expression[] = [];
  for (const condition of filter) {
    const test = testOf(condition);
    if (test === undefined) rest.push(condition);
    else tests.push(test);
  }
  return { tests, rest };
}

function testOf(condition: Expression): ColumnTest | undefined {
  if (condition.kind !== 'operation' || condition.op !== '=') return undefined;
  const column = condition.args.find((arg) => arg.kind === 'column')?.name;
  const constant = condition.args.find((arg) => arg.kind === 'constant');
  if (column === undefined || constant === undefined) return undefined;
  const value = constantValue(constant);
  return typeof value === 'string' || typeof value === 'bigint' ? { column, value } : undefined;
}

/** Whether a row passes all tests. A row inherits functions and objects like every plain object, but they equal no constant. */
export function passesAll(row: Row, tests: readonly ColumnTest[]): boolean {
  for (let i = 0; i < tests.length; i += 1) {
    const { column, value } = tests[i] as ColumnTest;
    const found = row[column];
    if (found !== value && (typeof found !== 'number' || comparable(found) !== value)) return false;
  }
  return true;
}

/** Makes INTEGER 1 and REAL 1.0 equal. */
function comparable(value: SqlValue | undefined): SqlValue | undefined {
  return typeof value === 'number' && Number.isInteger(value) ? BigInt(value) : value;
}

/** A rule or lookup that is evaluated for a row if the row passes its tests. */
interface Candidate {
  readonly tests: readonly ColumnTest[];
}

/** The minimum number of values for an index. With fewer values, testing each one is faster. */
const fewestValues = 4;

/** The maximum number of entries in all indexes together, which limits the memory. */
const mostPlaces = 100_000;

/**
 * Returns a function that returns the candidates that a row may pass, in order. They are indexed by the column that is tested for
 * the most values.
 */
export function candidates<T extends Candidate>(all: readonly T[]): (row: Row) => readonly T[] {
  const [column, values] = mostTested(all);
  const valueIn = ({ tests }: Candidate) => tests.find((test) => test.column === column)?.value;
  const others = all.filter((each) => valueIn(each) === undefined);
  if (values.size < fewestValues || values.size * others.length > mostPlaces) return () => all;
  const places = new Map(all.map((each, index) => [each, index]));
  const placeOf = (each: T) => places.get(each) ?? 0;
  const byValue = new Map<SqlValue | undefined, readonly T[]>();
  for (const [value, some] of groupBy(all, valueIn))
    if (value !== undefined)
      byValue.set(
        value,
        [...others, ...some].sort((a, b) => placeOf(a) - placeOf(b)),
      );
  return (row) => byValue.get(comparable(row[column])) ?? others;
}

function mostTested(all: readonly Candidate[]): readonly [string, ReadonlySet<unknown>] {
  const byColumn = groupBy(
    all.flatMap(({ tests }) => tests),
    ({ column }) => column,
  );
  let most: readonly [string, ReadonlySet<unknown>] = ['', new Set()];
  for (const [column, tests] of byColumn) {
    const values = new Set(tests.map(({ value }) => value));
    if (values.size > most[1].size) most = [column, values];
  }
  return most;
}
