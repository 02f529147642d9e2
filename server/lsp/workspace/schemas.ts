/** The source database of each folder, as far as the settings and files describe it. */
import { joinSources, withRowSecurity } from '../../engine/catalog/join.ts';
import type { KnownSource } from '../../engine/catalog/reading.ts';
import { readServiceSchema } from '../../engine/catalog/serviceSchema.ts';
import { readSnapshot, writeSnapshot } from '../../engine/catalog/snapshot.ts';
import { type DdlCatalog, foldDdl, foldScripts } from '../../engine/ddl/fold.ts';
import { readDdl } from '../../engine/ddl/read.ts';
import type { DdlPlace } from '../../engine/ddl/runStatement.ts';
import type { SqlFile } from '../../engine/ddl/sqlFile.ts';
import type { DdlStatement } from '../../engine/ddl/statement.ts';
import { analyze, readsOtherSources } from '../../engine/index.ts';
import { findSchemaFor } from '../../engine/projectSchema.ts';
import type { SchemaStatus, ServiceSchemaParams, ServiceSchemaResult } from '../../protocol.ts';
import { isConfigName, isSchemaFile } from '../../shared/places.ts';
import {
  folderOfUri,
  inFolder,
  isSameUri,
  pathFrom,
  type RelativePath,
  readPath,
  type Uri,
  type UriKey,
  wholePath,
} from '../../shared/uri.ts';
import type { Host, WorkspaceFiles } from '../host/host.ts';
import { isSql } from '../host/wanted.ts';
import type { Folders } from './folders.ts';
import type { EditorSettings } from './settings.ts';

export interface KnownSchema extends KnownSource {
  readonly origin: Exclude<SchemaStatus['origin'], 'none'>;
  /** Names that only the SQL files contain, because the snapshot or the answer is older. */
  readonly behind?: readonly string[];
  readonly placeOf?: (...what: Parameters<DdlCatalog['placeOf']>) => TablePlace | undefined;
}

/** The place where a table or a column is created. */
interface TablePlace {
  readonly uri: Uri;
  readonly span: DdlPlace['span'];
}

export interface Schemas {
  /** Returns undefined if nothing is known. */
  readonly of: (uri: Uri) => KnownSchema | undefined;
  /** The SQL files, and folders of SQL files, that create the tables of a config, in the order in which a database runs them. */
  readonly scriptsOf: (uri: Uri) => readonly Uri[];
  /** Reads the schemas again after a change of the files or settings. */
  readonly refresh: () => Promise<void>;
  /** Stores the answer of a service. An invalid answer removes the previous one. */
  readonly takeAnswer: (params: ServiceSchemaParams) => ServiceSchemaResult;
  readonly status: (uri: Uri) => SchemaStatus;
}

interface SchemaFile extends SqlFile {
  readonly path: RelativePath;
  readonly uri: Uri;
}

type Sources = Partial<Record<KnownSchema['origin'], KnownSchema>>;

/** The origins, most trusted first. */
const origins = ['service', 'snapshot', 'files'] as const;

interface SchemaParts {
  readonly folders: Folders;
  readonly files: WorkspaceFiles | undefined;
  readonly settings: () => EditorSettings;
  readonly host: Pick<Host, 'readUri'>;
}

