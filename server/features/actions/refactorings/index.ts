/** The table of refactorings at a place. The refactoring of the entire file is in `migrateFile.ts`. */
import { extractCte } from './extractCte.ts';
import { inlineCte } from './inlineCte.ts';
import { joinToSubquery, subqueryToJoin } from './joins.ts';
import type { Refactoring } from './place.ts';
import { fromList, toList } from './queryList.ts';
import { collapseColumns, expandStar } from './star.ts';
import { contentToFile, type FilesBeside, fileToContent } from './syncFile.ts';

export const refactorings: readonly Refactoring[] = [
  extractCte,
  inlineCte,
  subqueryToJoin,
  joinToSubquery,
  expandStar,
  collapseColumns,
  toList,
  fromList,
];

/** Refactorings that need to know which other files exist. */
export const fileRefactorings: readonly ((
  ...of: [...Parameters<Refactoring>, FilesBeside]
) => ReturnType<Refactoring>)[] = [contentToFile, fileToContent];
