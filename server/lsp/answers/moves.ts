/** Updates service configs before a file is moved or renamed, so that they name the new path of a file that they load. */
import type { FileRename, WorkspaceEdit } from 'vscode-languageserver';
import { links } from '../../features/links.ts';
import { beside, inFolder, isSameUri, pathBetween, pathFrom, type Uri } from '../../shared/uri.ts';
import type { LanguageSession, OpenConfig } from '../workspace/session.ts';
import type { Feature } from './feature.ts';
import { workspaceEdit } from './workspaceEdit.ts';

export const moveFeature: Feature = {
  capabilities: {},
  answer({ workspace }, session) {
    workspace.onWillRenameFiles(({ files }) => editsFor(session, files));
  },
};

export const movedFiles = {
  willRename: {
    filters: [
      { pattern: { glob: '**/*.{yaml,yml}', matches: 'file' as const } },
      { pattern: { glob: '**', matches: 'folder' as const } },
    ],
  },
};

function editsFor(session: LanguageSession, files: readonly FileRename[]): WorkspaceEdit | null {
  const { readUri } = session.host;
  const moves = files.map(({ oldUri, newUri }) => ({ from: readUri(oldUri), to: readUri(newUri) }));
  const newPlace = (uri: Uri): Uri => {
    for (const { from, to } of moves) {
      const path = pathFrom(from, uri);
      if (path !== undefined) return path === '' ? to : (inFolder(to, path) ?? uri);
    }
    return uri;
  };
  const changed = session.all().flatMap((config) => {
    const uri = readUri(config.document.uri);
    const edits = editsOf(config, uri, newPlace);
    return edits.length === 0 ? [] : [{ document: config.document, isOpen: session.isOpen(uri), edits }];
  });
  return changed.length === 0 ? null : workspaceEdit(session.client, changed);
}

function editsOf({ analysis }: OpenConfig, uri: Uri, newPlace: (uri: Uri) => Uri) {
  return links(analysis).flatMap((link) => {
    if (link.kind !== 'file') return [];
    const target = beside(uri, link.path);
    if (target === undefined) return [];
    const [home, goal] = [newPlace(uri), newPlace(target)];
    const stillFound = beside(home, link.path);
    if (stillFound && isSameUri(stillFound, goal)) return [];
    const path = pathBetween(home, goal);
    if (path === undefined) return [];
    const quote = /^["']/.exec(analysis.text.slice(link.span.start))?.[0] ?? '';
    return [{ span: link.span, text: quote === '' ? plainPath(path) : `${quote}${path}${quote}` }];
  });
}

/** Returns the path as a YAML value, with quotes only if it needs them. */
function plainPath(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : JSON.stringify(path);
}
