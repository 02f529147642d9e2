/** Searches for a row that reaches a device although a claim does not hold for it. */
import type { Catalog, CatalogTable } from '../../model/catalog.ts';
import type { Row } from '../../plan/evaluate/scope.ts';
import { type SourceRow, toSqlRow } from '../../plan/values/source.ts';
import { type Asking, deviceOf } from '../device.ts';
import type { FailureReason } from '../outcomes.ts';
import { whyPresent } from '../reasons.ts';
import { toRowIndex } from '../rowIndex.ts';
import { isBooleanColumn } from '../stored/storedValue.ts';
import { catalogTable, nameInTests, type TestSubject, toTestSubject } from '../subject.ts';
import { ambiguityText, isMeant, meaningOfTable, namesIn } from '../tableMeaning.ts';
import type { AlwaysClaim } from '../testFile.ts';
import { isPossible } from './asStored.ts';
import { type SearchCandidate, spaceOf } from './candidates.ts';
import type { Cell } from './cells.ts';
import { type ClaimReading, readClaim } from './claim.ts';
import { type Classes, classifyPlan, openClasses, type TableNaming } from './classes.ts';
import { type ModelLimit, readLimits } from './model.ts';
import { withParents } from './parents.ts';
import { reachesDevice, smallestWitness } from './reaching.ts';
import { type InTurns, type SearchLimits, searchSpaces } from './search.ts';
import { type Sketch, sketchesOf, withRows } from './sketches.ts';
import { columnReader, valuesOfCells } from './values.ts';

/** A question to SQLite about a claim. */
export interface ClaimQuestion {
  /** The SQL of the claim, with the functions of `claimFunctions` for the user's values. */
  readonly sql: string;
  /** The name of the table in the claim. */
  readonly table: string;
  /** The rows of the database. The first one is the row that is judged. */
  readonly rows: readonly { readonly table: string; readonly values: Row }[];
  readonly asking: Asking;
  /** The known columns by table, in addition to those of the rows. */
  readonly columns: ReadonlyMap<string, ReadonlySet<string>>;
}

/** The answer of SQLite, or the reason why it cannot run the claim. */
export type ClaimAnswer = 'holds' | 'does not hold' | { readonly reason: string };
export type ClaimJudge = (question: ClaimQuestion) => ClaimAnswer;

export type ClaimSearch =
  | {
      readonly kind: 'counterexample';
      readonly candidate: SearchCandidate;
      readonly stream: string;
      readonly clientTable: string;
    }
  | SearchedClaim
  | { readonly kind: 'unreadable'; readonly reason: string };

/** The result of a search without a counterexample. */
export interface SearchedClaim {
  /** The verdict. Only *proven* is valid for every database. */
  readonly kind: 'proven' | 'not refuted';
  readonly tried: number;
  /** The number of tried databases in which a row of the table reached a device. */
  readonly delivered: number;
  /** The number of rows in the largest database. */
  readonly rows: number;
  /** The reasons why the result is not a proof. Empty for a proven claim. */
  readonly limits: readonly ModelLimit[];
}

/** The maximum number of tables with adverse rows for which every combination is tried. */
const mostChoices = 4;

