/**
 * What a change of a config gives away or takes: the rows that can reach a device with one config and not
 * with the other. Subscriptions are not a permission, since clients choose them: a row that can be asked for
 * counts as reached.
 */
import type { Config } from '../../file/sync.ts';
import { groupBy } from '../../ground/group.ts';
import type { Catalog } from '../../model/catalog.ts';
import { dumpPlan } from '../../plan/dump.ts';
import type { StreamPlan } from '../../plan/plan.ts';
import { requestExpressionsOf, requestReadsIn } from '../../plan/requestReads.ts';
import type { Json, JsonObject } from '../../plan/values/json.ts';
import type { SourceValue } from '../../plan/values/source.ts';
import { deviceOf } from '../device.ts';
import { toRowIndex } from '../rowIndex.ts';
import { type TestSubject, toTestSubject } from '../subject.ts';
import { type SearchCandidate, spaceOf, valueKey } from './candidates.ts';
import { classifyPlan, openClasses, type Scalar, tableOfPattern } from './classes.ts';
import { reachesDevice, smallestWitness } from './reaching.ts';
import { type InTurns, type SearchLimits, searchSpaces } from './search.ts';
import { sketchesOf } from './sketches.ts';
import { valuesOfCells } from './values.ts';

interface AccessChange {
  readonly kind: 'gained' | 'lost';
  /** Through which the row comes, or came. */
  readonly stream: string;
  /** As clients know it. */
  readonly table: string;
  readonly candidate: SearchCandidate;
}

export interface AccessComparison {
  /** Gains come first; one for each stream and table. */
  readonly changes: readonly AccessChange[];
  readonly tried: number;
  readonly isExhausted: boolean;
}

/** @param startClock for each stream that differs */
export function* compareAccess(
  before: Config,
  after: Config,
  catalog: Catalog | undefined,
  startClock: () => SearchLimits,
): InTurns<AccessComparison> {
  const gained = yield* reachedOnlyIn(after, before, 'gained', catalog, startClock);
  const lost = yield* reachedOnlyIn(before, after, 'lost', catalog, startClock);
  return {
    changes: [...gained.changes, ...lost.changes],
    tried: gained.tried + lost.tried,
    isExhausted: gained.isExhausted && lost.isExhausted,
  };
}

function* reachedOnlyIn(
  config: Config,
  other: Config,
  kind: AccessChange['kind'],
  catalog: Catalog | undefined,
  startClock: () => SearchLimits,
): InTurns<AccessComparison> {
  const [here, there] = [toTestSubject(config), toTestSubject(other)];
  const { defaultSchema } = config.surroundings;
  const known = new Set(sameOptions(config, other) ? there.plans.map(dumpPlan) : []);
  const changes: AccessChange[] = [];
  let tried = 0;
  let isExhausted = true;
  for (const plan of here.plans) {
    if (known.has(dumpPlan(plan))) continue;
    const only = toTestSubject(config, [plan]);
    const rivals = there.plans.filter((rival) => readSameTable(rival, plan, defaultSchema));
    const against = toTestSubject(other, rivals);
    const classes = openClasses();
    for (const each of [plan, ...rivals]) classifyPlan(each, defaultSchema, classes);
    const constants = classes.cells().flatMap((cell) => [...(classes.of(cell)?.constants ?? [])]);
    const values = valuesOfCells(classes, catalog, defaultSchema);
    const byTable = groupBy(sketchesOf(plan, defaultSchema, classes), (sketch) =>
      clientTableOf(plan, sketch.rows[0]?.table ?? '', only),
    );
    for (const [table, sketches] of byTable) {
      const isOnlyHere = (candidate: SearchCandidate): boolean =>
        reachesDevice(candidate, only) && !isReachable(candidate, table, against, constants);
      const result = yield* searchSpaces(
        sketches.map((sketch) => spaceOf(sketch, values)),
        (candidate) => (isOnlyHere(candidate) ? candidate : undefined),
        startClock(),
      );
      tried += result.tried;
      if (result.found !== undefined) {
        const candidate = smallestWitness(result.found, isOnlyHere, table, only);
        changes.push({ kind, stream: plan.name, table, candidate });
      } else isExhausted &&= result.isExhausted;
    }
  }
  return { changes, tried, isExhausted };
}

function sameOptions(one: Config, other: Config): boolean {
  return JSON.stringify(one.surroundings.options) === JSON.stringify(other.surroundings.options);
}

function readSameTable(one: StreamPlan, other: StreamPlan, defaultSchema: string): boolean {
  const tablesOf = ({ sources }: StreamPlan) =>
    sources.flatMap(({ rules }) => rules.map(({ table }) => tableOfPattern(table, defaultSchema)));
  const tables = new Set(tablesOf(one));
  const hasPattern = one.sources.some(({ rules }) =>
    rules.some(({ table }) => table.name.wildcard || table.schema.wildcard),
  );
  return hasPattern || tablesOf(other).some((table) => tables.has(table));
}

function clientTableOf({ sources }: StreamPlan, table: string, { tableNamed }: TestSubject): string {
  const rule = sources
    .flatMap(({ rules }) => rules)
    .find((each) => each.table.name.text === tableNamed(table).name && each.outputTable !== undefined);
  return rule?.outputTable ?? tableNamed(table).name;
}

/** Whichever streams the client asks for, with whichever parameters. */
function isReachable(
  { rows, main, asking }: SearchCandidate,
  table: string,
  subject: TestSubject,
  constants: readonly Scalar[],
): boolean {
  const own = subject.resultOf(main.table, main.values).rows.filter((row) => row.table === table);
  if (own.length === 0) return false;
  const index = toRowIndex(rows, subject);
  const values = [...new Set([...scalarsIn({ rows, main, asking }), ...constants])];
  return subject.plans.some((plan) =>
    parametersFor(plan, values).some((parameters) => {
      const subscriptions = [{ stream: plan.name, parameters }];
      const { tables } = deviceOf(subject, index, { ...asking, subscriptions });
      return own.some(({ id }) => tables.get(table)?.has(id));
    }),
  );
}

/** More ways to subscribe are not tried. */
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

/** All that a subscription could be compared with. */
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
