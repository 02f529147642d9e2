/**
 * The values that are tried for each cell: the constants of its class, values on each side of them if order matters, values that
 * occur nowhere else, and NULL. There are as many unique values as the class has slots in a sketch, so that all slots can differ.
 */
import type { Catalog, CatalogColumn } from '../../model/catalog.ts';
import { type Json, writeJson } from '../../plan/values/json.ts';
import type { SourceValue } from '../../plan/values/source.ts';
import { isBooleanColumn, listElementOf, storedValue } from '../stored/storedValue.ts';
import type { Cell } from './cells.ts';
import type { CellClass, Classes, Scalar } from './classes.ts';
import { freshTexts } from './freshTexts.ts';
import type { ModelLimit } from './model.ts';
import { pointsAround } from './points.ts';
import type { Sketch } from './sketches.ts';
import { variantsOf } from './variants.ts';

/** Interchangeable values: only equality distinguishes the values of one group. */
export interface Symmetry {
  readonly group: string;
  readonly indexOf: ReadonlyMap<Scalar, number>;
}

export interface CellValues {
  /** Returns the values of a cell in the order in which they are tried. */
  readonly of: (cell: Cell) => readonly SourceValue[];
  readonly symmetriesOf: (cell: Cell) => readonly Symmetry[];
  readonly limits: ReadonlySet<ModelLimit>;
}

interface ClassValues {
  readonly scalars: readonly Scalar[];
  readonly symmetries: readonly Symmetry[];
}

type ColumnOf = (cell: Cell) => CatalogColumn | undefined;

/** The maximum number of unique values for each class. */
const mostFresh = 6;
const fewestFresh = 2;

export function columnReader(catalog: Catalog | undefined, defaultSchema: string): ColumnOf {
  return ({ of, path, isElement }) => {
    if (!('table' in of) || path.length !== 1) return undefined;
    const dot = of.table.indexOf('.');
    const [schema, name] =
      dot < 0 ? [defaultSchema, of.table] : [of.table.slice(0, dot), of.table.slice(dot + 1)];
    const column = catalog?.tables
      .find((table) => table.schema === schema && table.name === name)
      ?.columns.get(path[0] ?? '');
    return isElement && column ? listElementOf(column) : column;
  };
}

export function valuesOfCells(classes: Classes, columnOf: ColumnOf, sketches: readonly Sketch[]): CellValues {
  const limits = new Set<ModelLimit>();
  const fresh = freshCounts(classes, sketches);
  const known = new Map<CellClass, ClassValues>();
  const classValuesOf = (cell: Cell): ClassValues => {
    const found = classes.of(cell);
    if (found === undefined) return { scalars: ['any', null], symmetries: [] };
    const values =
      known.get(found) ?? valuesOfClass(found, columnOf, fresh.get(found) ?? fewestFresh, known.size, limits);
    known.set(found, values);
    return values;
  };
  const scalarsOf = (cell: Cell): readonly Scalar[] => {
    const numeric = [...(classes.of(cell)?.cells.values() ?? [])].some(
      (each) => typeOfColumn(columnOf(each)) === 'number',
    );
    const { scalars } = classValuesOf(cell);
    const fitting = scalars.filter((value) => fits(cell, columnOf(cell), value, numeric, limits));
    const form = formOf(columnOf(cell), classes.of(cell));
    const formed =
      form === undefined ? fitting : fitting.filter((value) => value === null || form.test(String(value)));
    const storable = formed.filter((value) => isStorable(cell, columnOf(cell), value));
    // The other values may not represent all that the column can have.
    if (storable.length < formed.length) limits.add('types');
    const written = storable.map((value) => storedForm(columnOf(cell), value));
    return [...new Set([...storable, ...written])];
  };
  const hasElements = (cell: Cell): boolean =>
    !cell.isElement && classes.of({ ...cell, isElement: true }) !== undefined;
  /** Returns the scalars with which an entire list is compared. */
  const wholesOf = (cell: Cell): readonly Scalar[] => {
    const found = classes.of(cell);
    const isCompared = found !== undefined && found.cells.size + found.constants.size > 1;
    if (isCompared && !isId(cell)) limits.add('lists');
    return isCompared || isId(cell) ? scalarsOf(cell).filter((value) => value !== null) : [];
  };
  const listsIn = (cell: Cell): readonly SourceValue[] => {
    const lists = listsOf(
      scalarsOf({ ...cell, isElement: true }).filter((value) => value !== null),
      limits,
    );
    return isId(cell) ? lists.map((list) => (list === null ? null : writeJson(list as Json))) : lists;
  };
  return {
    of(cell) {
      const own = hasElements(cell) ? [...wholesOf(cell), ...listsIn(cell)] : scalarsOf(cell);
      return columnOf(cell)?.nullable === false ? own.filter((value) => value !== null) : own;
    },
    symmetriesOf: (cell) =>
      hasElements(cell)
        ? [...classValuesOf(cell).symmetries, ...classValuesOf({ ...cell, isElement: true }).symmetries]
        : classValuesOf(cell).symmetries,
    limits,
  };
}

