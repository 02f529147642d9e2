/** The statements of a migration that matter for syncing: they create or change tables. */
import type { ColumnDefault, ColumnReference, TableTrigger, TriggerEvent } from '../model/catalog.ts';
import type { Span } from '../text/span.ts';

export interface DdlName {
  /** Absent: the schema of the search path. */
  readonly schema?: string;
  readonly name: string;
  /** The span of the last part of the name. */
  readonly span: Span;
}

export interface DdlColumn {
  readonly name: string;
  readonly span: Span;
  /** The type as written, in lower case with single blanks; absent if there is none. */
  readonly type?: string;
  readonly nullable: boolean;
  /** Present if the column alone is the primary key. */
  readonly isPrimary?: true;
  /** The value of a row that is inserted without one; absent: NULL. */
  readonly default?: ColumnDefault;
  /** The values in a CHECK constraint. */
  readonly values?: readonly string[];
  readonly references?: DdlReference;
}

/** A reference to a table, or to one of its columns. Without a column, it refers to the primary key. */
export interface DdlReference {
  readonly table: DdlName;
  readonly column?: string;
  readonly onDelete?: ColumnReference['onDelete'];
}

export type DdlKey =
  | { readonly kind: 'key'; readonly column: string; readonly references: DdlReference }
  /** A foreign key of several columns. */
  | {
      readonly kind: 'composite key';
      readonly columns: readonly string[];
      readonly table: DdlName;
      readonly parentColumns: readonly string[];
      readonly onDelete: NonNullable<ColumnReference['onDelete']>;
    };

export type DdlStatement =
  | CreateTable
  | CreateView
  | { readonly kind: 'alter table'; readonly name: DdlName; readonly changes: readonly Change[] }
  | { readonly kind: 'drop table'; readonly names: readonly DdlName[] }
  | ({ readonly kind: 'trigger'; readonly name: DdlName; readonly trigger: string } & DdlTrigger)
  | { readonly kind: 'drop trigger'; readonly name: DdlName; readonly trigger: string }
  | { readonly kind: 'drop schema'; readonly names: readonly string[] }
  | { readonly kind: 'rename table'; readonly name: DdlName; readonly to: DdlName }
  /** A statement that requires these tables but changes none of their known properties. */
  | { readonly kind: 'use tables'; readonly names: readonly DdlName[] }
  /**
   * A new type. The class of its values is text, or depends on options and the class of another type, in which case it is unknown.
   */
  | {
      readonly kind: 'create type';
      readonly name: string;
      readonly form: 'text' | 'domain';
      readonly values?: readonly string[];
    }
  /** An enum value that is added, or the new name of an existing one. */
  | { readonly kind: 'add enum value'; readonly name: string; readonly value: string }
  | { readonly kind: 'rename type'; readonly name: string; readonly to: string }
  | { readonly kind: 'search path'; readonly schema?: string }
  /** A statement with an unknown effect on tables, columns or enums. The span is its beginning. */
  | { readonly kind: 'unclear'; readonly span: Span }
  /** A function or procedure. It is unclear what it does if it changes tables or runs SQL that is made at run time. */
  | {
      readonly kind: 'create routine';
      readonly name: string;
      readonly isUnclear: boolean;
      /** The names, in lower case, of the functions that it may call. */
      readonly calls: readonly string[];
      /** The effects that it has as a trigger. */
      readonly effects: TriggerEffects;
    }
  /** A statement that runs code, and does nothing else that matters here. */
  | { readonly kind: 'run code'; readonly span: Span; readonly calls: readonly string[] };

/** The trigger of a table, and the function that it calls. */
export interface DdlTrigger {
  readonly isBefore: boolean;
  readonly events: readonly TriggerEvent[];
  readonly routine: string | undefined;
  /** The texts that it passes to the function. */
  readonly args: readonly string[];
}

export interface TriggerEffects extends Pick<TableTrigger, 'fills' | 'writes'> {
  readonly mayFail: boolean;
  /** Whether the function may return NULL, so that a row is not written if the trigger runs before that. */
  readonly maySkip: boolean;
}

export interface CreateView {
  readonly kind: 'create view';
  readonly name: DdlName;
  readonly form: 'view' | 'materialized view';
  readonly columns?: readonly DdlColumn[];
}

export interface CreateTable {
  readonly kind: 'create table';
  readonly name: DdlName;
  readonly form?: 'unlogged table' | 'foreign table' | 'partitioned table';
  readonly partitionOf?: DdlName;
  readonly columns: readonly DdlColumn[];
  /** The columns of the primary key, if it is not declared by a column. */
  readonly primaryKey: readonly string[];
  readonly keys: readonly DdlKey[];
  /** The tables whose columns are copied to this table. */
  readonly from: readonly DdlName[];
  /** Whether the table has unknown columns, which come from a query. */
  readonly open: boolean;
}

/** One action of ALTER TABLE. */
export type Change = ColumnChange | TableChange;

export type ColumnChange =
  | { readonly kind: 'add'; readonly column: DdlColumn }
  | Extract<DdlKey, { kind: 'key' }>
  | { readonly kind: 'drop'; readonly column: string }
  | { readonly kind: 'rename'; readonly column: string; readonly to: string; readonly span: Span }
  | { readonly kind: 'retype'; readonly column: string; readonly type: string }
  | { readonly kind: 'nullable'; readonly column: string; readonly nullable: boolean }
  | { readonly kind: 'default'; readonly column: string; readonly default?: ColumnDefault }
  | { readonly kind: 'replace'; readonly column: string; readonly by: DdlColumn };

type TableChange =
  | Extract<DdlKey, { kind: 'composite key' }>
  | { readonly kind: 'drop constraint'; readonly name: string }
  | { readonly kind: 'rename table'; readonly to: string; readonly span: Span }
  | { readonly kind: 'row security'; readonly isOn: boolean }
  | { readonly kind: 'logged'; readonly isOn: boolean }
  | { readonly kind: 'attach partition' }
  | { readonly kind: 'set schema'; readonly schema: string };
