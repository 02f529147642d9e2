/** Which files of a workspace matter: configs, and what may make tables. */
import { isConfigName, isSchemaFile, isSkippedFolder } from '../../places.ts';

/** What the client watches: also snapshots, which can be called as one likes. */
export const watchedFiles = '**/{*.sql,*.prisma,schema.rb,*.yaml,*.yml,*.json}';
/** What is looked for at the start. */
export const wantedFiles = '**/{*.sql,*.prisma,schema.rb,*.yaml,*.yml}';

/** Paths are relative to a folder of the workspace, with `/`. */
export function isWanted(path: string): boolean {
  return !isSkipped(path) && (isSchemaFile(path) || isConfigName(path));
}

/** In a folder that nobody looks into. */
export function isSkipped(path: string): boolean {
  return path.split('/').slice(0, -1).some(isSkippedFolder);
}

export function isSql(path: string): boolean {
  return /\.sql$/i.test(path);
}

/** The path of a file from its folder; as it is where it is no URI. */
export function pathFrom(folder: string, uri: string): string {
  const path = uri.slice(folder.length);
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
