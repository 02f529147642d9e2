/** The tables for the first sync config of a folder: those of its SQL files, or of a service. */
import { findSchemaFor, type KnownSource, readScripts } from '../../engine/index.ts';
import { emptySyncConfig, starterFor, starterTables } from '../../features/starter.ts';
import type { StarterParams, StarterResult } from '../../protocol.ts';
import { isSchemaFile } from '../../shared/places.ts';
import { inFolder, isSameUri, pathFrom, type Uri } from '../../shared/uri.ts';
import type { Host } from '../host/host.ts';
import type { Folders } from './folders.ts';
import type { Schemas } from './schemas.ts';

interface StarterParts {
  readonly folders: Pick<Folders, 'folderOf' | 'texts'>;
  readonly schemas: Pick<Schemas, 'of'>;
  readonly host: Pick<Host, 'readUri'>;
}

export function starterOf(
  { folder, tables }: StarterParams,
  { folders, schemas, host: { readUri } }: StarterParts,
): StarterResult {
  const root = folders.folderOf(readUri(folder));
  const source = sourceFor(root, folders, schemas);
  if (source === undefined) return { tables: [], text: emptySyncConfig };
  return { tables: starterTables(source), text: starterFor(source, tables).text };
}

/**
 * Returns the source. Without a config, nothing shows which SQL files are relevant, so the files that create the most tables are
 * used.
 */
function sourceFor(
  root: Uri,
  { folderOf, texts }: Pick<Folders, 'folderOf' | 'texts'>,
  schemas: Pick<Schemas, 'of'>,
): KnownSource | undefined {
  const asked = schemas.of(inFolder(root, 'sync.yaml') ?? root);
  if (asked !== undefined && asked.origin !== 'files') return asked;
  const files = [...texts().values()].flatMap(({ uri, text }) => {
    const path = isSameUri(folderOf(uri), root) ? pathFrom(root, uri) : undefined;
    return path === undefined || !isSchemaFile(path) ? [] : [{ path, text }];
  });
  return readScripts(findSchemaFor(undefined, files, '').scripts);
}
