/** Tables in the form that `relations.ts` compares. */
import type { ColumnReference } from '../model/catalog.ts';
import type { NamedTable } from './relations.ts';
import type { VisibleTable } from './visible.ts';

export function toNamed({ source, columns }: Pick<VisibleTable, 'source' | 'columns'>): NamedTable {
  return toNamedTable(
    source,
    columns.map(({ name, known }) => ({ name, references: known?.references })),
  );
}

export function toNamedTable(
  name: string,
  columns: readonly { readonly name: string; readonly references?: ColumnReference | undefined }[],
): NamedTable {
  const keys = columns.flatMap(({ name: column, references }) =>
    references === undefined
      ? []
      : [
          {
            column,
            table: references.table,
            ...(references.column !== undefined && { to: references.column }),
          },
        ],
  );
  return { name, columns: columns.map((column) => column.name), keys };
}