export function openSchemas({ folders, files, settings, host: { readUri } }: SchemaParts): Schemas {
  const ofFiles = new Map<UriKey, KnownSchema>();
  const snapshots = new Map<UriKey, KnownSchema>();
  const answers = new Map<UriKey | typeof everywhere, KnownSchema>();
  const schemaFiles = new Map<UriKey, SchemaFile[]>();
  /** The schemas by their scripts, because most configs of a folder share the same schema. */
  const folded = new Map<string, KnownSchema | 'unknown'>();
  /** The schemas by config. Cleared when the files change. */
  const ofConfigs = new Map<UriKey, KnownSchema | 'unknown' | 'no config'>();
  const scriptsOf = new Map<UriKey, readonly Uri[]>();
  /** The schemas of services and snapshots, joined with the files of the config that was asked for last. */
  const joined = new WeakMap<KnownSchema, { readonly inFiles: KnownSchema; readonly schema: KnownSchema }>();
  const statements = new Map<UriKey, { readonly text: string; readonly read: readonly DdlStatement[] }>();

  /**
   * Returns, for a sync config, the schema that the service would create; for any other file, the schema from all SQL files of the
   * folder.
   */
  function filesFor(uri: Uri): KnownSchema | undefined {
    const folder = folders.folderOf(uri);
    const found = ofConfigs.get(uri.key) ?? findFor(uri, folder);
    ofConfigs.set(uri.key, found);
    if (found === 'no config') return ofFiles.get(folder.key);
    return found === 'unknown' ? undefined : found;
  }

  function findFor(uri: Uri, folder: Uri): KnownSchema | 'unknown' | 'no config' {
    const text = folders.texts().get(uri.key)?.text;
    const { kind, config } = text === undefined ? {} : analyze(text, { fileName: wholePath(uri) });
    if (kind !== 'sync' || config === undefined) return 'no config';
    if (isOfOtherSource(uri)) return 'unknown';
    const files = schemaFiles.get(folder.key) ?? [];
    const { scripts, paths } = findSchemaFor(config, files, pathFrom(folder, uri) ?? '');
    scriptsOf.set(
      uri.key,
      paths.flatMap((path) => inFolder(folder, path) ?? []),
    );
    const key = JSON.stringify([folder.key, ...scripts.map(({ path }) => path)]);
    const known = folded.get(key) ?? foldIn(files, scripts);
    folded.set(key, known);
    return known;
  }

  /** Whether a service config in the same folder names a source that no SQL file describes, for example MongoDB. */
  function isOfOtherSource(uri: Uri): boolean {
    const folder = folderOfUri(uri);
    const beside = [...folders.texts().values()].filter((each) => isSameUri(folderOfUri(each.uri), folder));
    return beside.some((file) => {
      const fileName = wholePath(file.uri);
      if (!isConfigName(fileName)) return false;
      const { service } = analyze(file.text, { fileName });
      return service !== undefined && readsOtherSources(service);
    });
  }

  function foldIn(files: readonly SchemaFile[], scripts: readonly SqlFile[]): KnownSchema | 'unknown' {
    const uris = new Map<string, Uri>(files.map((file) => [file.path, file.uri]));
    const made = foldScripts(
      scripts.map(({ path, text }) => ({ path, statements: statementsOf(uris.get(path), text) })),
      defaultSchema,
    );
    return made === undefined ? 'unknown' : knownFrom(made, files);
  }

  function sourcesOf(uri: Uri): Sources {
    const folder = folders.folderOf(uri).key;
    const [service, snapshot, inFiles] = [
      answers.get(folder) ?? answers.get(everywhere),
      snapshots.get(folder),
      filesFor(uri),
    ];
    return { ...(service && { service }), ...(snapshot && { snapshot }), ...(inFiles && { files: inFiles }) };
  }

  function of(uri: Uri): KnownSchema | undefined {
    const { schemaSource } = settings();
    const sources = sourcesOf(uri);
    if (schemaSource !== 'auto') return sources[schemaSource];
    const first = origins.map((origin) => sources[origin]).find((source) => source !== undefined);
    const inFiles = ofConfigs.get(uri.key);
    return first === undefined || first.origin === 'files' || typeof inFiles !== 'object'
      ? first
      : withNewer(first, inFiles);
  }

  /** Adds newer tables to a snapshot, because a snapshot becomes outdated when migrations follow. */
  function withNewer(asked: KnownSchema, inFiles: KnownSchema): KnownSchema {
    const known = joined.get(asked);
    if (known?.inFiles === inFiles) return known.schema;
    const { source, added } = joinSources(withRowSecurity(asked, inFiles), inFiles);
    const schema = {
      ...asked,
      ...source,
      ...(added.length > 0 && { behind: added }),
      ...(inFiles.placeOf && { placeOf: inFiles.placeOf }),
    };
    joined.set(asked, { inFiles, schema });
    return schema;
  }

  function statementsOf(uri: Uri | undefined, text: string): readonly DdlStatement[] {
    const known = uri && statements.get(uri.key);
    if (known?.text === text) return known.read;
    const read = readDdl(text);
    if (uri !== undefined) statements.set(uri.key, { text, read });
    return read;
  }

  function readFiles(): void {
    schemaFiles.clear();
    ofConfigs.clear();
    scriptsOf.clear();
    folded.clear();
    for (const { uri, text } of folders.texts().values()) {
      const folder = folders.folderOf(uri);
      const path = pathFrom(folder, uri);
      if (path === undefined || !isSchemaFile(path)) continue;
      const known = schemaFiles.get(folder.key) ?? [];
      known.push({ uri, path, text });
      schemaFiles.set(folder.key, known);
    }
    for (const key of statements.keys()) if (!folders.texts().has(key)) statements.delete(key);
    ofFiles.clear();
    for (const [folder, files] of schemaFiles) {
      const scripts = files.filter(({ path }) => isSql(path));
      const all = foldDdl(
        scripts.map(({ uri, path, text }) => ({ path, statements: statementsOf(uri, text) })),
        defaultSchema,
      );
      if (all) ofFiles.set(folder, knownFrom(all, files));
    }
  }

  async function readSnapshots(): Promise<void> {
    const { schemaFile } = settings();
    const read = new Map<UriKey, KnownSchema>();
    if (schemaFile !== '')
      for (const folder of folders.all()) {
        const uri = inFolder(folder, readPath(schemaFile));
        const text = uri === undefined ? undefined : await files?.read(uri);
        const source = text === undefined ? undefined : readSnapshot(text);
        if (source) read.set(folder.key, { origin: 'snapshot', ...source });
      }
    snapshots.clear();
    for (const [folder, schema] of read) snapshots.set(folder, schema);
  }

  return {
    of,
    scriptsOf(uri) {
      filesFor(uri);
      return scriptsOf.get(uri.key) ?? [];
    },
    async refresh() {
      readFiles();
      await readSnapshots();
    },
    takeAnswer({ folder, answer, takenAt = '' }) {
      const key = folder === undefined ? everywhere : folders.folderOf(readUri(folder)).key;
      const source = readServiceSchema(answer);
      if (!source) {
        answers.delete(key);
        return null;
      }
      answers.set(key, { origin: 'service', ...source });
      return {
        tables: source.catalog.tables.filter(({ form }) => form === undefined).length,
        snapshot: writeSnapshot(source, takenAt),
      };
    },
    status(uri) {
      const { origin = 'none', catalog, behind } = of(uri) ?? {};
      return { origin, tables: catalog?.tables.length ?? 0, ...(behind && { behind }) };
    },
  };
}

function knownFrom({ catalog, placeOf }: DdlCatalog, files: readonly SchemaFile[]): KnownSchema {
  const uris = new Map<string, Uri>(files.map(({ path, uri }) => [path, uri]));
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
/** The key of the answer for all folders that have no answer of their own. */
const everywhere = '';
