/** The configs that access tests test, each with the tables that its test file names. */
import type { TextDocument } from 'vscode-languageserver-textdocument';
import {
  type Analysis,
  analyze,
  type Config,
  type KnownSource,
  readSqlFiles,
  type readTests,
  toTestSubject,
} from '../../../engine/index.ts';
import { beside, isWithin, type Uri, wholePath } from '../../../shared/uri.ts';
import { isSql } from '../../host/wanted.ts';
import type { Folders } from '../folders.ts';
import type { Workspace } from '../workspace.ts';
import { LatestValues } from './latestValues.ts';
import type { NamedFiles } from './namedFiles.ts';

interface TestedConfig {
  /** Absent if the file does not exist. */
  readonly config?: { readonly document: TextDocument; readonly analysis: Analysis };
  /** The tables. Undefined if they are unknown. */
  readonly known: KnownSource | undefined;
  /** The scripts that create the tables. */
  readonly scripts: readonly Uri[];
}

interface Parts {
  readonly workspace: Workspace;
  readonly folders: Pick<Folders, 'texts'>;
  readonly named: NamedFiles;
}

type Subject = ReturnType<typeof toTestSubject>;

export class TestedConfigs {
  readonly #parts: Parts;
  readonly #schemas = new LatestValues<KnownSource | undefined>();
  readonly #analyses = new LatestValues<Analysis>();
  readonly #subjects = new WeakMap<Config, Subject>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** @param tests the URI of the test file */
  of(tests: Uri, { config, schema }: ReturnType<typeof readTests>['file']): TestedConfig {
    const { workspace, named } = this.#parts;
    const configUri = config && beside(tests, config.value);
    const schemaUri = schema && beside(tests, schema.value);
    const document = configUri && named.documentAt(configUri);
    const ownSchema = schemaUri && this.#schemaAt(schemaUri);
    return {
      ...(document && {
        config: { document, analysis: this.#analysisOf(configUri, document, ownSchema) },
      }),
      known: schema ? ownSchema : configUri && workspace.schemaOf(configUri),
      scripts: schemaUri ? [schemaUri] : configUri ? workspace.scriptsOf(configUri) : [],
    };
  }

  readonly subjectOf = (config: Config): Subject => {
    const known = this.#subjects.get(config) ?? toTestSubject(config);
    this.#subjects.set(config, known);
    return known;
  };

  /** Returns the schema from the SQL file, or folder of SQL files, that the test file names. */
  #schemaAt(uri: Uri): KnownSource | undefined {
    const { folders, named } = this.#parts;
    const inFolder = [...folders.texts().values()].filter(
      (each) => isWithin(uri, each.uri) && isSql(each.uri.text),
    );
    const text = inFolder.length === 0 && isSql(uri.text) ? named.textAt(uri) : undefined;
    const scripts = text === undefined ? inFolder : [{ uri, text }];
    return this.#schemas.at(
      uri,
      scripts.map((each) => each.text),
      () => readSqlFiles(scripts.map((each) => ({ path: each.uri.text, text: each.text }))),
    );
  }

  #analysisOf(uri: Uri, document: TextDocument, ownSchema: KnownSource | undefined): Analysis {
    if (ownSchema === undefined) return this.#parts.workspace.analysisOf(document).analysis;
    return this.#analyses.at(uri, [document, document.version, ownSchema], (previous) =>
      analyze(document.getText(), { ...ownSchema, fileName: wholePath(uri), previous }),
    );
  }
}
