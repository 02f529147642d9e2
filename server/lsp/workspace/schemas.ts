/**
 * The source database of each folder, as far as services, a snapshot and files describe it.
 *
 * 1. The setting `schemaSource` decides. With `auto`, an answer of a service is used first, then the snapshot, then the files.
 * 2. With `auto`, an answer or a snapshot is completed with the newer tables from the files of a config, which it names as such.
 */
import { joinSources, withRowSecurity } from '../../engine/catalog/join.ts';
import { readServiceSchema } from '../../engine/catalog/serviceSchema.ts';
import { readSnapshot, writeSnapshot } from '../../engine/catalog/snapshot.ts';
import type { SchemaStatus, ServiceSchemaParams, ServiceSchemaResult } from '../../protocol.ts';
import { inFolder, readPath, type Uri, type UriKey } from '../../shared/uri.ts';
import type { Host, WorkspaceFiles } from '../host/host.ts';
import { FileSchemas } from './fileSchemas.ts';
import type { Folders } from './folders.ts';
import type { KnownSchema } from './knownSchema.ts';
import type { EditorSettings } from './settings.ts';

interface SchemaParts {
  readonly folders: Folders;
  readonly files: WorkspaceFiles | undefined;
  readonly settings: () => EditorSettings;
  /** Returns the path of the snapshot in a folder, by the URI of the folder. */
  readonly schemaFileOf: (folder: string) => Promise<string>;
  readonly host: Pick<Host, 'readUri' | 'runScripts' | 'clock'>;
  readonly isOpen: (uri: Uri) => boolean;
  /** Called when a database has run scripts, so that more is known about their tables. */
  readonly changed: () => void;
}

export class Schemas {
  readonly #parts: SchemaParts;
  readonly #ofFiles: FileSchemas;
  #snapshots: ReadonlyMap<UriKey, KnownSchema> = new Map();
  readonly #answers = new Map<UriKey | typeof everywhere, KnownSchema>();
  /** The answers and snapshots, joined with the files of the config that was asked for last. */
  readonly #joined = new WeakMap<
    KnownSchema,
    { readonly inFiles: KnownSchema; readonly schema: KnownSchema }
  >();

  constructor(parts: SchemaParts) {
    this.#parts = parts;
    this.#ofFiles = new FileSchemas(parts);
  }

  /** Returns undefined if nothing is known. */
  of(uri: Uri): KnownSchema | undefined {
    const { folders, settings } = this.#parts;
    const folder = folders.folderOf(uri).key;
    const inFiles = this.#ofFiles.of(uri);
    const sources = {
      service: this.#answers.get(folder) ?? this.#answers.get(everywhere),
      snapshot: this.#snapshots.get(folder),
      files: inFiles.schema,
    };
    const { schemaSource } = settings();
    if (schemaSource !== 'auto') return sources[schemaSource];
    const asked = sources.service ?? sources.snapshot;
    if (asked === undefined || inFiles.schema === undefined || inFiles.kind !== 'config')
      return asked ?? inFiles.schema;
    return this.#withNewer(asked, inFiles.schema);
  }

  /** Returns the SQL files, and folders of SQL files, that create the tables of a config, in the order in which a database runs them. */
  scriptsOf(uri: Uri): readonly Uri[] {
    return this.#ofFiles.of(uri).scripts;
  }

  /** Reads the schemas again after a change of the files or settings. */
  async refresh(): Promise<void> {
    this.#ofFiles.read();
    this.#snapshots = await this.#readSnapshots();
  }

  /** Stores the answer of a service. An invalid answer removes the previous one. */
  takeAnswer({ folder, answer, takenAt = '' }: ServiceSchemaParams): ServiceSchemaResult {
    const { folders, host } = this.#parts;
    const key = folder === undefined ? everywhere : folders.folderOf(host.readUri(folder)).key;
    const source = readServiceSchema(answer);
    if (!source) {
      this.#answers.delete(key);
      return null;
    }
    this.#answers.set(key, { origin: 'service', ...source });
    return {
      tables: source.catalog.tables.filter(({ form }) => form === undefined).length,
      snapshot: writeSnapshot(source, takenAt),
    };
  }

  status(uri: Uri): SchemaStatus {
    const { origin = 'none', catalog, behind } = this.of(uri) ?? {};
    return {
      origin,
      tables: catalog?.tables.length ?? 0,
      ...(behind && { behind }),
      ...(catalog?.open && { isOpen: true }),
    };
  }

  /** Adds newer tables (invariant 2), because a snapshot becomes outdated when migrations follow. */
  #withNewer(asked: KnownSchema, inFiles: KnownSchema): KnownSchema {
    const known = this.#joined.get(asked);
    if (known?.inFiles === inFiles) return known.schema;
    const { source, added } = joinSources(withRowSecurity(asked, inFiles), inFiles);
    const schema = {
      ...asked,
      ...source,
      ...(added.length > 0 && { behind: added }),
      ...(inFiles.placeOf && { placeOf: inFiles.placeOf }),
    };
    this.#joined.set(asked, { inFiles, schema });
    return schema;
  }

  async #readSnapshots(): Promise<ReadonlyMap<UriKey, KnownSchema>> {
    const { folders, files, schemaFileOf } = this.#parts;
    const read = new Map<UriKey, KnownSchema>();
    for (const folder of folders.all()) {
      const schemaFile = await schemaFileOf(folder.text);
      if (schemaFile === '') continue;
      const uri = inFolder(folder, readPath(schemaFile));
      const text = uri === undefined ? undefined : await files?.read(uri);
      const source = text === undefined ? undefined : readSnapshot(text);
      if (source) read.set(folder.key, { origin: 'snapshot', ...source });
    }
    return read;
  }
}

/** The key of the answer for all folders that have no answer of their own. */
const everywhere = '';
