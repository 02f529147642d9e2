/**
 * Searches for rows that users gain or lose by a change of the config: rows that can reach a device with only one of the two
 * configs. Subscriptions are not a permission, because clients choose them, so a row counts as reached if some subscription syncs
 * it.
 */
import type { Config } from '../../file/sync.ts';
import { groupBy } from '../../ground/group.ts';
import type { Catalog } from '../../model/catalog.ts';
import { dumpPlan } from '../../plan/dump.ts';
import type { StreamPlan } from '../../plan/plan.ts';
import { requestExpressionsOf, requestReadsIn } from '../../plan/requestReads.ts';
import type { Json, JsonObject } from '../../plan/values/json.ts';
import type { SourceValue } from '../../plan/values/source.ts';
import { type DeviceRow, deviceOf } from '../device.ts';
import { toRowIndex } from '../rowIndex.ts';
import { isBooleanColumn } from '../stored/storedValue.ts';
import { type TestSubject, toTestSubject } from '../subject.ts';
import { namesIn } from '../tableMeaning.ts';
import { doubtAbout, isPossible } from './asStored.ts';
import { type SearchCandidate, spaceOf, valueKey } from './candidates.ts';
import type { Cell } from './cells.ts';
import { classifyPlan, openClasses, type Scalar, type TableNaming, tablesOfPattern } from './classes.ts';
import { type ModelLimit, readLimits } from './model.ts';
import { withParents } from './parents.ts';
import { reachesDevice, smallestWitness } from './reaching.ts';
import { type InTurns, type SearchLimits, searchSpaces } from './search.ts';
import { canDifferInColumns, columnsBesides, withAllColumns } from './sentColumns.ts';
import { type Sketch, sketchesOf } from './sketches.ts';
import { columnReader, valuesOfCells } from './values.ts';

interface AccessChange {
  readonly kind: 'gained' | 'lost';
  /** The stream through which the row is synced. */
  readonly stream: string;
  /** The name of the table on clients. */
  readonly table: string;
  readonly candidate: SearchCandidate;
  /** The columns of a row that is synced with both configs. Absent: the whole row is gained or lost. */
  readonly columns?: readonly string[];
  /** A sentence about the reason why the source may not be able to have the rows. */
  readonly doubt?: string;
}

export interface AccessComparison {
  /** The changes, gains first. There is one for each stream and table. */
  readonly changes: readonly AccessChange[];
  readonly tried: number;
  /** Whether a proof shows that there are no other changes. */
  readonly isExhausted: boolean;
  /** The reasons why there is no such proof. */
  readonly limits: readonly ModelLimit[];
}

/** @param startClock starts the time limit for each stream that differs */
export function* compareAccess(
  before: Config,
  after: Config,
  catalog: Catalog | undefined,
  startClock: () => SearchLimits,
): InTurns<AccessComparison> {
  const gained = yield* reachedOnlyIn({ config: after, other: before, kind: 'gained' }, catalog, startClock);
  const lost = yield* reachedOnlyIn({ config: before, other: after, kind: 'lost' }, catalog, startClock);
  return {
    changes: [...gained.changes, ...lost.changes],
    tried: gained.tried + lost.tried,
    isExhausted: gained.isExhausted && lost.isExhausted,
    limits: [...new Set([...gained.limits, ...lost.limits])],
  };
}

interface Direction {
  readonly config: Config;
  readonly other: Config;
  readonly kind: AccessChange['kind'];
}

