/**
 * The analyses of the configs of a workspace, open or on disk: one for each version of a text, of what is known of its
 * source and of the files around it, however many requests ask for it.
 */

import { TextDocument } from 'vscode-languageserver-textdocument';
import { type Analysis, analyze } from '../../engine/index.ts';
import { readsOtherTables } from '../../features/reading/tables.ts';
import { isConfigName } from '../../places.ts';
import type { WorkspaceFiles } from '../host/host.ts';
import { beside } from './beside.ts';
import type { Folders } from './folders.ts';
import type { KnownSchema, Schemas } from './schemas.ts';

interface NumberedAnalysis {
  readonly analysis: Analysis;
  /** Tells this analysis from every other one of this server. Versions do not: they restart on reopening. */
  readonly id: string;
}

export interface Workspace {
  readonly analyzed: (document: TextDocument) => NumberedAnalysis;
  /** Configs on disk, as documents. Open ones are newer there than here. */
  readonly onDisk: () => readonly TextDocument[];
  /** What a document was judged by. */
  readonly schemaOf: (uri: string) => KnownSchema | undefined;
  /** To be called when a document is closed. */
  readonly forget: (document: TextDocument) => void;
}

interface Latest extends NumberedAnalysis {
  readonly document: TextDocument;
  readonly version: number;
  readonly world: string;
}

export function openWorkspace(
  schemas: Pick<Schemas, 'of'>,
  folders: Pick<Folders, 'texts' | 'generation'>,
  files: Pick<WorkspaceFiles, 'exists'> | undefined,
): Workspace {
  const latest = new Map<string, Latest>();
  const stored = new Map<string, TextDocument>();
  let count = 0;

  function analyzed(document: TextDocument): NumberedAnalysis {
    const { uri, version } = document;
    const schema = schemas.of(uri);
    const world = JSON.stringify([schema?.catalog.version, schema?.defaultSchema, folders.generation()]);
    const known = latest.get(uri);
    if (known?.document === document && known.version === version && known.world === world) return known;
    const analysis = analyzeIn(document, schema, known?.analysis);
    count += 1;
    const made = { document, analysis, version, world, id: String(count) };
    latest.set(uri, made);
    return made;
  }

  function analyzeIn(
    document: TextDocument,
    schema: KnownSchema | undefined,
    previous: Analysis | undefined,
  ): Analysis {
    const { uri } = document;
    const exists = (path: string) => {
      const at = beside(uri, path);
      return at === undefined ? undefined : files?.exists(at);
    };
    const input = { fileName: uri, previous, files: { exists } };
    const text = document.getText();
    if (!schema) return analyze(text, input);
    const { catalog, defaultSchema, origin } = schema;
    // SQL files that make none of the tables of a config, nor similar ones, are about something else.
    const isAboutOthers = (analysis: Analysis | undefined) =>
      origin === 'files' && analysis !== undefined && readsOtherTables(analysis, catalog);
    const judge = (isOther: boolean) =>
      isOther ? analyze(text, input) : analyze(text, { ...input, catalog, defaultSchema });
    const expected = isAboutOthers(previous);
    const analysis = judge(expected);
    return isAboutOthers(analysis) === expected ? analysis : judge(!expected);
  }

  return {
    analyzed,
    onDisk() {
      const texts = folders.texts();
      for (const uri of stored.keys()) if (!texts.has(uri)) stored.delete(uri);
      for (const [uri, text] of texts)
        if (isConfigName(uri) && stored.get(uri)?.getText() !== text)
          stored.set(uri, TextDocument.create(uri, 'yaml', 0, text));
      return [...stored.values()];
    },
    schemaOf: schemas.of,
    forget: ({ uri }) => latest.delete(uri),
  };
}
