/**
 * The access test files of a workspace, open or on disk, each with the config under test. For an open file, the text in the editor
 * is used, saved or not.
 */
import type { TextDocuments } from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import {
  type Analysis,
  analyze,
  type Config,
  type KnownSource,
  prepareTests,
  readSqlFiles,
  readTests,
  toTestSubject,
} from '../../../engine/index.ts';
import type { TestsInEditor } from '../../../features/tests/inEditor.ts';
import { isConfigName, isTestName } from '../../../shared/places.ts';
import {
  beside,
  folderOfUri,
  isSameUri,
  isWithin,
  pathFrom,
  type Uri,
  type UriKey,
  wholePath,
} from '../../../shared/uri.ts';
import type { CreateDocument } from '../../host/encoding.ts';
import type { Host, WorkspaceFiles } from '../../host/host.ts';
import { isSql } from '../../host/wanted.ts';
import type { Folders } from '../folders.ts';
import type { Workspace } from '../workspace.ts';
import { isSameList, openSeedRuns } from './seedRuns.ts';

export interface TestDocument extends TestsInEditor {
  readonly document: TextDocument;
  readonly uri: Uri;
  /** The config under test, if it exists. */
  readonly configDocument?: TextDocument;
}

export interface AccessTests {
  /** Returns the same object until something changes on which it depends. */
  readonly of: (document: TextDocument) => TestDocument | undefined;
  readonly at: (uri: Uri) => TestDocument | undefined;
  readonly all: () => readonly TestDocument[];
  /** Resolves when the rows of this file are available. A database may have to create them. */
  readonly settled: (uri: Uri) => Promise<void>;
  /** Returns the paths of sync configs relative to the folder of a test file. */
  readonly configsFor: (uri: Uri) => readonly string[];
}

interface Parts {
  readonly documents: TextDocuments<TextDocument>;
  readonly workspace: Workspace;
  readonly folders: Pick<Folders, 'texts' | 'generation' | 'folderOf'>;
  readonly files: WorkspaceFiles | undefined;
  readonly host: Pick<Host, 'readUri' | 'runSeeds' | 'clock'>;
  readonly create: CreateDocument;
  /** Called when a file outside the listed ones has been read, or when rows have been created. */
  readonly changed: () => void;
}

interface KnownTests {
  /** Everything that the tests were made from. */
  readonly of: readonly unknown[];
  readonly tests: TestDocument;
}