export function* searchClaim(
  claim: AlwaysClaim,
  subject: TestSubject,
  catalog: Catalog | undefined,
  judge: ClaimJudge,
  limits: SearchLimits,
): InTurns<ClaimSearch> {
  const { defaultSchema, options } = subject.config.surroundings;
  const table = claim.table.value;
  const meaning = meaningOfTable(table, subject);
  if (meaning.kind === 'ambiguous') return { kind: 'unreadable', reason: ambiguityText(table, meaning) };
  const naming: TableNaming = { defaultSchema, names: namesIn(subject, [table]) };
  const columnOf = columnReader(catalog, defaultSchema);
  const isBoolean = (cell: Cell): boolean => isBooleanColumn(columnOf(cell));
  const met = new Set<ModelLimit>();
  let tried = 0;
  let delivered = 0;
  let mostRows = 0;
  for (const plan of subject.plans) {
    const only = toTestSubject(subject.config, [plan]);
    const planClasses = openClasses();
    classifyPlan(plan, naming, planClasses);
    const meant = sketchesOf(plan, naming, planClasses).filter(({ rows: [main], clientTable }) =>
      isMeant({ source: main?.table, clientTable }, table, meaning),
    );
    for (const { source, clientTable } of rowsOf(meant)) {
      const classes = openClasses();
      classifyPlan(plan, naming, classes);
      const reading = readClaimOf(claim, classes, { subject, catalog, source });
      for (const limit of reading.limits) met.add(limit);
      readLimits(plan, naming, { classes, limits: met, lists: new Map(), isBoolean, options });
      if (reading.adverse.length > mostChoices) met.add('size');
      const columns = columnsByTable(classes, catalog, subject, reading.tables);
      const sketches = sketchesOf(plan, naming, classes)
        .filter((sketch) => sketch.rows[0]?.table === source && sketch.clientTable === clientTable)
        .flatMap((sketch) => withAdverseRows(sketch, reading, classes));
      const values = valuesOfCells(classes, columnOf, sketches);
      mostRows = Math.max(mostRows, ...sketches.map(({ rows }) => rows.length));
      let unreadable: string | undefined;
      let isReadable = false;
      const breaks = (candidate: SearchCandidate): boolean => {
        if (!reachesDevice(candidate, only, clientTable)) return false;
        const answer = judge(questionOf(candidate, claim, reading, columns, subject));
        if (typeof answer === 'object') unreadable = answer.reason;
        else isReadable = true;
        return answer === 'does not hold';
      };
      const fails = (candidate: SearchCandidate): boolean => {
        const whole = withParents(candidate, catalog, subject);
        if (breaks(whole)) return isPossible(whole, breaks, { subject, catalog, limits: met });
        if (whole !== candidate && breaks(candidate)) met.add('references');
        return false;
      };
      const unreached = new Set(sketches.map(({ route }) => route));
      const result = yield* searchSpaces(
        sketches.map((sketch) => spaceOf(sketch, values)),
        (candidate, { route }) => {
          const isBroken = fails(candidate);
          if (isBroken || reachesDevice(candidate, only, clientTable)) {
            delivered += 1;
            unreached.delete(route);
          }
          return isBroken ? candidate : undefined;
        },
        limits,
      );
      if (unreadable !== undefined && !isReadable) return { kind: 'unreadable', reason: unreadable };
      // SQLite could not read some of the values, such as a text that is not JSON. A column may not have them.
      if (unreadable !== undefined) met.add('types');
      if (result.found !== undefined) {
        const smallest = smallestWitness(result.found, fails, clientTable, { subject: only, catalog });
        return {
          kind: 'counterexample',
          candidate: withParents(smallest, catalog, subject),
          stream: plan.name,
          clientTable,
        };
      }
      tried += result.tried;
      for (const limit of values.limits) met.add(limit);
      if (!result.isExhausted) met.add('time');
      else if (unreached.size > 0) met.add('unreached');
    }
  }
  return {
    kind: met.size === 0 ? 'proven' : 'not refuted',
    tried,
    delivered,
    rows: mostRows,
    limits: [...met],
  };
}

/** Returns the distinct pairs of a source table and a client table. */
function rowsOf(
  sketches: readonly Sketch[],
): readonly { readonly source: string; readonly clientTable: string }[] {
  const pairs = sketches.map(({ rows: [main], clientTable }) => ({ source: main?.table ?? '', clientTable }));
  return [...new Map(pairs.map((pair) => [JSON.stringify(pair), pair])).values()];
}

/** Explains through which queries the row of a counterexample is synced. */
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
    rows: all.map(({ table, values }) => ({
      table,
      values: toSqlRow(withoutForeignId(values, columns.get(table)), options),
    })),
    asking,
    columns,
  };
}

/** Removes an `id` that only identifies the row in a test, because the table has no such column. */
function withoutForeignId(values: SourceRow, columns: ReadonlySet<string> | undefined): SourceRow {
  if (columns === undefined || columns.has('id')) return values;
  const { id: _, ...others } = values;
  return others;
}

