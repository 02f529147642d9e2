/** The open documents' analyses: one for each version of a document, however many requests ask for it. */
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { type Analysis, analyze } from '../engine/index.ts';

export interface Analyzed {
  readonly analysis: Analysis;
  /** Tells this analysis from every other one of this server. Versions do not: they restart on reopening. */
  readonly id: string;
}

export interface Workspace {
  analyzed(document: TextDocument): Analyzed;
  /** To be called when a document is closed. */
  forget(document: TextDocument): void;
}

export function openWorkspace(): Workspace {
  const latest = new Map<string, Analyzed & { readonly version: number }>();
  let count = 0;
  return {
    analyzed(document) {
      const { uri, version } = document;
      const known = latest.get(uri);
      if (known?.version === version) return known;
      const analysis = analyze(document.getText(), { fileName: uri, previous: known?.analysis });
      count += 1;
      const made = { analysis, version, id: String(count) };
      latest.set(uri, made);
      return made;
    },
    forget: ({ uri }) => latest.delete(uri),
  };
}
