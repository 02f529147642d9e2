/** Searches for a row that reaches a device although a claim does not hold for it. */
import type { Catalog } from '../../model/catalog.ts';
import type { Row } from '../../plan/evaluate/scope.ts';
import { toSqlRow } from '../../plan/values/source.ts';
import { type Asking, deviceOf } from '../device.ts';
import type { FailureReason } from '../outcomes.ts';
import { whyPresent } from '../reasons.ts';
import { toRowIndex } from '../rowIndex.ts';
import { type TestSubject, toTestSubject } from '../subject.ts';
import type { AlwaysClaim } from '../testFile.ts';
import { type SearchCandidate, spaceOf } from './candidates.ts';
import { type ClaimReading, readClaim } from './claim.ts';
import { type Classes, classifyPlan, openClasses } from './classes.ts';
import { reachesDevice, smallestWitness } from './reaching.ts';
import { type InTurns, type SearchLimits, searchSpaces } from './search.ts';
import { type Sketch, sketchesOf, withRows } from './sketches.ts';
import { valuesOfCells } from './values.ts';

/** A question to SQLite. */
export interface ClaimQuestion {
  /** The claim, with the functions of `claimFunctions` for the values of the user. */
  readonly sql: string;
  /** As the claim calls it. */
  readonly table: string;
  /** The first is the one that it is about. */
  readonly rows: readonly { readonly table: string; readonly values: Row }[];
  readonly asking: Asking;
  /** By table, the columns that are known besides those of the rows. */
  readonly columns: ReadonlyMap<string, ReadonlySet<string>>;
}

/** A reason is why SQLite cannot read it. */
export type ClaimAnswer = 'holds' | 'does not hold' | { readonly reason: string };
export type ClaimJudge = (question: ClaimQuestion) => ClaimAnswer;

export type ClaimSearch =
  | { readonly kind: 'counterexample'; readonly candidate: SearchCandidate; readonly stream: string }
  | {
      readonly kind: 'none found';
      readonly tried: number;
      /** All that can matter over the values that were tried. */
      readonly isExhausted: boolean;
      /** The most that one of the databases had. */
      readonly rows: number;
    }
  | { readonly kind: 'unreadable'; readonly reason: string };

/** Each choice of adverse rows is tried while there are few. */
const mostChoices = 4;

export function* searchClaim(
  claim: AlwaysClaim,
  subject: TestSubject,
  catalog: Catalog | undefined,
  judge: ClaimJudge,
  limits: SearchLimits,
): InTurns<ClaimSearch> {
  const { defaultSchema } = subject.config.surroundings;
  const table = claim.table.value;
  let tried = 0;
  let mostRows = 0;
  let isExhausted = true;
  for (const plan of subject.plans) {
    const only = toTestSubject(subject.config, [plan]);
    const classes = openClasses();
    classifyPlan(plan, defaultSchema, classes);
    const base = sketchesOf(plan, defaultSchema, classes).some(
      ({ rows: [main] }) => main && only.feeds(main.table, table),
    );
    if (!base) continue;
    const reading = readClaimOf(claim, classes, subject, catalog);
    const columns = columnsByTable(classes, catalog, subject, reading.tables);
    const values = valuesOfCells(classes, catalog, defaultSchema);
    const sketches = sketchesOf(plan, defaultSchema, classes)
      .filter(({ rows: [main] }) => main && only.feeds(main.table, table))
      .flatMap((sketch) => withAdverseRows(sketch, reading, classes));
    mostRows = Math.max(mostRows, ...sketches.map(({ rows }) => rows.length));
    let unreadable: string | undefined;
    const fails = (candidate: SearchCandidate): boolean => {
      if (!reachesDevice(candidate, only)) return false;
      const answer = judge(questionOf(candidate, claim, reading, columns, subject));
      if (typeof answer === 'object') unreadable = answer.reason;
      return answer !== 'holds';
    };
    const result = yield* searchSpaces(
      sketches.map((sketch) => spaceOf(sketch, values)),
      (candidate) => (fails(candidate) ? candidate : undefined),
      limits,
    );
    if (unreadable !== undefined) return { kind: 'unreadable', reason: unreadable };
    if (result.found !== undefined) {
      const candidate = smallestWitness(result.found, fails, table, only);
      return { kind: 'counterexample', candidate, stream: plan.name };
    }
    tried += result.tried;
    isExhausted &&= result.isExhausted && reading.isBounded;
  }
  return { kind: 'none found', tried, isExhausted, rows: mostRows };
}

/** Through which queries the row of a counterexample goes. */
export function explainCandidate(
  { rows, main, asking }: SearchCandidate,
  clientTable: string,
  subject: TestSubject,
): readonly FailureReason[] {
  const database = toRowIndex(rows, subject);
  const device = deviceOf(subject, database, asking);
  return whyPresent(clientTable, main.id, { subject, asking, database, device });
}

export function questionOf(
  { rows, main, asking }: SearchCandidate,
  claim: AlwaysClaim,
  { sql }: ClaimReading,
  columns: ClaimQuestion['columns'],
  { config }: TestSubject,
): ClaimQuestion {
  const { options } = config.surroundings;
  const all = [main, ...rows.filter((row) => row !== main)];
  return {
    sql,
    table: claim.table.value,
    rows: all.map(({ table, values }) => ({ table, values: toSqlRow(values, options) })),
    asking,
    columns,
  };
}

/** Also for the rows of tests. */
export function readClaimOf(
  { table, holds }: AlwaysClaim,
  classes: Classes,
  subject: TestSubject,
  catalog: Catalog | undefined,
): ClaimReading {
  const known = columnsByTable(classes, catalog, subject);
  const isClosed = (name: string): boolean =>
    catalog?.tables.some((each) => each.name === name && !each.open) === true;
  return readClaim(table.value, holds.value, classes, (of, column) => {
    if (known.get(of)?.has(column)) return 'yes';
    return isClosed(of) ? 'no' : 'maybe';
  });
}

export function columnsByTable(
  classes: Classes,
  catalog: Catalog | undefined,
  subject: TestSubject,
  tables: readonly string[] = [],
): ReadonlyMap<string, ReadonlySet<string>> {
  const columns = new Map(tables.map((table) => [table, new Set(['id'])]));
  const add = (table: string, column: string): void => {
    const known = columns.get(table) ?? new Set(['id']);
    columns.set(table, known.add(column));
  };
  for (const { of, path } of classes.cells())
    if ('table' in of && path[0] !== undefined) add(of.table, path[0]);
  for (const { schema, name, columns: known } of catalog?.tables ?? [])
    if (schema === subject.config.surroundings.defaultSchema)
      for (const column of known.keys()) add(name, column);
  return columns;
}

/** By table, the columns that the config reads. */
export function sourceColumns(subject: TestSubject): ReadonlyMap<string, ReadonlySet<string>> {
  const classes = openClasses();
  for (const plan of subject.plans) classifyPlan(plan, subject.config.surroundings.defaultSchema, classes);
  return columnsByTable(classes, undefined, subject);
}

function withAdverseRows(sketch: Sketch, { adverse }: ClaimReading, classes: Classes): readonly Sketch[] {
  if (adverse.length > mostChoices) return [sketch, withRows(sketch, adverse, classes)];
  const choices = Array.from({ length: 2 ** adverse.length }, (_, choice) =>
    adverse.filter((_table, index) => choice & (1 << index)),
  );
  return choices.map((tables) => (tables.length === 0 ? sketch : withRows(sketch, tables, classes)));
}
