/**
 * The tables that the SQL files and models of each folder create.
 *
 * 1. `read` follows each change of the texts. Until the next one, the answer for a file stays the same object.
 * 2. A text is parsed again only when it has changed, even if several schemas include it.
 */
import { type DdlCatalog, foldDdl, foldScripts } from '../../engine/ddl/fold.ts';
import { readDdl } from '../../engine/ddl/read.ts';
import type { SqlFile } from '../../engine/ddl/sqlFile.ts';
import type { DdlStatement } from '../../engine/ddl/statement.ts';
import { analyze, readsOtherSources } from '../../engine/index.ts';
import { findSchemaFor } from '../../engine/projectSchema.ts';
import { isConfigName, isSchemaFile } from '../../shared/places.ts';
import {
  folderOfUri,
  inFolder,
  isSameUri,
  pathFrom,
  type RelativePath,
  type Uri,
  type UriKey,
  wholePath,
} from '../../shared/uri.ts';
import { isSql } from '../host/wanted.ts';
import type { Folders } from './folders.ts';
import type { KnownSchema } from './knownSchema.ts';

interface FileSchema {
  /** For a sync config, the schema that the service would create; for any other file, the schema from all SQL files of its folder. */
  readonly kind: 'config' | 'folder';
  /** The tables. Undefined if the files create none, or if no SQL file describes the source. */
  readonly schema: KnownSchema | undefined;
  /** The SQL files, and folders of SQL files, that create the tables of a config, in the order in which a database runs them. */
  readonly scripts: readonly Uri[];
}

interface SchemaFile extends SqlFile {
  readonly path: RelativePath;
  readonly uri: Uri;
}

interface FolderFiles {
  readonly files: readonly SchemaFile[];
  /** The schema from all SQL files. */
  readonly all: KnownSchema | undefined;
  /** The schemas by their scripts, because most configs of a folder share the same schema. */
  readonly byScripts: Map<string, KnownSchema | 'unknown'>;
}

export class FileSchemas {
  readonly #folders: Folders;
  readonly #inFolders = new Map<UriKey, FolderFiles>();
  readonly #found = new Map<UriKey, FileSchema>();
  readonly #statements = new Map<UriKey, { readonly text: string; readonly read: readonly DdlStatement[] }>();

  constructor(folders: Folders) {
    this.#folders = folders;
  }

  /** Called when texts have changed. */
  read(): void {
    this.#found.clear();
    this.#inFolders.clear();
    const texts = this.#folders.texts();
    for (const key of this.#statements.keys()) if (!texts.has(key)) this.#statements.delete(key);
    for (const [folder, files] of this.#schemaFiles()) {
      const all = this.#schemaFrom(
        foldDdl,
        files.filter(({ path }) => isSql(path)),
        files,
      );
      this.#inFolders.set(folder, { files, all, byScripts: new Map() });
    }
  }

  of(uri: Uri): FileSchema {
    const known = this.#found.get(uri.key) ?? this.#find(uri);
    this.#found.set(uri.key, known);
    return known;
  }

  #schemaFiles(): ReadonlyMap<UriKey, readonly SchemaFile[]> {
    const found = new Map<UriKey, SchemaFile[]>();
    for (const { uri, text } of this.#folders.texts().values()) {
      const folder = this.#folders.folderOf(uri);
      const path = pathFrom(folder, uri);
      if (path === undefined || !isSchemaFile(path)) continue;
      const known = found.get(folder.key) ?? [];
      known.push({ uri, path, text });
      found.set(folder.key, known);
    }
    return found;
  }

  #find(uri: Uri): FileSchema {
    const folder = this.#folders.folderOf(uri);
    const known = this.#inFolders.get(folder.key);
    const text = this.#folders.texts().get(uri.key)?.text;
    const { kind, config } = text === undefined ? {} : analyze(text, { fileName: wholePath(uri) });
    if (kind !== 'sync' || config === undefined) return { kind: 'folder', schema: known?.all, scripts: [] };
    if (known === undefined || this.#isOfOtherSource(uri))
      return { kind: 'config', schema: undefined, scripts: [] };
    const { files, byScripts } = known;
    const { scripts, paths } = findSchemaFor(config, files, pathFrom(folder, uri) ?? '');
    const key = JSON.stringify(scripts.map(({ path }) => path));
    const schema = byScripts.get(key) ?? this.#schemaFrom(foldScripts, scripts, files) ?? 'unknown';
    byScripts.set(key, schema);
    return {
      kind: 'config',
      schema: schema === 'unknown' ? undefined : schema,
      scripts: paths.flatMap((path) => inFolder(folder, path) ?? []),
    };
  }

  /** Whether a service config in the same folder names a source that no SQL file describes, for example MongoDB. */
  #isOfOtherSource(uri: Uri): boolean {
    const folder = folderOfUri(uri);
    const texts = [...this.#folders.texts().values()];
    const beside = texts.filter((each) => isSameUri(folderOfUri(each.uri), folder));
    return beside.some((file) => {
      const fileName = wholePath(file.uri);
      if (!isConfigName(fileName)) return false;
      const { service } = analyze(file.text, { fileName });
      return service !== undefined && readsOtherSources(service);
    });
  }

  #schemaFrom(
    fold: typeof foldDdl,
    scripts: readonly SqlFile[],
    files: readonly SchemaFile[],
  ): KnownSchema | undefined {
    const uris = new Map<string, Uri>(files.map(({ path, uri }) => [path, uri]));
    const read = scripts.map(({ path, text }) => ({
      path,
      statements: this.#statementsOf(uris.get(path), text),
    }));
    const made = fold(read, defaultSchema);
    return made && knownFrom(made, uris);
  }

  /** Returns the statements of a text (invariant 2). */
  #statementsOf(uri: Uri | undefined, text: string): readonly DdlStatement[] {
    const known = uri && this.#statements.get(uri.key);
    if (known?.text === text) return known.read;
    const read = readDdl(text);
    if (uri !== undefined) this.#statements.set(uri.key, { text, read });
    return read;
  }
}

function knownFrom({ catalog, placeOf }: DdlCatalog, uris: ReadonlyMap<string, Uri>): KnownSchema {
  return {
    origin: 'files',
    defaultSchema,
    catalog,
    // The SQL generated from a model has no place in the model file.
    placeOf(table, column) {
      const place = placeOf(table, column);
      const uri = place && isSql(place.path) ? uris.get(place.path) : undefined;
      return place && uri && { uri, span: place.span };
    },
  };
}

const defaultSchema = 'public';