function* reachedOnlyIn(
  { config, other, kind }: Direction,
  catalog: Catalog | undefined,
  startClock: () => SearchLimits,
): InTurns<AccessComparison> {
  const [here, there] = [toTestSubject(config), toTestSubject(other)];
  const { defaultSchema, options } = config.surroundings;
  const hasSameOptions = sameOptions(config, other);
  const known = new Set(hasSameOptions ? there.plans.map(dumpPlan) : []);
  const naming: TableNaming = {
    defaultSchema,
    names: [...new Set([...namesIn(here, []), ...namesIn(there, [])])],
  };
  const columnOf = columnReader(catalog, defaultSchema);
  const isBoolean = (cell: Cell): boolean => isBooleanColumn(columnOf(cell));
  const toWitness = (smallest: SearchCandidate): Pick<AccessChange, 'candidate' | 'doubt'> => {
    const candidate = withParents(smallest, catalog, here);
    const doubt = doubtAbout(candidate, here, catalog);
    return { candidate, ...(doubt !== undefined && { doubt }) };
  };
  const changes: AccessChange[] = [];
  const limits = new Set<ModelLimit>();
  let tried = 0;
  for (const plan of here.plans) {
    if (known.has(dumpPlan(plan))) continue;
    const only = toTestSubject(config, [plan]);
    const rivals = there.plans.filter((rival) => readSameTable(rival, plan, naming));
    const against = toTestSubject(other, rivals);
    const classes = openClasses();
    for (const each of [plan, ...rivals]) classifyPlan(each, naming, classes);
    const lists = new Map<string, Set<string>>();
    const reading = { classes, limits, lists, isBoolean };
    readLimits(plan, naming, { ...reading, options });
    for (const rival of rivals)
      readLimits(rival, naming, { ...reading, options: other.surroundings.options });
    if (!hasSameOptions) limits.add('options');
    const constants = classes.cells().flatMap((cell) => [...(classes.of(cell)?.constants ?? [])]);
    const all = sketchesOf(plan, naming, classes);
    const values = valuesOfCells(classes, columnOf, all);
    for (const [table, sketches] of groupBy(all, ({ clientTable }) => clientTable)) {
      const ways: Ways = { table, subject: against, constants, limits };
      const unreached = new Set(sketches.map(({ route }) => route));
      const isGone = (candidate: SearchCandidate): boolean =>
        reachesDevice(candidate, only, table) && !isReachable(candidate, ways);
      const isOnlyHere = (candidate: SearchCandidate, sketch?: Sketch): boolean => {
        if (!reachesDevice(candidate, only, table)) return false;
        if (sketch !== undefined) unreached.delete(sketch.route);
        const whole = withParents(candidate, catalog, here);
        if (isGone(whole)) return isPossible(whole, isGone, { subject: here, catalog, limits });
        if (whole !== candidate && isGone(candidate)) limits.add('references');
        return false;
      };
      const search = (isOne: (candidate: SearchCandidate, sketch: Sketch) => boolean) =>
        searchSpaces(
          sketches.map((sketch) => spaceOf(sketch, values)),
          (candidate, sketch) => (isOne(candidate, sketch) ? candidate : undefined),
          startClock(),
        );
      const result = yield* search(isOnlyHere);
      tried += result.tried;
      const place = { kind, stream: plan.name, table };
      if (result.found !== undefined) {
        const smallest = smallestWitness(result.found, (each) => isOnlyHere(each), table, {
          subject: only,
          catalog,
        });
        changes.push({ ...place, ...toWitness(smallest) });
        continue;
      }
      if (!result.isExhausted) limits.add('time');
      else if (unreached.size > 0) limits.add('unreached');
      const plans = [plan, ...rivals];
      if (!canDifferInColumns(plans, table)) continue;
      const columnsOf = (candidate: SearchCandidate): readonly string[] =>
        reachesDevice(candidate, only, table)
          ? columnsOnlyHere(withAllColumns(candidate, plans, here, catalog), only, ways)
          : [];
      const hasMore = (candidate: SearchCandidate): boolean => columnsOf(candidate).length > 0;
      const more = yield* search(
        (candidate) =>
          hasMore(candidate) &&
          isPossible(withParents(candidate, catalog, here), hasMore, { subject: here, catalog, limits }),
      );
      tried += more.tried;
      if (more.found === undefined) {
        if (!more.isExhausted) limits.add('time');
        continue;
      }
      const columns = columnsOf(more.found);
      const candidate = smallestWitness(
        more.found,
        (each) => columnsOf(each).length === columns.length,
        table,
        { subject: only, catalog },
      );
      changes.push({ ...place, ...toWitness(candidate), columns });
    }
    for (const limit of values.limits) limits.add(limit);
  }
  return { changes, tried, isExhausted: limits.size === 0, limits: [...limits] };
}

