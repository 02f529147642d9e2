/** Runs migrations in order and returns the tables that exist after the last one. */

import { joinPath, splitPath } from '../../shared/uri.ts';
import {
  type Catalog,
  type CatalogColumn,
  type CatalogTable,
  filesCatalog,
  openCatalog,
} from '../model/catalog.ts';
import { compareTexts } from '../text/order.ts';
import {
  type ColumnState,
  type DdlPlace,
  emptyState,
  runStatement,
  type State,
  type TableState,
} from './runStatement.ts';
import type { DdlStatement } from './statement.ts';
import { toTrigger } from './triggers.ts';
import { classOfType, type OwnTypes } from './types.ts';

interface DdlFile {
  /** The path in the caller's notation, with `/` between folders. */
  readonly path: string;
  readonly statements: readonly DdlStatement[];
}

export interface DdlCatalog {
  readonly catalog: Catalog;
  /** The statements with an unknown effect. If there are any, the catalog is open. */
  readonly unclear: readonly DdlPlace[];
  /** Returns where a table or column is named by the statement that creates it. */
  readonly placeOf: (
    table: { readonly schema: string; readonly name: string },
    column?: string,
  ) => DdlPlace | undefined;
}

/**
 * Returns undefined if no table is created. Each folder is a separate history, in the order of its file names. If several histories
 * describe the same table, their descriptions are merged, because knowing too much is better than knowing something wrong.
 */
export function foldDdl(files: readonly DdlFile[], defaultSchema: string): DdlCatalog | undefined {
  const histories = new Map<string, State>();
  const types = typesIn(files);
  const inOrder = files.toSorted((a, b) => compareNames(a.path, b.path));
  for (const { path, statements } of inOrder.filter((file) => !isWayBack(file.path))) {
    const history = historyOf(path);
    const state = histories.get(history) ?? emptyState();
    histories.set(history, state);
    state.schema = defaultSchema;
    for (const statement of statements) runStatement(state, path, statement, defaultSchema);
  }
  return catalogOf([...histories.values()], types, enumsIn(files));
}

/** Runs one history in the given order. */
export function foldScripts(scripts: readonly DdlFile[], defaultSchema: string): DdlCatalog | undefined {
  const state = emptyState();
  for (const { path, statements } of scripts) {
    state.schema = defaultSchema;
    for (const statement of statements) runStatement(state, path, statement, defaultSchema);
  }
  return catalogOf([state], typesIn(scripts), enumsIn(scripts));
}

/** The values of each enum type. */
type Enums = ReadonlyMap<string, readonly string[]>;

function catalogOf(states: readonly State[], types: OwnTypes, enums: Enums): DdlCatalog | undefined {
  const tables = merge(states);
  if (tables.size === 0) return undefined;
  const routines: State['routines'] = new Map(states.flatMap((state) => [...state.routines]));
  const made = [...tables.values()].map((table) => tableOf(table, { tables, types, enums, routines }));
  const unclear = states.flatMap((state) => state.unclear);
  const catalog = filesCatalog(made);
  return {
    catalog: unclear.length === 0 ? catalog : openCatalog(catalog),
    unclear,
    placeOf({ schema, name }, column) {
      const table = tables.get(keyOf(schema, name));
      return column === undefined ? table?.place : table?.columns.get(column)?.place;
    },
  };
}

function keyOf(schema: string, name: string): string {
  return JSON.stringify([schema, name]);
}

/**
 * Whether a file is a down migration: `2_add.down.sql`, `2-add-down.sql`, `down.sql`, `2_add_rollback.sql`, or Flyway's
 * `U2__undo.sql`.
 */
export function isWayBack(path: string): boolean {
  return /(?:^|[/._-])down\.sql$|[._-](?:rollback|revert|undo)\.sql$|\/U[\d._]+__[^/]*$/i.test(path);
}

/**
 * Returns the folder of a file's history. Prisma, Hasura and newer versions of Drizzle have one folder per migration, so their
 * history is in the folder above.
 */
export function historyOf(path: string): string {
  const { folders } = splitPath(path);
  return joinPath(...(/\/(?:migration|up)\.sql$/i.test(path) ? folders.slice(0, -1) : folders));
}