interface ClaimSurroundings {
  readonly subject: TestSubject;
  readonly catalog: Catalog | undefined;
  /** The source table whose rows the claim is about. */
  readonly source: string;
}

/** Reads a claim, for searches and for the rows of tests. */
export function readClaimOf(
  { table, holds }: AlwaysClaim,
  classes: Classes,
  { subject, catalog, source }: ClaimSurroundings,
): ClaimReading {
  const known = columnsByTable(classes, catalog, subject);
  const columnOf = columnReader(catalog, subject.config.surroundings.defaultSchema);
  const spell = (of: string, column: string): string => {
    const columns = known.get(of);
    if (columns === undefined || columns.has(column)) return column;
    return [...columns].find((each) => each.toLowerCase() === column.toLowerCase()) ?? column;
  };
  const hasColumn = (of: string, name: string): boolean =>
    columnOf({ of: { table: of }, path: [name] }) !== undefined;
  return readClaim({ table: table.value, holds: holds.value }, classes, {
    source,
    isBoolean: (cell) => isBooleanColumn(columnOf(cell)),
    spell,
    has: (of, column) => {
      const name = spell(of, column);
      const isRead = classes.of({ of: { table: of }, path: [name] }) !== undefined;
      // The `id` of a table with unknown columns may only identify its rows.
      if (known.get(of)?.has(name) && (name !== 'id' || isRead || hasColumn(of, name))) return 'yes';
      return closedTable(catalog, of, subject) === undefined ? 'maybe' : 'no';
    },
  });
}

/** Returns the columns by table, as tests name it. Rows whose table may have unknown columns also have an `id`, which identifies them. */
export function columnsByTable(
  classes: Classes,
  catalog: Catalog | undefined,
  subject: TestSubject,
  tables: readonly string[] = [],
): ReadonlyMap<string, ReadonlySet<string>> {
  const columns = new Map<string, Set<string>>();
  const columnsOf = (table: string): Set<string> => {
    const known =
      columns.get(table) ?? new Set(closedTable(catalog, table, subject)?.columns.keys() ?? ['id']);
    columns.set(table, known);
    return known;
  };
  for (const table of tables) columnsOf(table);
  for (const { of, path } of classes.cells())
    if ('table' in of && path[0] !== undefined) columnsOf(of.table).add(path[0]);
  const { defaultSchema } = subject.config.surroundings;
  for (const known of catalog?.tables ?? []) {
    const table = columnsOf(nameInTests(known, defaultSchema));
    for (const column of known.columns.keys()) table.add(column);
  }
  return columns;
}

/** Returns a table whose columns are all known. */
function closedTable(
  catalog: Catalog | undefined,
  table: string,
  subject: TestSubject,
): CatalogTable | undefined {
  const known = catalog?.open ? undefined : catalogTable(table, subject, catalog);
  return known?.open ? undefined : known;
}

/** Returns the columns that the config reads, by table. */
export function sourceColumns(subject: TestSubject): ReadonlyMap<string, ReadonlySet<string>> {
  return columnsByTable(classifyPlans(subject), undefined, subject);
}

/** Collects the classes of all values that the streams compare. */
export function classifyPlans({ config, plans }: TestSubject): Classes {
  const classes = openClasses();
  const { defaultSchema } = config.surroundings;
  for (const plan of plans) classifyPlan(plan, { defaultSchema, names: [] }, classes);
  return classes;
}

function withAdverseRows(sketch: Sketch, { adverse }: ClaimReading, classes: Classes): readonly Sketch[] {
  if (adverse.length > mostChoices) return [sketch, withRows(sketch, adverse, classes)];
  const choices = Array.from({ length: 2 ** adverse.length }, (_, choice) =>
    adverse.filter((_table, index) => choice & (1 << index)),
  );
  return choices.map((tables) => (tables.length === 0 ? sketch : withRows(sketch, tables, classes)));
}