/** Returns, for each class, the number of different values that it can have in one sketch. */
function freshCounts(classes: Classes, sketches: readonly Sketch[]): ReadonlyMap<CellClass, number> {
  const counts = new Map<CellClass, number>();
  for (const { rows, request } of sketches) {
    const slots = new Map<CellClass, Set<number>>();
    for (const { cell, slot } of [...rows.flatMap(({ cells }) => [...cells.values()]), ...request.values()])
      for (const each of [cell, { ...cell, isElement: true as const }]) {
        const found = classes.of(each);
        if (found === undefined) continue;
        slots.set(found, (slots.get(found) ?? new Set()).add(slot));
      }
    for (const [found, { size }] of slots)
      counts.set(found, Math.max(size, counts.get(found) ?? fewestFresh));
  }
  return counts;
}

/** Whether a cell is the id of a row, which must be a string or a number. */
function isId({ of, path }: Cell): boolean {
  return 'table' in of && path.length === 1 && path[0] === 'id';
}

function fits(
  { of, path }: Cell,
  column: CatalogColumn | undefined,
  value: Scalar,
  isNumeric: boolean,
  limits: Set<ModelLimit>,
): boolean {
  if (value === null) return true;
  if (isBooleanColumn(column)) return value === 0n || value === 1n;
  if (column?.values !== undefined) return typeof value === 'string' && column.values.includes(value);
  switch (column?.type) {
    case 'integer':
      return typeof value === 'bigint';
    case 'real':
      return typeof value === 'number';
    case 'text':
      return typeof value === 'string';
    case 'blob':
      // Samples are only texts.
      limits.add('types');
      return typeof value === 'string';
    default:
      // The id of a user is a text, unless a column of numbers is compared with it.
      return (
        isNumeric || !('part' in of && of.part === 'auth' && path[0] === 'sub') || typeof value === 'string'
      );
  }
}

/** The options do not matter here, because they only change how times and types of one's own are written. */
const anyOptions = { timestampsIso8601: true, customPostgresTypes: false };

