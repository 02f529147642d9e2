/** Applies a statement to the existing tables. */
import type { ColumnDefault, ColumnReference, CompositeKey, RowlessForm } from '../model/catalog.ts';
import type { Span } from '../text/span.ts';
import type {
  Change,
  ColumnChange,
  CreateTable,
  CreateView,
  DdlColumn,
  DdlKey,
  DdlName,
  DdlReference,
  DdlStatement,
  DdlTrigger,
} from './statement.ts';

export interface DdlPlace {
  readonly path: string;
  readonly span: Span;
}

export interface ColumnState {
  readonly type?: string;
  /** Absent if it is unknown. */
  readonly nullable?: boolean;
  readonly default?: ColumnDefault;
  readonly place: DdlPlace;
  readonly values?: readonly string[];
  readonly references?: ColumnReference;
}

export interface TableState {
  readonly schema: string;
  readonly name: string;
  readonly place: DdlPlace;
  readonly columns: Map<string, ColumnState>;
  /** Whether the table may have unknown columns. */
  readonly open: boolean;
  /** Whether a statement creates the table. A table that is only changed was created outside the known files. */
  readonly isMade: boolean;
  readonly rowSecurity?: boolean;
  /** The triggers by their names. */
  readonly triggers?: ReadonlyMap<string, DdlTrigger>;
  readonly keys?: readonly CompositeKey[];
  /** The columns of the primary key. Absent: unknown. */
  readonly primaryKey?: readonly string[];
  /** Absent: an ordinary table. */
  readonly form?: RowlessForm;
}

export interface State {
  readonly tables: Map<string, TableState>;
  /**
   * Tables that a statement requires, for example for an index or a foreign key. If no statement creates them, they were created
   * outside the known files.
   */
  readonly used: Map<string, TableState>;
  /** The statements with an unknown effect. */
  readonly unclear: DdlPlace[];
  /** The functions and procedures by their names in lower case. */
  readonly routines: Map<string, Routine>;
  /** The schema of unqualified names. */
  schema: string;
}

type Routine = Pick<Extract<DdlStatement, { kind: 'create routine' }>, 'isUnclear' | 'calls' | 'effects'>;

export function emptyState(): State {
  return { tables: new Map(), used: new Map(), unclear: [], routines: new Map(), schema: '' };
}

export function runStatement(
  state: State,
  path: string,
  statement: DdlStatement,
  defaultSchema: string,
): void {
  switch (statement.kind) {
    case 'create table':
      create(state, path, statement);
      break;
    case 'create view':
      createView(state, path, statement);
      break;
    case 'alter table':
      alter(state, path, statement.name, statement.changes);
      break;
    case 'drop table':
      for (const name of statement.names) remove(state, keyOf(state, name));
      break;
    case 'drop schema':
      for (const [key, { schema }] of [...state.tables, ...state.used])
        if (statement.names.includes(schema)) remove(state, key);
      break;
    case 'use tables':
      for (const name of statement.names) use(state, path, name);
      break;
    case 'trigger': {
      const { name, trigger, isBefore, events, routine, args } = statement;
      const key = keyOf(state, name);
      const table = state.tables.get(key);
      if (table === undefined) use(state, path, name);
      else {
        const triggers = new Map(table.triggers).set(trigger, { isBefore, events, routine, args });
        state.tables.set(key, { ...table, triggers });
      }
      break;
    }
    case 'drop trigger': {
      const key = keyOf(state, statement.name);
      const table = state.tables.get(key);
      const triggers = new Map(table?.triggers);
      if (table !== undefined && triggers.delete(statement.trigger))
        state.tables.set(key, { ...table, triggers });
      break;
    }
    case 'rename table':
      move(state, statement.name, { ...statement.to, place: { path, span: statement.to.span } });
      break;
    case 'search path':
      state.schema = statement.schema ?? defaultSchema;
      break;
    case 'unclear':
      state.unclear.push({ path, span: statement.span });
      break;
    case 'create routine':
      addRoutine(state, statement);
      break;
    case 'run code':
      if (callsUnclear(state, statement.calls)) state.unclear.push({ path, span: statement.span });
      break;
    case 'create type':
    case 'add enum value':
      break;
  }
}

/** Adds a routine. Overloaded ones count together, because a call does not show which of them it means. */
function addRoutine(
  { routines }: State,
  { name, isUnclear, calls, effects }: Routine & { readonly name: string },
): void {
  const key = name.toLowerCase();
  const known = routines.get(key);
  routines.set(key, {
    isUnclear: isUnclear || known?.isUnclear === true,
    calls: [...(known?.calls ?? []), ...calls],
    // A trigger function has no parameters, so a later one replaces it.
    effects,
  });
}