/** Compares file names. Numbers in names are compared as numbers, as in `V2__a.sql` and `V10__b.sql`. */
export function compareNames(a: string, b: string): number {
  const others = partsOf(b);
  for (const [index, part] of partsOf(a).entries()) {
    const other = others[index];
    if (other === undefined) return 1;
    const order = compareParts(part, other);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

function partsOf(name: string): readonly string[] {
  return name.toLowerCase().match(/\d+|\D+/g) ?? [];
}

function compareParts(a: string, b: string): number {
  // A date precedes a timestamp of the next day, although it has fewer digits.
  const areNumbers = /^\d/.test(a) && /^\d/.test(b) && !(isDate.test(a) && isDate.test(b));
  if (!areNumbers) return compareTexts(a, b);
  const difference = BigInt(a) - BigInt(b);
  return difference === 0n ? 0 : difference < 0n ? -1 : 1;
}

/** Matches `20260131` and `20260131120000`. */
const isDate = /^(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:[0-2]\d|3[01])/;

function typesIn(files: readonly DdlFile[]): OwnTypes {
  const created = files.flatMap(({ statements }) => statements.filter((each) => each.kind === 'create type'));
  return new Map(created.map(({ name, form }) => [name, form]));
}

/**
 * Returns the values of enums. All values that a type of this name has ever had are included, because no possible value may be
 * missing.
 */
function enumsIn(files: readonly DdlFile[]): Enums {
  const enums = new Map<string, readonly string[]>();
  const add = (name: string, values: readonly string[] = []) =>
    enums.set(name, [...new Set([...(enums.get(name) ?? []), ...values])]);
  for (const statement of files.flatMap(({ statements }) => statements)) {
    if (statement.kind === 'create type' && statement.values) add(statement.name, statement.values);
    if (statement.kind === 'add enum value' && enums.has(statement.name))
      add(statement.name, [statement.value]);
    if (statement.kind === 'rename type' && enums.has(statement.name))
      add(statement.to, enums.get(statement.name));
  }
  return enums;
}

function merge(states: readonly State[]): ReadonlyMap<string, TableState> {
  const merged = new Map<string, TableState>();
  for (const table of states.flatMap(({ tables }) => [...tables.values()])) {
    const key = keyOf(table.schema, table.name);
    const known = merged.get(key);
    if (known === undefined) merged.set(key, table);
    else merged.set(key, known.isMade ? mergeTables(known, table) : mergeTables(table, known));
  }
  // A history that neither creates nor changes a table reveals too little about the other tables.
  if (merged.size === 0) return merged;
  for (const [key, table] of states.flatMap(({ used }) => [...used]))
    if (!merged.has(key)) merged.set(key, table);
  return merged;
}

function mergeTables(first: TableState, second: TableState): TableState {
  const columns = new Map(first.columns);
  for (const [name, column] of second.columns) {
    const known = columns.get(name);
    columns.set(name, known ? mergeColumns(known, column) : column);
  }
  const isMade = first.isMade || second.isMade;
  const open = [first, second].some((table) => table.open && (table.isMade || !isMade));
  const rowSecurity = first.rowSecurity === true || second.rowSecurity === true;
  const triggers = new Map([...(first.triggers ?? []), ...(second.triggers ?? [])]);
  const { form, ...rest } = first;
  // If one history creates an ordinary table, the form is unknown.
  const isSame = form !== undefined && (form === second.form || !second.isMade);
  return { ...rest, columns, isMade, open, rowSecurity, triggers, ...(isSame && { form }) };
}

function mergeColumns(a: ColumnState, b: ColumnState): ColumnState {
  const { type, nullable, default: filled, ...rest } = a;
  const isSameDefault = JSON.stringify(filled) === JSON.stringify(b.default);
  return {
    ...rest,
    ...(type !== undefined && type === b.type && { type }),
    ...(nullable !== undefined && nullable === b.nullable && { nullable }),
    // If the histories have different defaults, the current one is unknown.
    ...(isSameDefault ? filled !== undefined && { default: filled } : { default: 'computed' as const }),
  };
}

interface CatalogParts {
  readonly tables: ReadonlyMap<string, TableState>;
  readonly types: OwnTypes;
  readonly enums: Enums;
  readonly routines: State['routines'];
}

function tableOf(
  { schema, name, columns, open, rowSecurity = false, triggers, keys, form }: TableState,
  { tables, types, enums, routines }: CatalogParts,
): CatalogTable {
  const known = [...(triggers ?? [])].map(([trigger, ddl]) => toTrigger(trigger, ddl, routines));
  return {
    tag: 'default',
    schema,
    name,
    columns: new Map(
      [...columns].map(([column, state]) => [
        column,
        columnOf(column, withColumn(state, tables), types, enums),
      ]),
    ),
    ...(open && { open }),
    ...(rowSecurity && { rowSecurity }),
    ...(known.length > 0 && { triggers: known }),
    ...(keys && { keys }),
    ...(form && { form }),
  };
}

/** Adds the column to which the foreign key of a column refers, if it refers to a primary key of one column. */
function withColumn(state: ColumnState, tables: ReadonlyMap<string, TableState>): ColumnState {
  const { references } = state;
  if (references === undefined || references.column !== undefined) return state;
  const [column, second] = tables.get(keyOf(references.schema, references.table))?.primaryKey ?? [];
  return column === undefined || second !== undefined
    ? state
    : { ...state, references: { ...references, column } };
}

function columnOf(
  name: string,
  { type: sourceType, nullable, default: filled, values, references }: ColumnState,
  types: OwnTypes,
  enums: Enums,
): CatalogColumn {
  const listed = values ?? enums.get(/^(?:[\w$]+\.)*([\w$]+)$/.exec(sourceType ?? '')?.[1] ?? '');
  const type = sourceType === undefined ? undefined : classOfType(sourceType, types);
  return {
    name,
    ...(type !== undefined && { type }),
    ...(sourceType !== undefined && { sourceType }),
    ...(nullable !== undefined && { nullable }),
    ...(filled !== undefined && { default: filled }),
    ...(listed && { values: listed }),
    ...(references && { references }),
  };
}
