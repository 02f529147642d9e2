/**
 * Numbers by which a source distinguishes its tables, and the columns of a table, from others of the same name. Only the source
 * knows what they mean; every other room only compares and stores them.
 */
export type TableId = number & { readonly table: unique symbol };
export type ColumnId = number & { readonly column: unique symbol };
