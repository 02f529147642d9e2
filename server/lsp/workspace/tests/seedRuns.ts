/**
 * The rows of the SQL files that an access test file names. If there is a database, it runs those files in parallel, and only once
 * for the same texts; the tests wait for it. The database is started for an open test file, or when a user runs the tests. Open SQL
 * files are used as they are in the editor, but files that create tables are used as they are on disk.
 */
import {
  type Config,
  type KnownSource,
  noSeeds,
  readSeedFiles,
  type SeedFile,
  type SeedQuestion,
  type Seeds,
  seedTextsOf,
  toSeeds,
} from '../../../engine/index.ts';
import { isSchemaFile } from '../../../shared/places.ts';
import {
  beside,
  folderOfUri,
  inFolder,
  isWithin,
  pathFrom,
  pathOfUri,
  shownUri,
  type Uri,
  type UriKey,
  wholePath,
} from '../../../shared/uri.ts';
import type { Host, WorkspaceFiles } from '../../host/host.ts';
import type { Folders } from '../folders.ts';
import { isSameList } from './latestValues.ts';

export interface SeedRuns {
  /** Returns undefined while the database is running the files. */
  readonly of: (uri: Uri, wanted: WantedSeeds) => Seeds | undefined;
  /** Resolves when the database has run the files that this test file names. */
  readonly settled: (uri: Uri) => Promise<void>;
}

interface WantedSeeds {
  /** The paths of the SQL files, relative to the folder of the test file. */
  readonly files: readonly string[];
  readonly config: Config | undefined;
  readonly known: KnownSource | undefined;
  /** The scripts that create the tables. */
  readonly scripts: readonly Uri[];
  /** The state of the test file. Rows of a closed file are needed only when its tests are run. */
  readonly state: 'open' | 'closed';
}

interface Parts {
  readonly folders: Pick<Folders, 'texts' | 'generation' | 'folderOf'>;
  readonly files: Pick<WorkspaceFiles, 'exists'> | undefined;
  readonly host: Pick<Host, 'runSeeds' | 'clock'>;
  readonly textAt: (uri: Uri) => string | undefined;
  /** Called when the database has run the SQL files. */
  readonly changed: () => void;
}

interface SeedRun {
  /** Everything that the rows were made from. */
  readonly of: readonly unknown[];
  /** Resolves when there is an answer, or when the answer is no longer wanted. */
  readonly begin: () => Promise<void>;
  readonly leave: () => void;
  seeds?: Seeds;
}

/** The delay in milliseconds, so that a user who is still typing can finish. */
const pause = 300;

