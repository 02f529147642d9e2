/** A world with files in memory, in which commands run. It records their output. */
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Api } from '../../../client/api/api.ts';
import { run } from '../../../client/cli/run.ts';
import type { World } from '../../../client/cli/world.ts';
import { root } from '../house/imports.ts';

export interface RunEnd {
  readonly code: number;
  /** The lines of the output. */
  readonly out: readonly string[];
  readonly err: readonly string[];
  /** The files after the run. */
  readonly files: Readonly<Record<string, string | Error>>;
}

export interface Surroundings {
  /** The text of each file by its path. Reading a file that has an `Error` fails with this error. */
  readonly files?: Readonly<Record<string, string | Error>>;
  /** The targets of links, by their absolute paths. */
  readonly links?: Readonly<Record<string, string>>;
  readonly env?: World['env'];
  readonly api?: Partial<Api>;
  readonly world?: Partial<World>;
}

/** Runs `headwater …args`. */
export async function headwater(args: readonly string[], around: Surroundings = {}): Promise<RunEnd> {
  const out: string[] = [];
  const err: string[] = [];
  const files = new Map(Object.entries(around.files ?? {}).map(([path, text]) => [slashed(path), text]));
  const world = cliWorld(around, files, out, err);
  const code = await run(args, world);
  return { code, out: out.flatMap((text) => text.split('\n')), err, files: Object.fromEntries(files) };
}

export function cliWorld(
  { env = {}, links = {}, api, world }: Surroundings,
  files: Map<string, string | Error>,
  out: string[],
  err: string[],
): World {
  return {
    print: (line) => out.push(line),
    complain: (line) => err.push(line),
    scribble: (text) => err.push(text),
    terminal: { output: false, errors: false },
    env,
    userEnv: env,
    confirm: async () => undefined,
    choose: async () => undefined,
    input: async () => '',
    firstFreePort: async ([port = 0]) => port,
    grants: { path: '/home/ada/.config/headwater/trust.json', read: async () => [], add: async () => {} },
    nodeVersion: '24.0.0',
    folder: '/project',
    platform: 'linux',
    files: {
      read: async (path) => {
        const file = files.get(slashed(path)) ?? failure('ENOENT');
        if (file instanceof Error) throw file;
        return file;
      },
      write: async (path, text) => void files.set(slashed(path), text),
      writePrivately: async (path, text) => {
        files.set(slashed(path), text);
        return { kind: 'private' };
      },
      create: async (path, text) => !files.has(slashed(path)) && files.set(slashed(path), text) !== undefined,
      makeFolder: async () => undefined,
      shown: (path) => path,
      exists: (path) => files.has(slashed(path).replace('/project/', '')),
      isFolder: (path) =>
        path === '.' ||
        [...files.keys()].some((each) => each.startsWith(`${slashed(path).replace(/\/$/, '')}/`)),
      list: async (folder, isWanted) => {
        const prefix = ['/project', '.'].includes(slashed(folder))
          ? ''
          : `${slashed(folder).replace(/\/$/, '')}/`;
        const inside = [...files.keys()].filter((path) => path.startsWith(prefix));
        return { paths: inside.map((path) => path.slice(prefix.length)).filter(isWanted) };
      },
      real: (path) =>
        Object.entries(links).reduce(
          (way, [link, to]) => (isAt(way, link) ? to + way.slice(link.length) : way),
          withSlashes(resolve('/project', path)),
        ),
      watch: () => () => {},
    },
    now: () => Date.parse('2026-01-01T00:00:00Z'),
    signal: new AbortController().signal,
    pause: async () => {},
    channel: () => {
      throw new Error('nobody speaks here');
    },
    moveTo: () => cliWorld({ env, links, ...(api && { api }), ...(world && { world }) }, files, out, err),
    readPage: (name) => readFile(join(root, 'docs', `${name}.md`), 'utf8'),
    secret: (bytes) => 's'.repeat(bytes),
    fetch: () => Promise.reject(new Error('nothing is fetched here')),
    openApi: async ({ url, token }) => {
      err.push(`asks ${url} with ${token ?? 'no token'}`);
      return { close: async () => {}, schema: async () => ({}), ...api } as Api;
    },
    runSql: () => Promise.reject(new Error('there is no database here')),
    // Git is not installed in this world.
    startProgram: (program) => ({ ended: Promise.resolve(program === 'git' ? 127 : 0), stop: () => {} }),
    resets: { answer: async () => () => {}, isAnswered: async () => false, ask: async () => undefined },
    ...world,
  };
}

export function failure(code: string): Error {
  return Object.assign(new Error('not to be shown'), { code });
}

/** Returns the path relative to the working directory, with forward slashes. */
function slashed(path: string): string {
  return withSlashes(path).replace(/^\/project\//, '');
}

function isAt(path: string, link: string): boolean {
  return path === link || path.startsWith(`${link}/`);
}

/** Removes the drive and replaces the backslashes that a path has on Windows. */
function withSlashes(path: string): string {
  return path.replaceAll('\\', '/').replace(/^[a-z]:\//i, '/');
}
