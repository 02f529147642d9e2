/** What is known of the source database of each folder, from whatever the settings allow. */
import { joinSources } from '../../engine/catalog/join.ts';
import type { KnownSource } from '../../engine/catalog/reading.ts';
import { readServiceSchema } from '../../engine/catalog/serviceSchema.ts';
import { readSnapshot, writeSnapshot } from '../../engine/catalog/snapshot.ts';
import { type DdlCatalog, foldDdl, foldScripts } from '../../engine/ddl/fold.ts';
import { readDdl } from '../../engine/ddl/read.ts';
import type { SqlFile } from '../../engine/ddl/sqlFile.ts';
import type { DdlStatement } from '../../engine/ddl/statement.ts';
import { analyze } from '../../engine/index.ts';
import { findSchemaFor } from '../../engine/projectSchema.ts';
import { isSchemaFile } from '../../places.ts';
import type { SchemaStatus, ServiceSchemaParams, ServiceSchemaResult } from '../../protocol.ts';
import type { WorkspaceFiles } from '../host/host.ts';
import { isSql, pathFrom } from '../host/wanted.ts';
import { beside } from './beside.ts';
import type { Folders } from './folders.ts';
import type { EditorSettings } from './settings.ts';

export interface KnownSchema extends KnownSource {
  readonly origin: Exclude<SchemaStatus['origin'], 'none'>;
  /** What only the SQL files have of it: it is older than they are. */
  readonly behind?: readonly string[];
  readonly placeOf?: DdlCatalog['placeOf'];
}

export interface Schemas {
  /** Undefined where nothing is known. */
  readonly of: (uri: string) => KnownSchema | undefined;
  /** After a change of the files or of the settings: reads anew what is needed. */
  readonly refresh: () => Promise<void>;
  /** A service's answer; without one, what it answered before is forgotten. */
  readonly takeAnswer: (params: ServiceSchemaParams) => ServiceSchemaResult;
  readonly status: (uri: string) => SchemaStatus;
}

type Sources = Partial<Record<KnownSchema['origin'], KnownSchema>>;

/** In the order in which they are trusted. */
const origins = ['service', 'snapshot', 'files'] as const;

