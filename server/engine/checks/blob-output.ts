import type { CatalogTable } from '../model/catalog.ts';
import { knownColumn } from '../plan/compile/compile.ts';
import type { Expression } from '../plan/expression.ts';
import type { OutputColumn } from '../plan/plan.ts';
import { knownTables } from '../plan/tablePatterns.ts';
import type { ConfigCheck } from './check.ts';

export const blobOutput: ConfigCheck = {
  code: 'blob-output',
  usesCatalog: true,
  checkPlan: ({ plan, catalog, report }) => {
    if (!catalog) return;
    for (const { columns, table } of plan.sources.flatMap(({ rules }) => rules)) {
      const known = knownTables(catalog, table);
      for (const column of columns) {
        const blobs = column.kind === 'star' ? blobsOf(known, columns) : blobOf(known, column.value);
        if (blobs.length > 0) report('blob-output', column.at, { columns: blobs });
      }
    }
  },
};

/** Returns the synced columns that are binary in all of the tables. Columns that are synced in another form do not count. */
function blobsOf(known: readonly CatalogTable[], columns: readonly OutputColumn[]): string[] {
  const names = new Set(columns.map((column) => (column.kind === 'column' ? column.name : undefined)));
  return [...(known[0]?.columns.keys() ?? [])].filter((name) => !names.has(name) && isBlob(known, name));
}

function blobOf(known: readonly CatalogTable[], value: Expression): string[] {
  return value.kind === 'column' && isBlob(known, value.name) ? [value.name] : [];
}

function isBlob(known: readonly CatalogTable[], name: string): boolean {
  return knownColumn(known, name)?.type === 'blob';
}