/** Whether one of the functions, or a function that it calls, is unclear. */
function callsUnclear({ routines }: State, calls: readonly string[]): boolean {
  const called = new Set(calls);
  for (const name of called) {
    const routine = routines.get(name);
    if (routine?.isUnclear === true) return true;
    for (const inner of routine?.calls ?? []) called.add(inner);
  }
  return false;
}

function keyOf(state: State, { schema = state.schema, name }: Pick<DdlName, 'schema' | 'name'>): string {
  return JSON.stringify([schema, name]);
}

function remove(state: State, key: string): void {
  state.tables.delete(key);
  state.used.delete(key);
}

function use(state: State, path: string, name: DdlName): void {
  const key = keyOf(state, name);
  if (!state.used.has(key)) state.used.set(key, unmade(state, path, name));
}

function unmade(state: State, path: string, { schema = state.schema, name, span }: DdlName): TableState {
  return { schema, name, place: { path, span }, columns: new Map(), open: true, isMade: false };
}

/**
 * Creates a table. An existing table keeps its columns, because only one of the two statements was run and it is not known which
 * one.
 */
function create(
  state: State,
  path: string,
  { name, form, partitionOf, columns, primaryKey, keys, from, open }: CreateTable,
): void {
  if (partitionOf) setForm(state, partitionOf, 'partitioned table');
  const key = keyOf(state, name);
  const known = state.tables.get(key);
  const sources = from.map((source) => state.tables.get(keyOf(state, source)));
  const all = new Map([
    ...(known?.columns ?? []),
    ...sources.flatMap((source) => [...(source?.columns ?? [])]),
  ]);
  for (const column of columns) all.set(column.name, columnState(state, path, column));
  for (const key of keys) if (key.kind === 'key') setKey(state, path, all, key.column, key.references);
  const composite = keys.flatMap((key) => (key.kind === 'key' ? [] : [placeKey(state, path, key)]));
  for (const column of primaryKey) {
    const state = all.get(column);
    if (state) all.set(column, { ...state, nullable: false });
  }
  const primary = [...primaryKey, ...columns.filter((each) => each.isPrimary).map((each) => each.name)];
  const isOpen = open || sources.some((source) => !source || source.open) || known?.open === true;
  state.tables.set(key, {
    schema: name.schema ?? state.schema,
    name: name.name,
    place: { path, span: name.span },
    columns: all,
    open: isOpen,
    isMade: true,
    ...(known?.rowSecurity && { rowSecurity: true }),
    ...(known?.triggers && { triggers: known.triggers }),
    ...(composite.length > 0 && { keys: composite }),
    ...(primary.length > 0 && { primaryKey: primary }),
    ...(form && { form }),
  });
}

function setForm(state: State, name: DdlName, form: RowlessForm | undefined): void {
  const table = state.tables.get(keyOf(state, name));
  if (!table) return;
  const { form: _, ...rest } = table;
  state.tables.set(keyOf(state, name), { ...rest, ...(form && { form }) });
}

function createView(state: State, path: string, { name, form, columns }: CreateView): void {
  state.tables.set(keyOf(state, name), {
    schema: name.schema ?? state.schema,
    name: name.name,
    place: { path, span: name.span },
    columns: new Map((columns ?? []).map((column) => [column.name, { place: { path, span: column.span } }])),
    open: columns === undefined,
    isMade: true,
    form,
  });
}

function columnState(
  state: State,
  path: string,
  { type, nullable, default: filled, span, values, references }: DdlColumn,
): ColumnState {
  return {
    nullable,
    ...(filled !== undefined && { default: filled }),
    place: { path, span },
    ...(type !== undefined && { type }),
    ...(values && { values }),
    ...(references && { references: placeReference(state, path, references) }),
  };
}

function placeReference(
  state: State,
  path: string,
  { table, column, onDelete }: DdlReference,
): ColumnReference {
  use(state, path, table);
  return {
    schema: table.schema ?? state.schema,
    table: table.name,
    ...(column !== undefined && { column }),
    ...(onDelete && { onDelete }),
  };
}

function placeKey(
  state: State,
  path: string,
  { columns, table, parentColumns, onDelete }: Extract<DdlKey, { kind: 'composite key' }>,
): CompositeKey {
  use(state, path, table);
  return { columns, schema: table.schema ?? state.schema, table: table.name, parentColumns, onDelete };
}

