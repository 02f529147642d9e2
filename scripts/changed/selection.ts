/** Selects the tests that a change can affect, and among them those that a contributor runs before `npm test`. Reads no files. */
import { matchesGlob, posix } from 'node:path';
import type { Source } from '../../test/support/house/imports.ts';
import { hiddenReaders } from './readers.ts';
import { namesFile, type References, referencesOf } from './references.ts';

interface Repository {
  readonly sources: readonly Source[];
  /** The entry files of the bundles, by their path in `dist/`. */
  readonly entries: ReadonlyMap<string, string>;
}

export interface Selection {
  readonly unit: readonly string[];
  readonly live: readonly string[];
  /** Whether a selected test runs bundles from `dist/`. */
  readonly needsBuild: boolean;
  readonly left: readonly Remainder[];
  /** Changed files that no test is known to use. */
  readonly unread: readonly string[];
}

/** Tests that the change can affect but that are not selected. */
interface Remainder {
  readonly reason: string;
  readonly tests: readonly string[];
}

/** The maximum number of live tests. A change in a file that everything uses would otherwise run live tests for half an hour. */
const mostLive = 3;

export function selectTests(changed: readonly string[], repository: Repository): Selection {
  const graph = new Graph(repository);
  const tests = repository.sources.map(({ path }) => path).filter((path) => path.endsWith('.test.ts'));
  const affected = tests.filter((test) => changed.some((path) => graph.isAffected(test, path)));
  const ofKind = (kind: Kind): readonly string[] => affected.filter((test) => kindOf(test) === kind);
  const live = nearestOf(ofKind('live'), changed, graph);
  const left = [
    {
      reason: 'run the changed code together with much else',
      tests: ofKind('live').filter((test) => !live.includes(test)),
    },
    { reason: 'run the package in an editor or on Windows', tests: ofKind('rig') },
  ];
  return {
    unit: ofKind('unit'),
    live,
    needsBuild: live.some((test) => graph.runsBundles(test)),
    left: left.filter((each) => each.tests.length > 0),
    unread: changed.filter((path) => !tests.some((test) => graph.isAffected(test, path))),
  };
}

type Kind = 'unit' | 'live' | 'rig';

function kindOf(test: string): Kind {
  if (/^test\/(?:e2e|integration|web|windows)\//.test(test)) return 'rig';
  return test.endsWith('.live.test.ts') ? 'live' : 'unit';
}

/** Returns the changed tests, and the few others that have the name of a changed file or folder or import the file themselves. */
function nearestOf(affected: readonly string[], changed: readonly string[], graph: Graph): readonly string[] {
  const own = affected.filter((test) => changed.includes(test));
  const others = affected.filter((test) => !own.includes(test));
  const named = others.filter((test) => changed.some((path) => isNamedAfter(test, path)));
  const importing = others.filter((test) => changed.some((path) => graph.imports(test, path)));
  return [...own, ...[...new Set([...named, ...importing])].slice(0, mostLive)];
}

/**
 * Whether a test is about a file or folder: `test/service/storage/postgres.live.test.ts` is about
 * `server/service/storage/postgres`.
 */
function isNamedAfter(test: string, path: string): boolean {
  const subject = test.replace(/^test\/(?:client\/)?|\.live\.test\.ts$/g, '');
  const place = path.replace(/^(?:client|server)\/|\.tsx?$/g, '');
  return place === subject || place.startsWith(`${subject}/`);
}

class Graph {
  readonly #sources: ReadonlyMap<string, Source>;
  readonly #references: ReadonlyMap<string, References>;
  readonly #entries: ReadonlyMap<string, string>;
  /** The files that each test reaches. */
  readonly #reached = new Map<string, ReadonlySet<string>>();
  /** The readers of each changed file: the file itself, and the files that name it. */
  readonly #readers = new Map<string, readonly string[]>();

  constructor({ sources, entries }: Repository) {
    this.#sources = new Map(sources.map((source) => [source.path, source]));
    this.#references = new Map(sources.map((source) => [source.path, referencesOf(source)]));
    this.#entries = entries;
  }

  isAffected(test: string, path: string): boolean {
    if (snapshotOwner(path) === test || isHiddenReader(test, path)) return true;
    const reached = this.#reachedFrom(test);
    return this.#readersOf(path).some((file) => reached.has(file));
  }

  imports(test: string, path: string): boolean {
    return this.#sources.get(test)?.imports.includes(path) ?? false;
  }

  runsBundles(test: string): boolean {
    return [...this.#reachedFrom(test)].some((file) => this.#bundlesOf(file).length > 0);
  }

  #reachedFrom(test: string): ReadonlySet<string> {
    const known = this.#reached.get(test);
    if (known !== undefined) return known;
    const reached = new Set<string>();
    const waiting = [test];
    for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
      if (reached.has(path)) continue;
      reached.add(path);
      waiting.push(...(this.#sources.get(path)?.imports ?? []));
      waiting.push(...this.#named(path).filter((each) => this.#sources.has(each)));
      // Unit tests only name bundles and do not run them.
      if (kindOf(test) !== 'unit') waiting.push(...this.#bundlesOf(path));
    }
    this.#reached.set(test, reached);
    return reached;
  }

  #readersOf(path: string): readonly string[] {
    const known = this.#readers.get(path);
    if (known !== undefined) return known;
    const naming = [...this.#references].filter(([, references]) => namesFile(references, path));
    const readers = [path, ...naming.map(([file]) => file)];
    this.#readers.set(path, readers);
    return readers;
  }

  #named(path: string): References {
    return this.#references.get(path) ?? [];
  }

  /** Returns the entries of the bundles that a file names, or of all bundles if it names only their folder. */
  #bundlesOf(path: string): readonly string[] {
    const named = this.#named(path);
    if (named.includes('dist')) return [...this.#entries.values()];
    return [...this.#entries].filter(([out]) => named.includes(`dist/${out}`)).map(([, entry]) => entry);
  }
}

function snapshotOwner(path: string): string | undefined {
  const [, folder = '', name = ''] = /^(.*)\/__snapshots__\/(.*)\.snap$/.exec(path) ?? [];
  return name === '' ? undefined : posix.join(folder, name);
}

function isHiddenReader(test: string, path: string): boolean {
  return Object.entries(hiddenReaders).some(
    ([pattern, tests]) => matchesGlob(path, pattern) && tests.some((each) => matchesGlob(test, each)),
  );
}
