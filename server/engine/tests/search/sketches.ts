/**
 * The smallest databases through which a row can reach a device: one for each route of a stream and each of its queries. Additional
 * rows never remove a row from a device, because no plan requires that a row is missing. So any row that can be reached at all can
 * be reached in one of these databases.
 */
import type { Expression } from '../../plan/expression.ts';
import type { BucketRoute, Meeting, RowRule, RowSelection, StreamPlan } from '../../plan/plan.ts';
import { type Cell, type CellScope, cellOf, isInside, keyOfCell } from './cells.ts';
import {
  type Classes,
  requestScopeOf,
  type TableNaming,
  tableOfPattern,
  tablesOfPattern,
} from './classes.ts';

/** A row of a sketch. Cells of rows and requests with the same slot have the same value. */
interface SketchRow {
  readonly table: string;
  /** The cells, by the key of each cell. */
  readonly cells: ReadonlyMap<string, SketchCell>;
}

export interface SketchCell {
  readonly cell: Cell;
  readonly slot: number;
}

export interface Sketch {
  readonly plan: StreamPlan;
  readonly route: BucketRoute;
  /** The name of the first row's table on clients. */
  readonly clientTable: string;
  /** The rows. The first one is the row that arrives. */
  readonly rows: readonly SketchRow[];
  readonly request: ReadonlyMap<string, SketchCell>;
  readonly slots: number;
}

export function sketchesOf(plan: StreamPlan, naming: TableNaming, classes: Classes): readonly Sketch[] {
  const cellsByTable = groupCells(classes);
  return plan.routes.flatMap((route) =>
    (plan.sources[route.source]?.rules ?? []).flatMap((rule) =>
      tablesOfPattern(rule.table, naming).map((table) =>
        sketchRoute({ plan, route, rule, table }, naming, cellsByTable),
      ),
    ),
  );
}

/** Returns the sketch with one more row for each of these tables. */
export function withRows(sketch: Sketch, tables: readonly string[], classes: Classes): Sketch {
  const byTable = groupCells(classes);
  let { slots } = sketch;
  const added = tables.map((table): SketchRow => {
    const cells = byTable.get(table) ?? [];
    return { table, cells: new Map(cells.map((cell) => [keyOfCell(cell), { cell, slot: slots++ }])) };
  });
  return { ...sketch, rows: [...sketch.rows, ...added], slots };
}

/** Groups cells by owner. An element belongs to its list, and values inside a JSON document replace the document. */
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

const requestOwners = ['auth', 'connection', 'subscription'] as const;

interface SketchedRoute {
  readonly plan: StreamPlan;
  readonly route: BucketRoute;
  readonly rule: RowRule;
  /** A source table that the rule matches. */
  readonly table: string;
}

function sketchRoute(
  { plan, route, rule, table }: SketchedRoute,
  naming: TableNaming,
  byOwner: ReadonlyMap<string, readonly Cell[]>,
): Sketch {
  const lookups = route.steps.map((step) => (step.kind === 'lookup' ? plan.lookups[step.lookup] : undefined));
  const parts: readonly (RowSelection | undefined)[] = [rule, ...lookups];
  // The table of each row of the sketch: first the row that arrives, then one row for each step.
  const names = [table, ...lookups.map((part) => part && tableOfPattern(part.table, naming))];
  const slots = openSlots();
  const variable = (row: number, cell: Cell): string => `${row} ${keyOfCell(cell)}`;
  const ofRow = (row: number, expression: Expression): string | undefined => {
    const name = names[row];
    if (name === undefined) return undefined;
    const cell = cellOf(expression, { table: name, expansions: parts[row]?.expansions ?? [] });
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
    route,
    clientTable: rule.outputTable ?? table.slice(table.indexOf('.') + 1),
    rows: names.flatMap((name, row) =>
      name === undefined ? [] : [{ table: name, cells: new Map(cellsOf(row, name)) }],
    ),
    request: new Map(requestOwners.flatMap((owner) => cellsOf(-1, owner))),
    slots: slots.count(),
  };
}

/** Assigns slots to cells of rows and of the request. Joined cells share a slot number. */
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