export function openSeedRuns({ folders, files, host, textAt, changed }: Parts): SeedRuns {
  const runs = new Map<UriKey, SeedRun>();
  const roots = new Map<UriKey, Uri>();
  const schemaVersion = openSchemaVersion(folders);

  /** Returns the root folder of the repository that contains a file; outside a repository, the folder of the workspace. */
  function rootOf(uri: Uri): Uri {
    const folder = folderOfUri(uri);
    const known = roots.get(folder.key) ?? repositoryAround(folder) ?? folders.folderOf(uri);
    roots.set(folder.key, known);
    return known;
  }

  function repositoryAround(folder: Uri): Uri | undefined {
    for (let at = folder; ; ) {
      const git = inFolder(at, '.git');
      if (git !== undefined && files?.exists(git) === true) return at;
      const above = folderOfUri(at);
      if (above.key === at.key) return undefined;
      at = above;
    }
  }

  function seedFile(tests: Uri, path: string, root: Uri): SeedFile {
    const uri = beside(tests, path);
    const name = uri === undefined ? path : nameIn(root, uri);
    if (uri === undefined || !isWithin(root, uri)) return { path, name, content: { kind: 'outside' } };
    const text = textAt(uri);
    return { path, name, content: text === undefined ? { kind: 'missing' } : { kind: 'text', text } };
  }

  /** Returns undefined if no database is available for the tables. */
  function schemaIn(root: Uri, scripts: readonly Uri[]): SeedQuestion['schema'] | undefined {
    const folder = pathOfUri(root);
    if (host.runSeeds === undefined || folder === undefined || scripts.length === 0) return undefined;
    return scripts.flatMap((uri) => {
      const path = pathOfUri(uri);
      return path === undefined ? [] : [{ path, name: nameIn(root, uri), folder }];
    });
  }

  function toRun(of: readonly unknown[], wait: number, run: Run): SeedRun {
    const leaving = new AbortController();
    let begun: Promise<void> | undefined;
    const work = async (): Promise<void> => {
      await host.clock.wait(wait);
      if (leaving.signal.aborted) return;
      const seeds = await run(leaving.signal).catch(() => noSeeds);
      if (leaving.signal.aborted) return;
      made.seeds = seeds;
      changed();
    };
    const made: SeedRun = {
      of,
      begin() {
        begun ??= work();
        return begun;
      },
      leave: () => leaving.abort(),
    };
    return made;
  }

  return {
    of(tests, { files: paths, config, known, scripts, state }) {
      if (paths.length === 0 || config === undefined) {
        runs.get(tests.key)?.leave();
        runs.delete(tests.key);
        return noSeeds;
      }
      const root = rootOf(tests);
      const seedFiles = paths.map((path) => seedFile(tests, path, root));
      const schema = schemaIn(root, scripts);
      const { options } = config.surroundings;
      const of = [
        schema === undefined ? known?.catalog.version : schemaVersion(),
        known?.defaultSchema,
        JSON.stringify([schema, options]),
        ...seedFiles.flatMap(({ path, content }) => [
          path,
          content.kind,
          content.kind === 'text' ? content.text : '',
        ]),
      ];
      const before = runs.get(tests.key);
      if (before && isSameList(before.of, of)) {
        if (state === 'open') void before.begin();
        return before.seeds;
      }
      before?.leave();
      const { runSeeds } = host;
      const texts = seedTextsOf(seedFiles);
      if (schema === undefined || runSeeds === undefined || texts.length === 0) {
        const seeds = readSeedFiles(seedFiles, known, runSeeds === undefined ? elsewhere : withSchema);
        runs.set(tests.key, { of, begin: async () => {}, leave() {}, seeds });
        return seeds;
      }
      const question = { schema, seeds: texts, options };
      const run: Run = async (signal) =>
        toSeeds(await runSeeds(question, signal), seedFiles, known?.defaultSchema);
      const made = toRun(of, before === undefined ? 0 : pause, run);
      runs.set(tests.key, made);
      if (state === 'open') void made.begin();
      return undefined;
    },
    async settled(uri) {
      for (let run = runs.get(uri.key); run !== undefined && run.seeds === undefined; run = runs.get(uri.key))
        await run.begin();
    },
  };
}

type Run = (signal: AbortSignal) => Promise<Seeds>;

const withSchema =
  'Add `schema:` with the SQL files that create the tables; then a database runs the entire file.';
const elsewhere =
  'No database is available here. `headwater test` and VS Code on the desktop have one, so they run the entire file if you trust the workspace.';

function nameIn(root: Uri, uri: Uri): string {
  return pathFrom(root, uri) ?? shownUri(uri);
}

/** Returns a function whose result changes whenever a file that may create tables changes. */
function openSchemaVersion({ texts, generation }: Pick<Folders, 'texts' | 'generation'>): () => number {
  let at = -1;
  let known: readonly unknown[] = [];
  let version = 0;
  return () => {
    if (at === generation()) return version;
    at = generation();
    const now = [...texts().values()].flatMap(({ uri, text }) =>
      isSchemaFile(wholePath(uri)) ? [uri.key, text] : [],
    );
    if (!isSameList(known, now)) version += 1;
    known = now;
    return version;
  };
}
