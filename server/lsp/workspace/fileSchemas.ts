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
import {
  type FileKnowledge,
  findSchemaFor,
  type ScriptSource,
  withFileKnowledge,
} from '../../engine/projectSchema.ts';
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
import type { Host } from '../host/host.ts';
import { isSql } from '../host/wanted.ts';
import type { Folders } from './folders.ts';
import type { KnownSchema } from './knownSchema.ts';
import { ScriptRuns } from './scriptRuns.ts';

interface FileSchema {
  /** For a sync config, the schema that the service would create; for any other file, the schema from all SQL files of its folder. */
  readonly kind: 'config' | 'folder';
  /** The tables. Undefined if the files create none, or if no SQL file describes the source. */
  readonly schema: KnownSchema | undefined;
  /** The SQL files, and folders of SQL files, that create the tables of a config, in the order in which a database runs them. */
  readonly scripts: readonly Uri[];
  /** Whether a database must run the scripts when the file is opened. */
  readonly needsRun?: boolean;
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
  readonly byScripts: Map<string, ReadSchema>;
}

/** The schema of scripts, which a database may also have run. */
interface ReadSchema {
  /** The tables as they were read; undefined if the scripts create none. */
  readonly read: DdlCatalog | undefined;
  readonly run: ScriptSource | undefined;
  readonly schema: KnownSchema | undefined;
}

interface FileSchemaParts {
  readonly folders: Folders;
  readonly host: Pick<Host, 'runScripts' | 'clock'>;
  /** Whether a file is open. Scripts are run only for open files. */
  readonly isOpen: (uri: Uri) => boolean;
  /** Called when a database has run scripts. */
  readonly changed: () => void;
}

export class FileSchemas {
  readonly #folders: Folders;
  readonly #runs: ScriptRuns;
  readonly #isOpen: FileSchemaParts['isOpen'];
  readonly #inFolders = new Map<UriKey, FolderFiles>();
  readonly #found = new Map<UriKey, FileSchema>();
  readonly #statements = new Map<UriKey, { readonly text: string; readonly read: readonly DdlStatement[] }>();

  constructor({ folders, isOpen, ...parts }: FileSchemaParts) {
    this.#folders = folders;
    this.#isOpen = isOpen;
    this.#runs = new ScriptRuns(parts);
  }

  /** Called when texts have changed. */
  read(): void {
    this.#found.clear();
    this.#inFolders.clear();
    const texts = this.#folders.texts();
    for (const key of this.#statements.keys()) if (!texts.has(key)) this.#statements.delete(key);
    const isCut = ([first]: readonly SchemaFile[]): boolean =>
      first === undefined || !this.#folders.isWhole(this.#folders.folderOf(first.uri));
    for (const [folder, files] of this.#schemaFiles()) {
      const sql = files.filter(({ path }) => isSql(path));
      const made = this.#fold(foldDdl, sql, files);
      const all = made && knownFrom(made, files, { isWhole: true, isCut: isCut(files) });
      this.#inFolders.set(folder, { files, all, byScripts: new Map() });
    }
  }

  of(uri: Uri): FileSchema {
    const found = this.#found.get(uri.key);
    const known = found === undefined || (found.needsRun && this.#isOpen(uri)) ? this.#find(uri) : found;
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
    const { scripts, paths, isWhole } = findSchemaFor(config, known.files, pathFrom(folder, uri) ?? '');
    const isOpen = this.#isOpen(uri);
    const { read, run, schema } = this.#schemaOf(known, { folder, scripts, paths, isWhole, isOpen });
    return {
      kind: 'config',
      schema,
      scripts: paths.flatMap((path) => inFolder(folder, path) ?? []),
      needsRun: read !== undefined && read.unclear.length > 0 && run === undefined && !isOpen,
    };
  }

  #schemaOf({ files, byScripts }: FolderFiles, wanted: WantedSchema): ReadSchema {
    const { folder, scripts, paths, isWhole, isOpen } = wanted;
    const key = JSON.stringify(scripts.map(({ path }) => path));
    const before = byScripts.get(key);
    const read = before === undefined ? this.#fold(foldScripts, scripts, files) : before.read;
    const isUnclear = read !== undefined && read.unclear.length > 0;
    const source = isUnclear ? { ...read, defaultSchema } : undefined;
    const run = source && isOpen ? this.#runs.of({ folder, scripts, paths, source }) : before?.run;
    if (before !== undefined && before.run === run) return before;
    const isCut = !this.#folders.isWhole(folder);
    const schema = read && knownFrom({ ...read, ...run }, files, { isWhole, isCut });
    const made = { read, run, schema };
    byScripts.set(key, made);
    return made;
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

  #fold(
    fold: typeof foldDdl,
    scripts: readonly SqlFile[],
    files: readonly SchemaFile[],
  ): DdlCatalog | undefined {
    const uris = urisOf(files);
    const read = scripts.map(({ path, text }) => ({
      path,
      statements: this.#statementsOf(uris.get(path), text),
    }));
    return fold(read, defaultSchema);
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

interface WantedSchema {
  readonly folder: Uri;
  readonly scripts: readonly SqlFile[];
  readonly paths: readonly string[];
  readonly isWhole: boolean;
  /** Whether the config is open. */
  readonly isOpen: boolean;
}

function knownFrom(
  { catalog, placeOf }: Pick<DdlCatalog, 'catalog' | 'placeOf'>,
  files: readonly SchemaFile[],
  knowledge: FileKnowledge,
): KnownSchema {
  const uris = urisOf(files);
  return {
    ...withFileKnowledge({ catalog, defaultSchema }, knowledge),
    origin: 'files',
    // The SQL generated from a model has no place in the model file.
    placeOf(table, column) {
      const place = placeOf(table, column);
      const uri = place && isSql(place.path) ? uris.get(place.path) : undefined;
      return place && uri && { uri, span: place.span };
    },
  };
}

function urisOf(files: readonly SchemaFile[]): ReadonlyMap<string, Uri> {
  return new Map(files.map(({ path, uri }) => [path, uri]));
}

const defaultSchema = 'public';
