/** Creates databases from a sketch: each slot gets one of its values, in every combination or at random. */
import { append } from '../../ground/append.ts';
import type { Json, JsonObject } from '../../plan/values/json.ts';
import type { SourceRow, SourceValue } from '../../plan/values/source.ts';
import type { Asking } from '../device.ts';
import type { TestedRow } from '../rowIndex.ts';
import type { Sketch, SketchCell } from './sketches.ts';
import type { CellValues, Symmetry } from './values.ts';

/** A database, and the user who requests its rows. */
export interface SearchCandidate {
  readonly rows: readonly TestedRow[];
  /** The row that is searched for on the device. */
  readonly main: TestedRow;
  readonly asking: Asking;
}

export interface CandidateSpace {
  readonly sketch: Sketch;
  /** Returns the number of candidates in `inOrder`, or a number larger than `most`. */
  readonly sizeUpTo: (most: number) => number;
  /** Returns all candidates. Of several candidates that differ only in interchangeable values, it returns one. */
  readonly inOrder: () => Generator<SearchCandidate | undefined, void, void>;
  /** Returns one of all candidates, selected by random numbers from 0 to 1. */
  readonly atRandom: (next: () => number) => SearchCandidate | undefined;
}

export function spaceOf(sketch: Sketch, values: CellValues): CandidateSpace {
  const domains = domainsOf(sketch, values);
  const symmetries = symmetriesOf(sketch, values);
  const build = toBuilder(sketch);
  return {
    sketch,
    sizeUpTo(most) {
      let size = 0;
      for (const _ of assignments(domains, symmetries)) {
        size += 1;
        if (size > most) break;
      }
      return size;
    },
    *inOrder() {
      for (const chosen of assignments(domains, symmetries)) yield build(chosen);
    },
    atRandom: (next) => build(domains.map((domain) => domain[Math.floor(next() * domain.length)] ?? null)),
  };
}

/** Iterates over all assignments. Among interchangeable values, the second one is used only after the first one. */
function* assignments(
  domains: readonly (readonly SourceValue[])[],
  symmetries: readonly (readonly Symmetry[])[],
): Generator<readonly SourceValue[], void, void> {
  if (domains.some((domain) => domain.length === 0)) return;
  const chosen: SourceValue[] = domains.map(() => null);
  const used = new Map<string, number>();
  function* choose(slot: number): Generator<readonly SourceValue[], void, void> {
    if (slot === domains.length) {
      yield chosen;
      return;
    }
    for (const value of domains[slot] ?? []) {
      const before = new Map<string, number>();
      if (isNext(value, symmetries[slot] ?? [], before)) {
        chosen[slot] = value;
        yield* choose(slot + 1);
      }
      for (const [group, count] of before) used.set(group, count);
    }
  }
  function isNext(value: SourceValue, own: readonly Symmetry[], before: Map<string, number>): boolean {
    const scalars = Array.isArray(value) ? value : [value];
    for (const { group, indexOf } of own)
      for (const scalar of scalars) {
        const index = indexOf.get(scalar);
        if (index === undefined) continue;
        const count = used.get(group) ?? 0;
        if (index > count) return false;
        if (index < count) continue;
        if (!before.has(group)) before.set(group, count);
        used.set(group, count + 1);
      }
    return true;
  }
  yield* choose(0);
}

function symmetriesOf(
  { rows, request, slots }: Sketch,
  values: CellValues,
): readonly (readonly Symmetry[])[] {
  const found: Symmetry[][] = Array.from({ length: slots }, () => []);
  const cells = [...rows.flatMap((row) => [...row.cells.values()]), ...request.values()];
  for (const { cell, slot } of cells) append(found[slot] ?? [], values.symmetriesOf(cell));
  return found.map((each) => [...new Map(each.map((symmetry) => [symmetry.group, symmetry])).values()]);
}

