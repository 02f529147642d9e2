/** The values that are tried for each cell: those that occur with its class, two that do not, and NULL. */
import type { Catalog } from '../../model/catalog.ts';
import { type Json, writeJson } from '../../plan/values/json.ts';
import type { SourceValue } from '../../plan/values/source.ts';
import { compareTexts } from '../../text/order.ts';
import type { Cell } from './cells.ts';
import type { CellClass, Classes, Scalar } from './classes.ts';

/** Values that occur nowhere, of each class. */
const freshValues = 2;

export interface CellValues {
  /** In the order in which they are tried. */
  readonly of: (cell: Cell) => readonly SourceValue[];
}

type CellType = 'number' | 'text';

export function valuesOfCells(
  classes: Classes,
  catalog: Catalog | undefined,
  defaultSchema: string,
): CellValues {
  const known = new Map<CellClass, readonly Scalar[]>();
  const scalarsOf = (cell: Cell): readonly Scalar[] => {
    const found = classes.of(cell);
    if (found === undefined) return ['any', null];
    const values = known.get(found) ?? scalarsOfClass(found, (each) => columnOf(each)?.type);
    known.set(found, values);
    const type = typeOfCell(columnOf(cell)?.type);
    // The id of a user is text, whatever it is compared with.
    const fits = ({ of, path }: Cell, value: Scalar): boolean =>
      value === null ||
      (type === undefined
        ? !('part' in of && of.part === 'auth' && path[0] === 'sub') || typeof value === 'string'
        : (typeof value === 'string') === (type === 'text'));
    return values.filter((value) => fits(cell, value));
  };
  function columnOf({ of, path }: Cell) {
    if (!('table' in of) || path.length !== 1) return undefined;
    const dot = of.table.indexOf('.');
    const [schema, name] =
      dot < 0 ? [defaultSchema, of.table] : [of.table.slice(0, dot), of.table.slice(dot + 1)];
    return catalog?.tables
      .find((table) => table.schema === schema && table.name === name)
      ?.columns.get(path[0] ?? '');
  }
  return {
    of(cell) {
      const own = hasElements(cell) ? [...wholesOf(cell), ...listsIn(cell)] : scalarsOf(cell);
      return columnOf(cell)?.nullable === false ? own.filter((value) => value !== null) : own;
    },
  };

  function hasElements(cell: Cell): boolean {
    return !cell.isElement && (classes.of({ ...cell, isElement: true })?.cells.size ?? 0) > 1;
  }
  /** What a list as a whole is compared with: as a rule nothing. */
  function wholesOf(cell: Cell): readonly Scalar[] {
    const found = classes.of(cell);
    const isCompared = found !== undefined && found.cells.size + found.constants.size > 1;
    return isCompared || isId(cell) ? scalarsOf(cell).filter((value) => value !== null) : [];
  }
  function listsIn(cell: Cell): readonly SourceValue[] {
    const elements = scalarsOf({ ...cell, isElement: true }).filter((value) => value !== null);
    const lists = listsOf(elements);
    return isId(cell) ? lists.map((list) => (list === null ? null : writeJson(list as Json))) : lists;
  }
}

/** A row has text, or a number, for its id. */
function isId({ of, path }: Cell): boolean {
  return 'table' in of && path.length === 1 && path[0] === 'id';
}

function typeOfCell(type: string | undefined): CellType | undefined {
  if (type === 'integer' || type === 'real') return 'number';
  return type === 'text' ? 'text' : undefined;
}

function listsOf(values: readonly Scalar[]): readonly SourceValue[] {
  const [first, second] = values;
  return [
    ...values.map((value) => [value]),
    [],
    ...(first !== undefined && second !== undefined ? [[first, second]] : []),
    null,
  ];
}

function scalarsOfClass(
  { cells, constants, isBoolean }: CellClass,
  typeOf: (cell: Cell) => string | undefined,
): readonly Scalar[] {
  const values = new Set<Scalar>(isBoolean ? [1n, 0n] : []);
  const numbers: (bigint | number)[] = [];
  for (const constant of constants) {
    if (constant === null) continue;
    values.add(constant);
    if (typeof constant !== 'string') numbers.push(constant);
  }
  // On both sides of each number that is compared.
  for (const number of numbers)
    for (const near of typeof number === 'bigint' ? [number - 1n, number + 1n] : [number - 1, number + 1])
      values.add(near);
  const types = new Set([...cells.values()].map((cell) => typeOfCell(typeOf(cell))));
  const isNumber =
    types.has('number') || (numbers.length > 0 && ![...constants].some((each) => typeof each === 'string'));
  const isText =
    !isNumber ||
    types.has('text') ||
    [...cells.values()].some(({ of }) => 'part' in of && of.part === 'auth');
  if (isNumber && !isBoolean) for (let n = 1; n <= freshValues; n++) values.add(BigInt(100 + n));
  if (isText && !isBoolean) for (const name of freshNames([...cells.values()], values)) values.add(name);
  return [...values, null];
}

/** `room1` and `room2` for a class with a column `room_id`. */
function freshNames(cells: readonly Cell[], taken: ReadonlySet<Scalar>): readonly string[] {
  const named = cells
    .map(({ path }) => path.at(-1) ?? '')
    .filter((name) => !['id', 'sub', ''].includes(name));
  const [shortest = 'value'] = named.sort((a, b) => a.length - b.length || compareTexts(a, b));
  const stem = shortest.replace(/_ids?$|Ids?$/, '') || 'value';
  const names: string[] = [];
  for (let n = 1; names.length < freshValues; n++) if (!taken.has(`${stem}${n}`)) names.push(`${stem}${n}`);
  return names;
}
