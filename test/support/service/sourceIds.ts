import type { ColumnId, TableId } from '../../../server/service/ground/sourceIds.ts';

export const tableId = (number: number): TableId => number as TableId;

export const columnIds = (numbers: Readonly<Record<string, number>>): Readonly<Record<string, ColumnId>> =>
  numbers as Readonly<Record<string, ColumnId>>;
