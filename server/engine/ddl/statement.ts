/** The tables that a statement of a migration creates or changes, as far as it matters for syncing. */
import type { Span } from '../text/span.ts';

export interface DdlName {
  /** Absent: that of the search path. */
  readonly schema?: string;
  readonly name: string;
  /** The last part, as written. */
  readonly span: Span;
}

export interface DdlColumn {
  readonly name: string;
  readonly span: Span;
  /** The type as written, in lower case with single blanks; absent if there is none. */
  readonly type?: string;
  readonly nullable: boolean;
  /** The values that a CHECK lists. */
  readonly values?: readonly string[];
  readonly references?: DdlReference;
}

/** A reference. Without a column, it is to the primary key of the table. */
export interface DdlReference {
  readonly table: DdlName;
  readonly column?: string;
}

export interface DdlKey {
  readonly column: string;
  readonly references: DdlReference;
}

export type DdlStatement =
  | CreateTable
  | CreateView
  | { readonly kind: 'alter table'; readonly name: DdlName; readonly changes: readonly Change[] }
  | { readonly kind: 'drop table'; readonly names: readonly DdlName[] }
  | { readonly kind: 'drop schema'; readonly names: readonly string[] }
  | { readonly kind: 'rename table'; readonly name: DdlName; readonly to: DdlName }
  /** A statement that needs these tables, and changes no known property of them. */
  | { readonly kind: 'use tables'; readonly names: readonly DdlName[] }
  /** The class of its values is text; or that of another type, depending on options: then it is not known. */
  | {
      readonly kind: 'create type';
      readonly name: string;
      readonly form: 'text' | 'domain';
      readonly values?: readonly string[];
    }
  /** Added, or a new name of another one. */
  | { readonly kind: 'add enum value'; readonly name: string; readonly value: string }
  | { readonly kind: 'rename type'; readonly name: string; readonly to: string }
  | { readonly kind: 'search path'; readonly schema?: string };

export interface CreateView {
  readonly kind: 'create view';
  readonly name: DdlName;
  readonly form: 'view' | 'materialized view';
  readonly columns?: readonly DdlColumn[];
}

export interface CreateTable {
  readonly kind: 'create table';
  readonly name: DdlName;
  readonly form?: 'unlogged table' | 'foreign table';
  readonly partitionOf?: DdlName;
  readonly columns: readonly DdlColumn[];
  readonly notNull: readonly string[];
  readonly keys: readonly DdlKey[];
  /** The tables whose columns it also has. */
  readonly from: readonly DdlName[];
  /** Whether it has unknown columns: those of a query. */
  readonly open: boolean;
}

/** One part of ALTER TABLE. */
export type Change = ColumnChange | TableChange;

export type ColumnChange =
  | { readonly kind: 'add'; readonly column: DdlColumn }
  | { readonly kind: 'key'; readonly column: string; readonly references: DdlReference }
  | { readonly kind: 'drop'; readonly column: string }
  | { readonly kind: 'rename'; readonly column: string; readonly to: string; readonly span: Span }
  | { readonly kind: 'retype'; readonly column: string; readonly type: string }
  | { readonly kind: 'nullable'; readonly column: string; readonly nullable: boolean }
  | { readonly kind: 'replace'; readonly column: string; readonly by: DdlColumn };

type TableChange =
  | { readonly kind: 'rename table'; readonly to: string; readonly span: Span }
  | { readonly kind: 'row security'; readonly isOn: boolean }
  | { readonly kind: 'logged'; readonly isOn: boolean }
  | { readonly kind: 'attach partition' }
  | { readonly kind: 'set schema'; readonly schema: string };