function sameOptions(one: Config, other: Config): boolean {
  return JSON.stringify(one.surroundings.options) === JSON.stringify(other.surroundings.options);
}

function readSameTable(one: StreamPlan, other: StreamPlan, naming: TableNaming): boolean {
  const rulesOf = ({ sources }: StreamPlan) => sources.flatMap(({ rules }) => rules);
  const tablesOf = (plan: StreamPlan) => rulesOf(plan).flatMap(({ table }) => tablesOfPattern(table, naming));
  const tables = new Set(tablesOf(one));
  const hasPattern = [one, other].some((plan) =>
    rulesOf(plan).some(({ table }) => table.name.wildcard || table.schema.wildcard),
  );
  return hasPattern || tablesOf(other).some((table) => tables.has(table));
}

/** All ways in which a row can reach a table on clients: the streams to which clients subscribe, with any parameters. */
interface Ways {
  /** The name of the table on clients. */
  readonly table: string;
  readonly subject: TestSubject;
  readonly constants: readonly Scalar[];
  readonly limits: Set<ModelLimit>;
}

function isReachable(candidate: SearchCandidate, ways: Ways): boolean {
  for (const _ of arrivals(candidate, ways)) return true;
  return false;
}

/** Returns the columns that arrive only through the streams of `only`. */
function columnsOnlyHere(candidate: SearchCandidate, only: TestSubject, ways: Ways): readonly string[] {
  const { rows, main, asking } = candidate;
  const device = deviceOf(only, toRowIndex(rows, only), asking).tables.get(ways.table);
  const own = only.resultOf(main.table, main.values).rows.flatMap(({ id }) => device?.get(id) ?? []);
  return columnsBesides(own, arrivals(candidate, ways));
}

/** Returns the row on the device, for each way in which it can arrive. */
function* arrivals(
  { rows, main, asking }: SearchCandidate,
  { table, subject, constants, limits }: Ways,
): Generator<readonly DeviceRow[], void, void> {
  const own = subject.resultOf(main.table, main.values).rows.filter((row) => row.table === table);
  if (own.length === 0) return;
  const index = toRowIndex(rows, subject);
  const values = [...new Set([...scalarsIn({ rows, main, asking }), ...constants])];
  for (const plan of subject.plans) {
    const choices = parametersFor(plan, values);
    if (choices.length >= mostWays) limits.add('subscriptions');
    for (const parameters of choices) {
      const subscriptions = [{ stream: plan.name, parameters }];
      const { tables } = deviceOf(subject, index, { ...asking, subscriptions });
      const found = own.flatMap(({ id }) => tables.get(table)?.get(id) ?? []);
      if (found.length > 0) yield found;
    }
  }
}

/** The maximum number of ways to subscribe that are tried. */
const mostWays = 1_000;

function parametersFor(plan: StreamPlan, values: readonly Json[]): readonly JsonObject[] {
  const reads = requestExpressionsOf(plan)
    .flatMap(requestReadsIn)
    .filter(({ part, path }) => part === 'subscription' && path.length > 0);
  const names = new Set(reads.map(({ path: [name = ''] }) => name));
  let ways: readonly JsonObject[] = [{}];
  for (const name of names)
    ways = ways
      .flatMap((way) => [...values.map((value) => ({ ...way, [name]: value })), way])
      .slice(0, mostWays);
  return ways;
}

/** Returns all values with which a subscription parameter could be compared. */
function scalarsIn({ rows, asking }: SearchCandidate): readonly Json[] {
  const found = new Map<string, Json>();
  const collect = (value: SourceValue): void => {
    if (Array.isArray(value)) for (const item of value) collect(item);
    if (value === null || value instanceof Uint8Array) return;
    if (typeof value === 'object')
      for (const inner of Object.values(value as Record<string, SourceValue>)) collect(inner);
    found.set(valueKey(value), value as Json);
  };
  for (const { values } of rows) collect(values);
  collect(asking.claims as SourceValue);
  for (const { parameters } of asking.subscriptions) collect(parameters as SourceValue);
  return [...found.values()];
}
