/** Which files of a workspace matter: configs, their tests, and what may make tables. */
import { isConfigName, isSchemaFile, isSkippedFolder, isTestName } from '../../shared/places.ts';
import { type RelativePath, splitPath } from '../../shared/uri.ts';

/** What the client watches: also snapshots, which can be called as one likes. */
export const watchedFiles = '**/{*.sql,*.prisma,schema.rb,*.yaml,*.yml,*.json}';
/** The files to search for at the start. */
export const wantedFiles = '**/{*.sql,*.prisma,schema.rb,*.yaml,*.yml}';

/** Paths are those from a folder of the workspace. */
export function isWanted(path: RelativePath): boolean {
  return !isSkipped(path) && (isSchemaFile(path) || isConfigName(path) || isTestName(path));
}

/** In a folder that nobody looks into. */
export function isSkipped(path: RelativePath): boolean {
  return splitPath(path).folders.some(isSkippedFolder);
}

export function isSql(path: string): boolean {
  return /\.sql$/i.test(path);
}