/** Returns, for each slot, the values that all its cells can have. */
function domainsOf(
  { rows, request, slots }: Sketch,
  values: CellValues,
): readonly (readonly SourceValue[])[] {
  const domains: (readonly SourceValue[] | undefined)[] = Array.from({ length: slots });
  const cells = [...rows.flatMap((row) => [...row.cells.values()]), ...request.values()];
  for (const { cell, slot } of cells) {
    const own = values.of(cell);
    const before = domains[slot];
    const texts = new Set(own.map(valueKey));
    domains[slot] = before === undefined ? own : before.filter((value) => texts.has(valueKey(value)));
  }
  return domains.map((domain) => domain ?? [null]);
}

export function valueKey(value: SourceValue): string {
  return typeof value === 'object' && value !== null
    ? JSON.stringify(value, withIntegers)
    : `${typeof value} ${value}`;
}

function withIntegers(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? `${value}n` : value;
}

/** Returns a function that builds a candidate. Equal rows are the same object, so that they are evaluated only once. */
function toBuilder(sketch: Sketch): (chosen: readonly SourceValue[]) => SearchCandidate | undefined {
  const known = new Map<string, TestedRow>();
  const rowOf = (index: number, chosen: readonly SourceValue[]): TestedRow | undefined => {
    const row = sketch.rows[index];
    if (row === undefined) return undefined;
    const cells = [...row.cells.values()];
    const key = `${index} ${cells.map(({ slot }) => valueKey(chosen[slot] ?? null)).join('|')}`;
    const found = known.get(key);
    if (found !== undefined) return found;
    const values = objectFrom(cells, chosen);
    const id =
      values.id ?? (cells.some(({ cell }) => cell.path[0] === 'id') ? null : defaultId(sketch, index));
    if (id === null || typeof id === 'object') return undefined;
    const made = { table: row.table, id: String(id), values: { id, ...values } };
    known.set(key, made);
    return made;
  };
  return (chosen) => {
    const byKey = new Map<string, TestedRow>();
    for (let index = 0; index < sketch.rows.length; index++) {
      const row = rowOf(index, chosen);
      if (row === undefined) return undefined;
      const key = `${row.table} ${row.id}`;
      const other = byKey.get(key);
      // Two rows with the same id must be the same row.
      if (other !== undefined && rowKey(other.values) !== rowKey(row.values)) return undefined;
      if (other === undefined) byKey.set(key, row);
    }
    const rows = [...byKey.values()];
    const [main] = rows;
    const part = (name: string) =>
      objectFrom(
        [...sketch.request.values()].filter(({ cell }) => 'part' in cell.of && cell.of.part === name),
        chosen,
      ) as JsonObject;
    return (
      main && {
        rows,
        main,
        asking: {
          claims: part('auth'),
          parameters: part('connection'),
          subscriptions: [{ stream: sketch.plan.name, parameters: part('subscription') }],
        },
      }
    );
  };
}

function rowKey(values: SourceRow): string {
  return Object.keys(values)
    .sort()
    .map((name) => `${name} ${valueKey(values[name] ?? null)}`)
    .join('|');
}

/** Returns `rooms-1`, or `rooms-2` for a second row. */
function defaultId({ rows }: Sketch, index: number): string {
  const table = rows[index]?.table ?? '';
  const before = rows.slice(0, index).filter((row) => row.table === table).length;
  return `${table.replace(/s$/, '')}-${before + 1}`;
}

/** Builds an object. NULL is left out of requests and JSON. */
function objectFrom(
  cells: readonly SketchCell[],
  chosen: readonly SourceValue[],
): Record<string, SourceValue> {
  const object: Record<string, SourceValue> = {};
  for (const { cell, slot } of cells) {
    const value = chosen[slot] ?? null;
    if (value === null && (cell.path.length !== 1 || 'part' in cell.of)) continue;
    let at: Record<string, SourceValue> = object;
    for (const name of cell.path.slice(0, -1)) {
      const inner = at[name];
      const next: Record<string, SourceValue> =
        typeof inner === 'object' && inner !== null ? (inner as Record<string, SourceValue>) : {};
      at[name] = next as Record<string, Json>;
      at = next;
    }
    const last = cell.path.at(-1);
    if (last !== undefined) at[last] = value;
  }
  return object;
}
