/** The table of refactorings at a place. That of the whole file is `migrateFile.ts`. */
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

/** The refactorings that need to know which files exist. */
export const fileRefactorings: readonly ((
  ...of: [...Parameters<Refactoring>, FilesBeside]
) => ReturnType<Refactoring>)[] = [contentToFile, fileToContent];
