/**
 * The access test files of a workspace, open or on disk, each with the config under test.
 *
 * 1. The same object is returned for a file until something changes on which its tests depend.
 */
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { prepareTests, readTests } from '../../../engine/index.ts';
import type { TestsInEditor } from '../../../features/tests/inEditor.ts';
import { isTestName } from '../../../shared/places.ts';
import { folderOfUri, pathFrom, type Uri, wholePath } from '../../../shared/uri.ts';
import type { Host } from '../../host/host.ts';
import type { Folders } from '../folders.ts';
import type { Workspace } from '../workspace.ts';
import { LatestValues } from './latestValues.ts';
import { type FileParts, NamedFiles } from './namedFiles.ts';
import { openSeedRuns, type SeedRuns } from './seedRuns.ts';
import { TestedConfigs } from './testedConfigs.ts';

export interface TestDocument extends TestsInEditor {
  readonly document: TextDocument;
  readonly uri: Uri;
  /** The config under test, if it exists. */
  readonly configDocument?: TextDocument;
}

interface Parts extends FileParts {
  readonly workspace: Workspace;
  readonly folders: Pick<Folders, 'texts' | 'generation' | 'folderOf'>;
  readonly host: Pick<Host, 'readUri' | 'runSeeds' | 'clock'>;
  /** Called when a file outside the listed ones has been read, or when rows have been created. */
  readonly changed: () => void;
}

type ReadTests = ReturnType<typeof readTests>;

export class AccessTests {
  readonly #parts: Parts;
  readonly #named: NamedFiles;
  readonly #configs: TestedConfigs;
  readonly #seedRuns: SeedRuns;
  readonly #read = new WeakMap<TextDocument, { readonly version: number; readonly tests: ReadTests }>();
  readonly #latest = new LatestValues<TestDocument>();

  constructor(parts: Parts) {
    const named = new NamedFiles(parts);
    this.#parts = parts;
    this.#named = named;
    this.#configs = new TestedConfigs({ ...parts, named });
    this.#seedRuns = openSeedRuns({ ...parts, textAt: (uri) => named.textAt(uri) });
  }

  of(document: TextDocument): TestDocument | undefined {
    const { analysis } = this.#parts.workspace.analysisOf(document);
    if (analysis.kind !== 'tests') return undefined;
    const uri = this.#parts.host.readUri(document.uri);
    const written = this.#testsOf(document);
    const { config, known, scripts } = this.#configs.of(uri, written.file);
    const seeds = this.#seedRuns.of(uri, {
      files: written.file.seeds.map(({ value }) => value),
      config: config?.analysis.config,
      known,
      scripts,
      state: this.#named.openAt(uri) === undefined ? 'closed' : 'open',
    });
    // The analysis object is not compared, because it is also replaced after changes in unrelated files.
    const of = [
      document,
      document.version,
      config?.document,
      config?.analysis.text,
      known?.catalog.version,
      known?.defaultSchema,
      seeds,
    ];
    return this.#latest.at(uri, of, () => ({
      document,
      uri,
      analysis,
      prepared: prepareTests(written, {
        analysis: config?.analysis,
        known,
        subjectOf: this.#configs.subjectOf,
        seeds,
      }),
      ...(config && { config: config.analysis, configDocument: config.document }),
    }));
  }

  at(uri: Uri): TestDocument | undefined {
    const document = this.#named.documentAt(uri);
    return document && this.of(document);
  }

  all(): readonly TestDocument[] {
    const { documents, folders, host } = this.#parts;
    const open = documents.all();
    const taken = new Set(open.map(({ uri }) => host.readUri(uri).key));
    const closed = [...folders.texts().values()].filter(
      ({ uri }) => isTestName(wholePath(uri)) && !taken.has(uri.key),
    );
    return [...open, ...closed.flatMap(({ uri }) => this.#named.documentAt(uri) ?? [])].flatMap(
      (document) => this.of(document) ?? [],
    );
  }

  /** Resolves when the rows of this file are available. A database may have to create them. */
  settled(uri: Uri): Promise<void> {
    return this.#seedRuns.settled(uri);
  }

  /** Returns the paths of sync configs relative to the folder of a test file. */
  configsFor(uri: Uri): readonly string[] {
    const { documents, workspace, host } = this.#parts;
    const folder = folderOfUri(uri);
    const known = [...documents.all(), ...workspace.onDisk()].filter(
      (document) => workspace.analysisOf(document).analysis.kind === 'sync',
    );
    return [...new Set(known.flatMap((each) => pathFrom(folder, host.readUri(each.uri)) ?? []))];
  }

  #testsOf(document: TextDocument): ReadTests {
    const known = this.#read.get(document);
    if (known?.version === document.version) return known.tests;
    const tests = readTests(document.getText(), known?.tests);
    this.#read.set(document, { version: document.version, tests });
    return tests;
  }
}