export function openSchemas(
  folders: Folders,
  files: WorkspaceFiles | undefined,
  settings: () => EditorSettings,
): Schemas {
  const ofFiles = new Map<string, KnownSchema>();
  const snapshots = new Map<string, KnownSchema>();
  const answers = new Map<string, KnownSchema>();
  const schemaFiles = new Map<string, (SqlFile & { readonly uri: string })[]>();
  /** By URI, since the files have changed. */
  const ofConfigs = new Map<string, KnownSchema | undefined>();
  /** Together with the files of the config that asked last. */
  const joined = new WeakMap<KnownSchema, { readonly inFiles: KnownSchema; readonly schema: KnownSchema }>();
  const statements = new Map<string, { readonly text: string; readonly read: readonly DdlStatement[] }>();

  /** What the files make that a config needs, as the service would run them; else what all files make together. */
  function filesFor(uri: string): KnownSchema | undefined {
    const folder = folders.folderOf(uri);
    if (!ofConfigs.has(uri)) ofConfigs.set(uri, findFor(uri, folder));
    return ofConfigs.get(uri) ?? ofFiles.get(folder);
  }

  function findFor(uri: string, folder: string): KnownSchema | undefined {
    const text = folders.texts().get(uri);
    const { kind, config } = text === undefined ? {} : analyze(text, { fileName: uri });
    if (kind !== 'sync' || config === undefined) return undefined;
    const inFolder = schemaFiles.get(folder) ?? [];
    const { scripts } = findSchemaFor(config, inFolder, pathFrom(folder, uri));
    const uris = new Map(inFolder.map((file) => [file.path, file.uri]));
    const folded = foldScripts(
      scripts.map(({ path, text: script }) => ({
        path: uris.get(path) ?? path,
        statements: statementsOf(`${uris.get(path)}`, script),
      })),
      defaultSchema,
    );
    if (folded === undefined) return undefined;
    return {
      origin: 'files',
      defaultSchema,
      catalog: folded.catalog,
      // Where the SQL of a model stands is nowhere in its file.
      placeOf: (table, column) => {
        const place = folded.placeOf(table, column);
        return place !== undefined && isSql(place.path) ? place : undefined;
      },
    };
  }

  function sourcesOf(uri: string): Sources {
    const folder = folders.folderOf(uri);
    const [service, snapshot, inFiles] = [
      answers.get(folder) ?? answers.get(everywhere),
      snapshots.get(folder),
      filesFor(uri),
    ];
    return { ...(service && { service }), ...(snapshot && { snapshot }), ...(inFiles && { files: inFiles }) };
  }

  function of(uri: string): KnownSchema | undefined {
    const { schemaSource } = settings();
    const sources = sourcesOf(uri);
    if (schemaSource !== 'auto') return sources[schemaSource];
    const first = origins.map((origin) => sources[origin]).find((source) => source !== undefined);
    const inFiles = ofConfigs.get(uri);
    return first === undefined || first.origin === 'files' || inFiles === undefined
      ? first
      : withNewer(first, inFiles);
  }

  /** A snapshot gets old: what migrations have made since then is there, too. */
  function withNewer(asked: KnownSchema, inFiles: KnownSchema): KnownSchema {
    const known = joined.get(asked);
    if (known?.inFiles === inFiles) return known.schema;
    const { source, added } = joinSources(asked, inFiles);
    const schema =
      added.length === 0
        ? asked
        : { ...asked, ...source, behind: added, ...(inFiles.placeOf && { placeOf: inFiles.placeOf }) };
    joined.set(asked, { inFiles, schema });
    return schema;
  }

  function statementsOf(uri: string, text: string): readonly DdlStatement[] {
    const known = statements.get(uri);
    if (known?.text === text) return known.read;
    const read = readDdl(text);
    statements.set(uri, { text, read });
    return read;
  }

  function readFiles(): void {
    const byFolder = new Map<string, { path: string; statements: readonly DdlStatement[] }[]>();
    schemaFiles.clear();
    ofConfigs.clear();
    for (const [uri, text] of folders.texts()) {
      const folder = folders.folderOf(uri);
      const path = pathFrom(folder, uri);
      if (isSchemaFile(path)) {
        const known = schemaFiles.get(folder) ?? [];
        known.push({ uri, path, text });
        schemaFiles.set(folder, known);
      }
      if (!isSql(uri)) continue;
      byFolder.set(folder, [
        ...(byFolder.get(folder) ?? []),
        { path: uri, statements: statementsOf(uri, text) },
      ]);
    }
    for (const uri of statements.keys()) if (!folders.texts().has(uri)) statements.delete(uri);
    ofFiles.clear();
    for (const [folder, inFolder] of byFolder) {
      const folded = foldDdl(inFolder, defaultSchema);
      if (folded) ofFiles.set(folder, { origin: 'files', defaultSchema, ...folded });
    }
  }

  async function readSnapshots(): Promise<void> {
    const { schemaFile } = settings();
    const read = new Map<string, KnownSchema>();
    if (schemaFile !== '')
      for (const folder of folders.all()) {
        const uri = beside(folder, schemaFile.replaceAll('\\', '/'));
        const text = uri === undefined ? undefined : await files?.read(uri);
        const source = text === undefined ? undefined : readSnapshot(text);
        if (source) read.set(folder, { origin: 'snapshot', ...source });
      }
    snapshots.clear();
    for (const [folder, schema] of read) snapshots.set(folder, schema);
  }

  return {
    of,
    async refresh() {
      readFiles();
      await readSnapshots();
    },
    takeAnswer({ folder, answer, takenAt = '' }) {
      const key =
        folder === undefined ? everywhere : folders.folderOf(folder.endsWith('/') ? folder : `${folder}/`);
      const source = readServiceSchema(answer);
      if (!source) {
        answers.delete(key);
        return null;
      }
      answers.set(key, { origin: 'service', ...source });
      return { tables: source.catalog.tables.length, snapshot: writeSnapshot(source, takenAt) };
    },
    status(uri) {
      const { origin = 'none', catalog, behind } = of(uri) ?? {};
      return { origin, tables: catalog?.tables.length ?? 0, ...(behind && { behind }) };
    },
  };
}

const defaultSchema = 'public';
/** Stands for all folders that have no answer of their own. */
const everywhere = '';
