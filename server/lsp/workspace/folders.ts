/**
 * The folders of the workspace, with the texts of those files that matter. Read once; then the client reports what
 * changed. Texts of open documents are newer, and are not here.
 */
import {
  type Connection,
  DidChangeWatchedFilesNotification,
  FileChangeType,
  type FileEvent,
  type InitializeParams,
} from 'vscode-languageserver';
import type { WorkspaceFiles } from '../host/host.ts';
import { quietly } from '../host/quietly.ts';
import { takeTurns } from '../host/turns.ts';
import { isSkipped, isWanted, pathFrom, watchedFiles } from '../host/wanted.ts';

export interface Folders {
  readonly start: () => Promise<void>;
  /** The innermost folder that holds a file; for a file outside of all, its own. */
  readonly folderOf: (uri: string) => string;
  readonly all: () => readonly string[];
  /** By URI, in the order of the client's folders. */
  readonly texts: () => ReadonlyMap<string, string>;
  /** Counts up whenever a file came, went or changed. */
  readonly generation: () => number;
}

/** Of one folder. What is more than that is data, not migrations; it is left out. */
const mostCharacters = 64 * 1024 * 1024;

/** `changed` is called after each change, when all of it is known. */
export function openFolders(
  connection: Connection,
  { workspaceFolders, rootUri, capabilities }: InitializeParams,
  files: WorkspaceFiles | undefined,
  changed: () => void,
): Folders {
  let folders = (workspaceFolders?.map(({ uri }) => uri) ?? (rootUri ? [rootUri] : [])).map(withSlash);
  const texts = new Map<string, string>();
  let generation = 0;
  const takeTurn = takeTurns((error) => connection.console.error(String(error)));

  /** An older text never replaces a newer one. */
  function inTurn(step: () => Promise<void>): Promise<void> {
    return takeTurn(async () => {
      await step();
      generation += 1;
      changed();
    });
  }

  async function readFolder(folder: string): Promise<void> {
    let left = mostCharacters;
    for (const uri of (await files?.list(folder, isWanted)) ?? []) {
      if (left > 0) await readText(uri);
      left -= texts.get(uri)?.length ?? 0;
    }
  }

  async function readText(uri: string): Promise<void> {
    const text = await files?.read(uri);
    if (text === undefined) texts.delete(uri);
    else texts.set(uri, text);
  }

  /** The path of a file that may matter, from its folder; others come and go by thousands. */
  function pathOf(uri: string): string | undefined {
    const folder = folders.find((each) => uri.startsWith(each));
    const path = folder === undefined ? undefined : pathFrom(folder, uri);
    return path === undefined || isSkipped(path) ? undefined : path;
  }

  async function take({ uri, type }: FileEvent): Promise<void> {
    if (type === FileChangeType.Deleted) forget(uri);
    else if (isWanted(pathOf(uri) ?? '')) await readText(uri);
  }

  /** A folder that is deleted is reported as one. */
  function forget(uri: string): void {
    for (const known of texts.keys())
      if (known === uri || known.startsWith(withSlash(uri))) texts.delete(known);
  }

  async function moveTo(next: readonly string[]): Promise<void> {
    const gone = folders.filter((folder) => !next.includes(folder));
    const come = next.filter((folder) => !folders.includes(folder));
    folders = [...next];
    gone.forEach(forget);
    for (const folder of come) await readFolder(folder);
  }

  connection.onDidChangeWatchedFiles(({ changes }) => {
    const ours = changes.filter(({ uri }) => pathOf(uri) !== undefined);
    if (ours.length === 0) return;
    void inTurn(async () => {
      for (const change of ours) await take(change);
    });
  });

  return {
    async start() {
      if (capabilities.workspace?.didChangeWatchedFiles?.dynamicRegistration)
        quietly(
          connection.client.register(DidChangeWatchedFilesNotification.type, {
            watchers: [{ globPattern: watchedFiles }],
          }),
        );
      if (capabilities.workspace?.workspaceFolders)
        connection.workspace.onDidChangeWorkspaceFolders(({ added, removed }) => {
          const left = removed.map(({ uri }) => withSlash(uri));
          const stay = folders.filter((folder) => !left.includes(folder));
          void inTurn(() => moveTo([...stay, ...added.map(({ uri }) => withSlash(uri))]));
        });
      await inTurn(async () => {
        for (const folder of folders) await readFolder(folder);
      });
    },
    folderOf: (uri) =>
      folders.filter((folder) => uri.startsWith(folder)).sort((a, b) => b.length - a.length)[0] ??
      uri.slice(0, uri.lastIndexOf('/') + 1),
    all: () => folders,
    texts: () => texts,
    generation: () => generation,
  };
}

function withSlash(uri: string): string {
  return uri.endsWith('/') ? uri : `${uri}/`;
}
