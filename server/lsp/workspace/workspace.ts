/**
 * The analyses of the configs of a workspace, open or on disk. There is one analysis for each version of a config, its source and
 * the surrounding files, no matter how many requests ask for it.
 */

import type { TextDocument } from 'vscode-languageserver-textdocument';
import { type Analysis, analyze } from '../../engine/index.ts';
import { readsOtherTables } from '../../features/reading/readsOtherTables.ts';
import { isConfigName } from '../../shared/places.ts';
import { beside, type Uri, type UriKey, wholePath } from '../../shared/uri.ts';
import type { CreateDocument } from '../host/encoding.ts';
import type { Host, WorkspaceFiles } from '../host/host.ts';
import type { Folders } from './folders.ts';
import type { KnownSchema } from './knownSchema.ts';
import type { Schemas } from './schemas.ts';

interface NumberedAnalysis {
  readonly analysis: Analysis;
  /**
   * Identifies this analysis within the server. The version of a document cannot, because it restarts when the document is
   * reopened.
   */
  readonly id: string;
}

export interface Workspace {
  readonly analysisOf: (document: TextDocument) => NumberedAnalysis;
  /** Returns an analysis without the known tables, for callers that only look for names in many files. */
  readonly glimpse: (document: TextDocument) => Analysis;
  /** Returns the configs on disk as documents. Use the open document instead if a config is open, because it is newer. */
  readonly onDisk: () => readonly TextDocument[];
  /** Returns the schema against which a document was checked. */
  readonly schemaOf: (uri: Uri) => KnownSchema | undefined;
  /** Returns the SQL files, and folders of SQL files, that create the tables of a config. */
  readonly scriptsOf: Schemas['scriptsOf'];
  /** Called when a document is closed. */
  readonly forget: (document: TextDocument) => void;
}

interface Latest extends NumberedAnalysis {
  readonly document: TextDocument;
  readonly version: number;
  readonly world: string;
}

interface WorkspaceParts {
  readonly schemas: Pick<Schemas, 'of' | 'scriptsOf'>;
  readonly folders: Pick<Folders, 'texts' | 'generation'>;
  readonly files: Pick<WorkspaceFiles, 'exists'> | undefined;
  readonly host: Pick<Host, 'readUri'>;
  readonly create: CreateDocument;
}

export function openWorkspace({
  schemas,
  folders,
  files,
  host: { readUri },
  create,
}: WorkspaceParts): Workspace {
  const latest = new Map<UriKey, Latest>();
  const stored = new Map<UriKey, TextDocument>();
  let count = 0;

  function analysisOf(document: TextDocument): NumberedAnalysis {
    const { version } = document;
    const uri = readUri(document.uri);
    const schema = schemas.of(uri);
    const world = JSON.stringify([schema?.catalog.version, schema?.defaultSchema, folders.generation()]);
    const known = latest.get(uri.key);
    if (known?.document === document && known.version === version && known.world === world) return known;
    const analysis = analyzeIn(document.getText(), uri, schema, known?.analysis);
    count += 1;
    const made = { document, analysis, version, world, id: String(count) };
    latest.set(uri.key, made);
    return made;
  }

  function analyzeIn(
    text: string,
    uri: Uri,
    schema: KnownSchema | undefined,
    previous: Analysis | undefined,
  ): Analysis {
    const exists = (path: string) => {
      const at = beside(uri, path);
      return at === undefined ? undefined : files?.exists(at);
    };
    const input = { fileName: wholePath(uri), previous, files: { exists } };
    if (!schema) return analyze(text, input);
    const { catalog, defaultSchema, origin } = schema;
    // If SQL files create none of the tables of a config, not even similarly named ones, they belong to something else.
    const isAboutOthers = (analysis: Analysis | undefined) =>
      origin === 'files' && analysis !== undefined && readsOtherTables(analysis, catalog);
    const judge = (isOther: boolean) =>
      isOther ? analyze(text, input) : analyze(text, { ...input, catalog, defaultSchema });
    const expected = isAboutOthers(previous);
    const analysis = judge(expected);
    return isAboutOthers(analysis) === expected ? analysis : judge(!expected);
  }

  const glimpses = new WeakMap<TextDocument, Analysis>();

  function glimpse(document: TextDocument): Analysis {
    const uri = readUri(document.uri);
    const known = latest.get(uri.key);
    if (known?.document === document && known.version === document.version) return known.analysis;
    const before = glimpses.get(document);
    const text = document.getText();
    if (before?.text === text) return before;
    const analysis = analyze(text, { fileName: wholePath(uri) });
    glimpses.set(document, analysis);
    return analysis;
  }

  return {
    analysisOf,
    glimpse,
    onDisk() {
      const texts = folders.texts();
      for (const key of stored.keys()) if (!texts.has(key)) stored.delete(key);
      for (const [key, { uri, text }] of texts)
        if (isConfigName(wholePath(uri)) && stored.get(key)?.getText() !== text)
          stored.set(key, create(uri.text, 'yaml', 0, text));
      return [...stored.values()];
    },
    schemaOf: (uri) => schemas.of(uri),
    scriptsOf: (uri) => schemas.scriptsOf(uri),
    forget: ({ uri }) => latest.delete(readUri(uri).key),
  };
}