/** Whether a column of lists or of JSON can contain a text. */
function isStorable({ isElement }: Cell, column: CatalogColumn | undefined, value: Scalar): boolean {
  if (isElement || value === null || !/^jsonb?$|\[|\barray\b/i.test(column?.sourceType ?? '')) return true;
  return storedValue(value, column ?? {}, anyOptions).kind !== 'refused';
}

/** Returns the form in which a number with a scale, or a padded text, is compared. */
function storedForm(column: CatalogColumn | undefined, value: Scalar): Scalar {
  const { sourceType = '' } = column ?? {};
  if (!/^(?:numeric|decimal|char|character|bpchar)\(/.test(sourceType)) return value;
  const judged = storedValue(value, { sourceType }, anyOptions);
  return judged.kind === 'stored' && typeof judged.value === 'string' ? judged.value : value;
}

const date = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/;
const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

/**
 * Returns the form of all values of a column; undefined if none is known, or if values of this form may not exist on every side of
 * the constants with which the column is compared.
 */
function formOf(column: CatalogColumn | undefined, found: CellClass | undefined): RegExp | undefined {
  if (found === undefined || found.isComputed) return undefined;
  const type = column?.sourceType ?? '';
  if (/^uuid$/i.test(type)) return found.isOrdered ? undefined : uuid;
  const areDates = [...found.constants].every((each) => each === null || date.test(String(each)));
  return /^date$/i.test(type) && areDates ? date : undefined;
}

function typeOfColumn(column: CatalogColumn | undefined): 'number' | 'text' | undefined {
  if (column?.type === 'integer' || column?.type === 'real') return 'number';
  return column?.type === 'text' ? 'text' : undefined;
}

/** The maximum number of values that are also tried in pairs. */
const mostPaired = 8;

function listsOf(values: readonly Scalar[], limits: Set<ModelLimit>): readonly SourceValue[] {
  if (values.length > mostPaired) limits.add('lists');
  const paired = values.slice(0, mostPaired);
  const pairs = paired.flatMap((one, index) => paired.slice(index + 1).map((other) => [one, other]));
  return [...values.map((value) => [value]), [], ...pairs, null];
}

function valuesOfClass(
  found: CellClass,
  columnOf: ColumnOf,
  slots: number,
  number: number,
  limits: Set<ModelLimit>,
): ClassValues {
  const { cells, constants, isBoolean, isOrdered, isComputed, images } = found;
  if (slots > mostFresh) limits.add('size');
  const fresh = Math.min(slots, mostFresh);
  const columns = [...cells.values()].map(columnOf);
  const isReal = columns.some((column) => column?.type === 'real');
  const values = new Set<Scalar>();
  if (isBoolean || columns.some(isBooleanColumn)) for (const each of [1n, 0n]) values.add(each);
  for (const column of columns) for (const each of column?.values ?? []) values.add(each);
  const written = [...constants].filter((each) => each !== null);
  for (const each of written) values.add(each);
  if (isOrdered || isComputed) for (const each of pointsAround(written, fresh)) values.add(each);
  if (isComputed) for (const each of variantsOf(written)) values.add(each);

  const types = new Set(columns.map(typeOfColumn));
  const isOfNumbers =
    types.has('number') ||
    (written.some((each) => typeof each !== 'string') && !written.some((each) => typeof each === 'string'));
  const isOfText =
    !isOfNumbers ||
    types.has('text') ||
    (types.has(undefined) && (isOrdered || isComputed)) ||
    [...cells.values()].some(({ of }) => 'part' in of && of.part === 'auth');
  const hasNumbers = isOfNumbers || ((isOrdered || isComputed) && types.has(undefined));
  const numbers = hasNumbers ? Array.from({ length: fresh }, (_, n) => BigInt(101 + n)) : [];
  const groups = isOfText ? freshTexts([...cells.values()], columns, values, fresh) : [];
  const texts = groups.flat();
  const own = isBoolean ? [] : isOfNumbers ? [...numbers, ...texts] : [...texts, ...numbers];
  for (const each of own) values.add(each);
  // A user's value may be written differently from the same value in a row.
  if (isComputed)
    for (const each of texts.slice(0, 1))
      for (const other of [each.toUpperCase(), ` ${each} `]) values.add(other);
  if (isReal) for (const each of [...values]) if (typeof each === 'bigint') values.add(Number(each));
  // Computed values are tried for the cells with which they are compared.
  for (const image of images) for (const each of [...values]) addImage(values, image(each));
  const isSymmetric = !isOrdered && !isComputed && !isReal;
  return {
    scalars: [...values, null],
    symmetries: isSymmetric
      ? [numbers, ...groups].map((group, kind) => ({
          group: `${number} ${kind}`,
          indexOf: new Map(group.map((value, index): [Scalar, number] => [value, index])),
        }))
      : [],
  };
}

/** The maximum number of values. A search with more values would be too large to be useful. */
const mostValues = 150;

function addImage(values: Set<Scalar>, image: Scalar | undefined): void {
  if (image !== undefined && image !== null && values.size < mostValues) values.add(image);
}