export function openAccessTests({
  documents,
  workspace,
  folders,
  files,
  host,
  create,
  changed,
}: Parts): AccessTests {
  const { readUri } = host;
  const loaded = new Map<UriKey, KnownTests>();
  const read = new WeakMap<TextDocument, { version: number; tests: ReturnType<typeof readTests> }>();
  const subjects = new WeakMap<Config, ReturnType<typeof toTestSubject>>();
  const stored = new Map<UriKey, TextDocument>();
  const further = openFurtherFiles(files, folders, changed);
  const schemas = new Map<UriKey, { of: readonly unknown[]; known: KnownSource | undefined }>();
  const analyses = new Map<UriKey, { of: readonly unknown[]; analysis: Analysis }>();
  const seedRuns = openSeedRuns({ folders, files, host, textAt, changed });

  const openAt = (uri: Uri) =>
    documents.get(uri.text) ?? documents.all().find((open) => isSameUri(readUri(open.uri), uri));

  /** Returns one document for each text, so that it is analysed only once. */
  function documentAt(uri: Uri): TextDocument | undefined {
    const open = openAt(uri);
    if (open !== undefined) return open;
    if (isConfigName(wholePath(uri))) {
      const known = workspace.onDisk().find((each) => isSameUri(readUri(each.uri), uri));
      if (known !== undefined) return known;
    }
    const text = textAt(uri);
    if (text === undefined) return undefined;
    const before = stored.get(uri.key);
    if (before?.getText() === text) return before;
    const made = create(uri.text, 'yaml', 0, text);
    stored.set(uri.key, made);
    return made;
  }

  function textAt(uri: Uri): string | undefined {
    return openAt(uri)?.getText() ?? folders.texts().get(uri.key)?.text ?? further.textOf(uri);
  }

  function testsOf(document: TextDocument): ReturnType<typeof readTests> {
    const known = read.get(document);
    if (known?.version === document.version) return known.tests;
    const tests = readTests(document.getText(), known?.tests);
    read.set(document, { version: document.version, tests });
    return tests;
  }

  function subjectOf(config: Config): ReturnType<typeof toTestSubject> {
    const known = subjects.get(config) ?? toTestSubject(config);
    subjects.set(config, known);
    return known;
  }

  /** Returns the schema from the SQL file, or folder of SQL files, that the test file names. */
  function namedSchema(uri: Uri): KnownSource | undefined {
    const inFolders = [...folders.texts().values()].filter(
      (each) => isWithin(uri, each.uri) && isSql(each.uri.text),
    );
    const scripts =
      inFolders.length > 0 || !isSql(uri.text)
        ? inFolders
        : [textAt(uri)].flatMap((text) => (text === undefined ? [] : [{ uri, text }]));
    const of = scripts.map(({ text }) => text);
    const known = schemas.get(uri.key);
    if (known && isSameList(known.of, of)) return known.known;
    const made = readSqlFiles(scripts.map((each) => ({ path: each.uri.text, text: each.text })));
    schemas.set(uri.key, { of, known: made });
    return made;
  }

  function analysisOf(uri: Uri, document: TextDocument, named: KnownSource | undefined): Analysis {
    if (named === undefined) return workspace.analysisOf(document).analysis;
    const of = [document, document.version, named];
    const known = analyses.get(uri.key);
    if (known && isSameList(known.of, of)) return known.analysis;
    const analysis = analyze(document.getText(), {
      ...named,
      fileName: wholePath(uri),
      previous: known?.analysis,
    });
    analyses.set(uri.key, { of, analysis });
    return analysis;
  }

  function testsIn(document: TextDocument): TestDocument | undefined {
    const { analysis } = workspace.analysisOf(document);
    if (analysis.kind !== 'tests') return undefined;
    const uri = readUri(document.uri);
    const written = testsOf(document);
    const { config, schema, seeds: from } = written.file;
    const configUri = config && beside(uri, config.value);
    const configDocument = configUri && documentAt(configUri);
    const schemaUri = schema && beside(uri, schema.value);
    const named = schemaUri && namedSchema(schemaUri);
    const known = schema ? named : configUri && workspace.schemaOf(configUri);
    const tested = configDocument && configUri ? analysisOf(configUri, configDocument, named) : undefined;
    const seeds = seedRuns.of(uri, {
      files: from.map(({ value }) => value),
      config: tested?.config,
      known,
      scripts: schemaUri ? [schemaUri] : configUri ? workspace.scriptsOf(configUri) : [],
      state: openAt(uri) === undefined ? 'closed' : 'open',
    });
    // The analysis object is not compared, because it is also replaced after changes in unrelated files.
    const of = [
      document,
      document.version,
      configDocument,
      tested?.text,
      known?.catalog.version,
      known?.defaultSchema,
      seeds,
    ];
    const before = loaded.get(uri.key);
    if (before && isSameList(before.of, of)) return before.tests;
    const prepared = prepareTests(written, {
      analysis: tested,
      known,
      subjectOf,
      seeds,
    });
    const tests: TestDocument = {
      document,
      uri,
      analysis,
      prepared,
      ...(tested && { config: tested }),
      ...(configDocument && { configDocument }),
    };
    loaded.set(uri.key, { of, tests });
    return tests;
  }

  return {
    of: testsIn,
    at(uri) {
      const document = documentAt(uri);
      return document && testsIn(document);
    },
    all() {
      const open = documents.all();
      const taken = new Set(open.map(({ uri }) => readUri(uri).key));
      const closed = [...folders.texts().values()].filter(
        ({ uri }) => isTestName(wholePath(uri)) && !taken.has(uri.key),
      );
      return [...open, ...closed.flatMap(({ uri }) => documentAt(uri) ?? [])].flatMap(
        (document) => testsIn(document) ?? [],
      );
    },
    settled: seedRuns.settled,
    configsFor(uri) {
      const folder = folderOfUri(uri);
      const known = [...documents.all(), ...workspace.onDisk()].filter(
        (document) => workspace.analysisOf(document).analysis.kind === 'sync',
      );
      return [...new Set(known.flatMap((each) => pathFrom(folder, readUri(each.uri)) ?? []))];
    },
  };
}

/** Reads further files that are not in the folders' lists: a config with another name, or rows outside the workspace. */
function openFurtherFiles(
  files: WorkspaceFiles | undefined,
  { generation }: Pick<Folders, 'generation'>,
  changed: () => void,
): { readonly textOf: (uri: Uri) => string | undefined } {
  const known = new Map<UriKey, { text: string | undefined; at: number }>();
  return {
    textOf(uri) {
      const before = known.get(uri.key);
      const at = generation();
      if (before?.at === at || files === undefined) return before?.text;
      known.set(uri.key, { text: before?.text, at });
      void files.read(uri).then(
        (text) => {
          known.set(uri.key, { text, at });
          if (text !== before?.text) changed();
        },
        () => {},
      );
      return before?.text;
    },
  };
}