function setKey(
  state: State,
  path: string,
  columns: Map<string, ColumnState>,
  column: string,
  references: DdlReference,
): void {
  const known = columns.get(column);
  if (known) columns.set(column, { ...known, references: placeReference(state, path, references) });
}

function alter(state: State, path: string, name: DdlName, changes: readonly Change[]): void {
  const key = keyOf(state, name);
  const table = state.tables.get(key) ?? unmade(state, path, name);
  state.tables.set(key, table);
  for (const change of changes) {
    if (change.kind === 'rename table')
      move(state, name, { schema: table.schema, name: change.to, place: { path, span: change.span } });
    else if (change.kind === 'set schema')
      move(state, name, { schema: change.schema, name: table.name, place: table.place });
    else if (change.kind === 'row security') protect(state, name, change.isOn);
    else if (change.kind === 'logged') setForm(state, name, change.isOn ? undefined : 'unlogged table');
    else if (change.kind === 'drop constraint') dropConstraint(state, name, change.name);
    else if (change.kind === 'composite key') addKey(state, name, placeKey(state, path, change));
    else if (change.kind === 'attach partition') setForm(state, name, 'partitioned table');
    else alterColumn(state, table.columns, path, change);
  }
}

function protect(state: State, name: DdlName, isProtected: boolean): void {
  const table = state.tables.get(keyOf(state, name));
  if (table) state.tables.set(keyOf(state, name), { ...table, rowSecurity: isProtected });
}

function addKey(state: State, name: DdlName, key: CompositeKey): void {
  const table = state.tables.get(keyOf(state, name));
  if (table) state.tables.set(keyOf(state, name), { ...table, keys: [...(table.keys ?? []), key] });
}

/**
 * Forgets what the constraint may have required: that of the column in PostgreSQL's usual names of constraints, or else that of all
 * columns.
 */
function dropConstraint(state: State, name: DdlName, constraint: string): void {
  const table = state.tables.get(keyOf(state, name));
  if (table === undefined) return;
  const usual = [...table.columns.keys()].filter((column) =>
    ['check', 'fkey'].some((kind) => constraint === `${table.name}_${column}_${kind}`),
  );
  for (const column of usual.length > 0 ? usual : table.columns.keys()) {
    const known = table.columns.get(column);
    if (known === undefined) continue;
    const { values: _, references, ...rest } = known;
    table.columns.set(column, { ...rest, ...(references && { references: withoutAction(references) }) });
  }
  const { keys: _, ...others } = table;
  if (usual.length === 0) state.tables.set(keyOf(state, name), others);
}

/** Returns the reference without its effect, so that it only says which rows belong together. */
function withoutAction({ onDelete: _, ...reference }: ColumnReference): ColumnReference {
  return reference;
}

function alterColumn(
  state: State,
  columns: Map<string, ColumnState>,
  path: string,
  change: ColumnChange,
): void {
  if (change.kind === 'add') {
    columns.set(change.column.name, columnState(state, path, change.column));
    return;
  }
  const before = columns.get(change.column);
  switch (change.kind) {
    case 'drop':
      columns.delete(change.column);
      return;
    case 'rename':
      columns.delete(change.column);
      columns.set(change.to, { ...before, place: { path, span: change.span } });
      return;
    case 'replace':
      columns.delete(change.column);
      columns.set(change.by.name, columnState(state, path, change.by));
      return;
    case 'retype':
      if (before) columns.set(change.column, { ...before, type: change.type });
      return;
    case 'key':
      setKey(state, path, columns, change.column, change.references);
      return;
    case 'default': {
      if (before === undefined) return;
      const { default: _, ...rest } = before;
      columns.set(change.column, {
        ...rest,
        ...(change.default !== undefined && { default: change.default }),
      });
      return;
    }
    case 'nullable':
      if (before) columns.set(change.column, { ...before, nullable: change.nullable });
      return;
  }
}

interface Destination {
  readonly schema?: string;
  readonly name: string;
  readonly place: DdlPlace;
}

function move(state: State, from: DdlName, { schema, name, place }: Destination): void {
  const key = keyOf(state, from);
  const table = state.tables.get(key);
  if (!table) return;
  remove(state, key);
  const moved = { ...table, schema: schema ?? table.schema, name, place };
  state.tables.set(keyOf(state, moved), moved);
}
