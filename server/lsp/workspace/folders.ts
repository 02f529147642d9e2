/**
 * The folders of the workspace, with the texts of the relevant files. The files are read once; after that, the client reports
 * changes. The texts of open documents are not here, because those are newer than the files.
 */
import {
  type Connection,
  DidChangeWatchedFilesNotification,
  FileChangeType,
  type FileEvent,
  type InitializeParams,
} from 'vscode-languageserver';
import { openTurns } from '../../shared/turns.ts';
import {
  folderOfUri,
  isSameUri,
  isWithin,
  pathFrom,
  type RelativePath,
  type Uri,
  type UriKey,
} from '../../shared/uri.ts';
import type { Host, WorkspaceFiles } from '../host/host.ts';
import { quietly } from '../host/quietly.ts';
import { isSkipped, isWanted, watchedFiles } from '../host/wanted.ts';
import { UnreadFiles } from './unreadFiles.ts';

export interface Folders {
  readonly start: () => Promise<void>;
  /** The innermost folder that contains a file; for a file outside the workspace, the file's own folder. */
  readonly folderOf: (uri: Uri) => Uri;
  readonly all: () => readonly Uri[];
  /** Returns the texts in the order of the client's folders. */
  readonly texts: () => ReadonlyMap<UriKey, StoredText>;
  /** Whether all files of a folder of the workspace that may create tables have been found and read. */
  readonly isWhole: (folder: Uri) => boolean;
  /** A number that increases whenever a file is added, removed or changed. */
  readonly generation: () => number;
}

interface StoredText {
  readonly uri: Uri;
  readonly text: string;
}

/** The maximum number of characters in one folder. Any further text is probably data rather than migrations, and is left out. */
const mostCharacters = 64 * 1024 * 1024;

interface FolderParts {
  readonly client: InitializeParams;
  readonly files: WorkspaceFiles | undefined;
  readonly host: Pick<Host, 'readUri'>;
  /** Called after each change, when all of its files have been read. */
  readonly changed: () => void;
}

export function openFolders(
  connection: Connection,
  { client, files, host: { readUri }, changed }: FolderParts,
): Folders {
  const { workspaceFolders, rootUri, capabilities } = client;
  let folders = (workspaceFolders?.map(({ uri }) => uri) ?? (rootUri ? [rootUri] : [])).map(readUri);
  const texts = new Map<UriKey, StoredText>();
  const unread = new UnreadFiles(connection.console);
  let generation = 0;
  const report = (error: unknown): void => connection.console.error(String(error));
  const turns = openTurns();

  /** Runs steps one after the other, so that an older text never replaces a newer one. */
  function inTurn(step: () => Promise<void>): Promise<void> {
    const read = async (): Promise<void> => {
      await step();
      generation += 1;
      changed();
    };
    return turns.run(read).catch(report);
  }

  /**
   * Lists and reads folders. The listing itself does not take a turn, because a listing that never ends must not block other
   * changes.
   */
  async function readFolders(some: readonly Uri[]): Promise<void> {
    await Promise.all(
      some.map(async (folder) => {
        const { paths, cut } = (await files?.list(folder, isWanted).catch(report)) ?? { paths: [] };
        if (cut !== undefined) unread.addFolder(folder, cut);
        await inTurn(() => readListed(folder, paths));
      }),
    );
  }

  async function readListed(folder: Uri, uris: readonly Uri[]): Promise<void> {
    if (!includes(folders, folder)) return;
    let left = mostCharacters;
    for (const uri of uris) {
      if (left > 0) await readText(uri);
      else unread.add(uri);
      left -= texts.get(uri.key)?.text.length ?? 0;
    }
    sortByFolder();
  }

  /** Sorts the texts by folder, because any folder may have been listed first. */
  function sortByFolder(): void {
    const indexOf = (uri: Uri) => folders.findIndex((folder) => isWithin(folder, uri));
    const sorted = [...texts].sort(([, a], [, b]) => indexOf(a.uri) - indexOf(b.uri));
    texts.clear();
    for (const [key, text] of sorted) texts.set(key, text);
  }

  async function readText(uri: Uri): Promise<void> {
    const text = await files?.read(uri);
    if (text !== undefined) texts.set(uri.key, { uri, text });
    else texts.delete(uri.key);
    // A text that does not exist is not missing.
    if (text !== undefined || files?.exists(uri) === false) unread.remove(uri);
    else unread.add(uri);
  }

  /** Returns the path of a file relative to its folder; undefined for skipped folders, in which thousands of files may change. */
  function pathOf(uri: Uri): RelativePath | undefined {
    const folder = folders.find((each) => isWithin(each, uri));
    const path = folder === undefined ? undefined : pathFrom(folder, uri);
    return path === undefined || isSkipped(path) ? undefined : path;
  }

  async function take(uri: Uri, type: FileEvent['type']): Promise<void> {
    const path = pathOf(uri);
    if (type === FileChangeType.Deleted) forget(uri);
    else if (path !== undefined && isWanted(path)) await readText(uri);
  }

  /** Forgets a file or a folder. The client reports a deleted folder as a single deletion. */
  function forget(uri: Uri): void {
    for (const [key, known] of texts) if (isWithin(uri, known.uri)) texts.delete(key);
    unread.forget(uri);
  }

  async function moveTo(next: readonly Uri[]): Promise<void> {
    const gone = folders.filter((folder) => !includes(next, folder));
    const come = next.filter((folder) => !includes(folders, folder));
    folders = [...next];
    gone.forEach(forget);
    void readFolders(come);
  }

  connection.onDidChangeWatchedFiles(({ changes }) => {
    const ours = changes
      .map(({ uri, type }) => ({ uri: readUri(uri), type }))
      .filter(({ uri }) => pathOf(uri) !== undefined);
    if (ours.length === 0) return;
    void inTurn(async () => {
      for (const { uri, type } of ours) await take(uri, type);
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
          const left = removed.map(({ uri }) => readUri(uri));
          const stay = folders.filter((folder) => !includes(left, folder));
          void inTurn(() => moveTo([...stay, ...added.map(({ uri }) => readUri(uri))]));
        });
      await readFolders(folders);
    },
    folderOf: (uri) =>
      folders.filter((folder) => isWithin(folder, uri)).sort((a, b) => b.names.length - a.names.length)[0] ??
      folderOfUri(uri),
    all: () => folders,
    texts: () => texts,
    isWhole: (folder) => !unread.areIn(folder),
    generation: () => generation,
  };
}

function includes(uris: readonly Uri[], uri: Uri): boolean {
  return uris.some((each) => isSameUri(each, uri));
}
