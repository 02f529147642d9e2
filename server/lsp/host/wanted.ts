/** The files of a workspace that matter: configs, their tests, and files that may create tables. */
import { isConfigName, isSchemaFile, isSkippedFolder, isTestName } from '../../shared/places.ts';
import { type RelativePath, splitPath } from '../../shared/uri.ts';

/** The files that the client watches, including snapshots, which can have any name. */
export const watchedFiles = '**/{*.sql,*.prisma,schema.rb,*.yaml,*.yml,*.json}';
/** The files to search for at the start. */
export const wantedFiles = '**/{*.sql,*.prisma,schema.rb,*.yaml,*.yml}';

/** Whether a file is read into the workspace. The path is relative to a folder of the workspace. */
export function isWanted(path: RelativePath): boolean {
  return !isSkipped(path) && (isSchemaFile(path) || isConfigName(path) || isTestName(path));
}

/** Whether the path is in a folder that is skipped. */
export function isSkipped(path: RelativePath): boolean {
  return splitPath(path).folders.some(isSkippedFolder);
}

export function isSql(path: string): boolean {
  return /\.sql$/i.test(path);
}
