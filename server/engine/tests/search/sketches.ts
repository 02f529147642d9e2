/**
 * The smallest databases through which a row can reach a device: one for each route of a stream and each
 * query of it. More rows never take a row away from anybody, since no plan asks for a missing row. So
 * whatever can be reached at all can be reached in one of these.
 */
import type { Expression } from '../../plan/expression.ts';
import type { BucketRoute, Meeting, RowSelection, StreamPlan } from '../../plan/plan.ts';
import { type Cell, type CellScope, cellOf, keyOfCell } from './cells.ts';
import { type Classes, requestScopeOf, tableOfPattern } from './classes.ts';

/** A cell of one of the rows, or of the request: cells with the same slot have the same value. */
interface SketchRow {
  readonly table: string;
  /** The values to try, by the keys of its cells. */
  readonly cells: ReadonlyMap<string, SketchCell>;
}

export interface SketchCell {
  readonly cell: Cell;
  readonly slot: number;
}

export interface Sketch {
  readonly plan: StreamPlan;
  /** The first is the one that arrives. */
  readonly rows: readonly SketchRow[];
  readonly request: ReadonlyMap<string, SketchCell>;
  readonly slots: number;
}

export function sketchesOf(plan: StreamPlan, defaultSchema: string, classes: Classes): readonly Sketch[] {
  const cellsByTable = groupCells(classes);
  return plan.routes.flatMap((route) =>
    (plan.sources[route.source]?.rules ?? []).map((rule) =>
      sketchRoute(plan, route, rule, defaultSchema, cellsByTable),
    ),
  );
}

/** With one more row of each of these tables. */
export function withRows(sketch: Sketch, tables: readonly string[], classes: Classes): Sketch {
  const byTable = groupCells(classes);
  let { slots } = sketch;
  const added = tables.map((table): SketchRow => {
    const cells = byTable.get(table) ?? [];
    return { table, cells: new Map(cells.map((cell) => [keyOfCell(cell), { cell, slot: slots++ }])) };
  });
  return { ...sketch, rows: [...sketch.rows, ...added], slots };
}

/** Elements are tried as part of their lists, and what is inside of JSON instead of the whole. */
function groupCells(classes: Classes): ReadonlyMap<string, readonly Cell[]> {
  const cells = classes.cells().filter(({ isElement }) => !isElement);
  const byOwner = new Map<string, Cell[]>();
  for (const cell of cells) {
    const isWhole = cells.some((other) => other !== cell && isInside(other, cell));
    if (isWhole) continue;
    const owner = 'table' in cell.of ? cell.of.table : cell.of.part;
    byOwner.set(owner, [...(byOwner.get(owner) ?? []), cell]);
  }
  return byOwner;
}

function isInside(inner: Cell, outer: Cell): boolean {
  return (
    JSON.stringify(inner.of) === JSON.stringify(outer.of) &&
    inner.path.length > outer.path.length &&
    outer.path.every((name, index) => inner.path[index] === name)
  );
}

const requestOwners = ['auth', 'connection', 'subscription'] as const;

function sketchRoute(
  plan: StreamPlan,
  route: BucketRoute,
  rule: StreamPlan['sources'][number]['rules'][number],
  defaultSchema: string,
  byOwner: ReadonlyMap<string, readonly Cell[]>,
): Sketch {
  const lookups = route.steps.map((step) => (step.kind === 'lookup' ? plan.lookups[step.lookup] : undefined));
  const parts: readonly (RowSelection | undefined)[] = [rule, ...lookups];
  // Which row of the sketch each step is; the row that arrives is the first.
  const names = parts.map((part) => part && tableOfPattern(part.table, defaultSchema));
  const slots = openSlots();
  const variable = (row: number, cell: Cell): string => `${row} ${keyOfCell(cell)}`;
  const ofRow = (row: number, expression: Expression): string | undefined => {
    const table = names[row];
    if (table === undefined) return undefined;
    const cell = cellOf(expression, { table, expansions: parts[row]?.expansions ?? [] });
    return cell === undefined || cell.isElement ? undefined : variable(row, cell);
  };
  const ofRequest = (expression: Expression, scope: CellScope = requestScopeOf()): string | undefined => {
    const cell = cellOf(expression, scope);
    return cell === undefined || cell.isElement ? undefined : variable(-1, cell);
  };
  const ofMeeting = (meeting: Meeting): readonly (string | undefined)[] =>
    meeting.map((value) => {
      if (value.kind === 'request') return ofRequest(value.value);
      const output = lookups[value.step]?.outputs[value.output];
      return output === undefined ? undefined : ofRow(value.step + 1, output);
    });
  route.steps.forEach((step, index) => {
    if (step.kind !== 'lookup') return;
    step.inputs.forEach((meeting, at) => {
      const input = lookups[index]?.inputs[at];
      slots.join([...ofMeeting(meeting), input && ofRow(index + 1, input)]);
    });
  });
  route.keys.forEach((meeting, at) => {
    const key = rule.keys[at];
    slots.join([...ofMeeting(meeting), key && ofRow(0, key)]);
  });
  const cellsOf = (row: number, owner: string): [string, SketchCell][] =>
    (byOwner.get(owner) ?? []).map((cell) => [
      keyOfCell(cell),
      { cell, slot: slots.numberOf(variable(row, cell)) },
    ]);
  return {
    plan,
    rows: names.flatMap((table, row) =>
      table === undefined ? [] : [{ table, cells: new Map(cellsOf(row, table)) }],
    ),
    request: new Map(requestOwners.flatMap((owner) => cellsOf(-1, owner))),
    slots: slots.count(),
  };
}

/** Cells of rows and of the request, by what they are called here; those that are joined share a number. */
function openSlots() {
  const parents = new Map<string, string>();
  const numbers = new Map<string, number>();
  const rootOf = (name: string): string => {
    let at = name;
    for (let next = parents.get(at); next !== undefined; next = parents.get(at)) at = next;
    return at;
  };
  return {
    join(names: readonly (string | undefined)[]): void {
      const [first, ...others] = names.flatMap((name) => name ?? []);
      if (first === undefined) return;
      for (const other of others)
        if (rootOf(other) !== rootOf(first)) parents.set(rootOf(other), rootOf(first));
    },
    numberOf(name: string): number {
      const root = rootOf(name);
      const known = numbers.get(root) ?? numbers.size;
      numbers.set(root, known);
      return known;
    },
    count: () => numbers.size,
  };
}
