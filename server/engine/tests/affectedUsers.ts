/**
 * Finds the users who gain or lose given rows by a change of the config, stream by stream. A stream is judged together with all
 * streams that sync rows into the same tables, because a row that a user gets through another stream is neither gained nor lost.
 */
import type { Config } from '../file/sync.ts';
import { plansOf } from '../file/sync.ts';
import { diffPlans } from '../plan/diff.ts';
import type { RowRule, StreamPlan } from '../plan/plan.ts';
import { rowRulesOf } from '../plan/rowRules.ts';
import type { UserRows } from './compareRows.ts';
import { type Device, deviceOf } from './device.ts';
import { type RowIndex, type TestedRow, toRowIndex } from './rowIndex.ts';
import { type TestSubject, toTestSubject } from './subject.ts';

interface JudgedStream {
  readonly name: string;
  /** The plans of both configs that sync rows into the tables of this stream. */
  readonly plans: readonly StreamPlan[];
}

/** Returns the changed streams, each with the plans that decide which of its rows a user gains or loses. */
export function judgedStreams(before: Config, after: Config): readonly JudgedStream[] {
  const [old, now] = [plansOf(before), plansOf(after)];
  const all = [...old, ...now];
  return diffPlans(old, now).flatMap(({ stream, change }) => {
    if (change === 'untouched') return [];
    const rules = rowRulesOf(all.filter(({ name }) => name === stream));
    const isNear = (plan: StreamPlan): boolean =>
      plan.name === stream || rowRulesOf([plan]).some((rule) => rules.some((own) => sharesTable(rule, own)));
    return [{ name: stream, plans: all.filter(isNear) }];
  });
}

/** Whether two rules may sync rows into the same table on clients. */
function sharesTable(one: RowRule, other: RowRule): boolean {
  const [a, b] = [namesOf(one), namesOf(other)];
  if (a.wildcard) return b.text.startsWith(a.text) || (b.wildcard && a.text.startsWith(b.text));
  return b.wildcard ? a.text.startsWith(b.text) : a.text === b.text;
}

function namesOf({ outputTable, table }: RowRule): { readonly text: string; readonly wildcard: boolean } {
  return outputTable === undefined ? table.name : { text: outputTable, wildcard: false };
}

export interface AffectedUser {
  readonly kind: 'gained' | 'lost';
  /** The stream through which the rows are synced. If there are several, one of them. */
  readonly stream: string;
  /** The table on clients. */
  readonly table: string;
  readonly user: string;
  /** The number of rows. */
  readonly rows: number;
  /** The id of one of the rows. */
  readonly example: string;
  /** Another user who has this row before and after the change; absent if there is none among the given users. */
  readonly holder?: string;
}

/** The parts of a comparison: one config with the given rows. */
interface Side {
  readonly subject: TestSubject;
  readonly index: RowIndex;
}

/** Returns the affected users, gains first. Yields often, so that the caller can do other work. */
export function* affectedUsers(
  before: Config,
  after: Config,
  rows: readonly TestedRow[],
  users: readonly UserRows[],
): Generator<void, readonly AffectedUser[], void> {
  const sides: Side[] = [];
  for (const config of [before, after]) {
    const subject = toTestSubject(config);
    for (let at = 0; at < rows.length; at += rowsInStep) {
      // The outcomes are cached, so the complete index does not evaluate the rows again.
      for (const { table, values } of rows.slice(at, at + rowsInStep)) subject.resultOf(table, values);
      yield;
    }
    sides.push({ subject, index: toRowIndex(rows, subject) });
    yield;
  }
  const [had, has] = [new Map<string, Device>(), new Map<string, Device>()];
  for (const { user, asking } of users) {
    for (const [at, devices] of [had, has].entries()) {
      const side = sides[at];
      if (side !== undefined) devices.set(user, deviceOf(side.subject, side.index, asking));
    }
    yield;
  }
  return [...differences('gained', has, had), ...differences('lost', had, has)];
}

/** The number of rows that are evaluated before the caller may do other work. */
const rowsInStep = 200;

type Devices = ReadonlyMap<string, Device>;

/** Returns the rows of `devices` that the same users do not have in `others`. */
function differences(kind: AffectedUser['kind'], devices: Devices, others: Devices): readonly AffectedUser[] {
  const found = new Map<string, AffectedUser>();
  for (const [user, { tables, request }] of devices)
    for (const [table, rows] of tables)
      for (const [id, { buckets }] of rows) {
        if (has(others.get(user), table, id)) continue;
        const given = request.buckets.find(({ bucket }) => bucket === buckets[0]);
        const stream = given?.reasons[0]?.stream ?? '';
        const key = JSON.stringify([stream, table, user]);
        const known = found.get(key);
        const first = known ?? { kind, stream, table, user, rows: 0, example: id, ...holderOf(table, id) };
        found.set(key, { ...first, rows: first.rows + 1 });
      }

  function holderOf(table: string, id: string): { readonly holder?: string } {
    for (const [user, device] of others)
      if (has(device, table, id) && has(devices.get(user), table, id)) return { holder: user };
    return {};
  }

  return [...found.values()];
}

function has(device: Device | undefined, table: string, id: string): boolean {
  return device?.tables.get(table)?.has(id) ?? false;
}
