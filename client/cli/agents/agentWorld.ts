/**
 * The world that an agent can see: the files of the workspace, read-only; drafts that exist only in memory; and the services
 * that the call needs. The output of commands is collected.
 */
import { resolve } from 'node:path';
import { type UriKey, uriOfPath } from '../../../server/shared/uri.ts';
import type { ToolReach } from '../../agents/judge.ts';
import { readAddress } from '../../api/address.ts';
import type { Api } from '../../api/api.ts';
import { CliFailure } from '../failure.ts';
import { insideProject } from '../project/inside.ts';
import type { Files, World } from '../world.ts';

interface AgentCall {
  readonly reach: ToolReach;
  /** Texts by path. They replace files, or are additional files. */
  readonly drafts: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

interface AgentWorld {
  readonly world: World;
  readonly printed: string[];
  readonly complaints: string[];
}

/** The maximum length of a file in characters. Longer files are not configs. */
const longestFile = 16 * 1024 * 1024;

export function agentWorld(world: World, { reach, drafts, signal }: AgentCall): AgentWorld {
  const printed: string[] = [];
  const complaints: string[] = [];
  const refuse = (): never => {
    throw new CliFailure('Tools for agents cannot do this. Run the command in a terminal.');
  };
  return {
    printed,
    complaints,
    world: {
      ...world,
      print: (line) => void printed.push(line),
      complain: (line) => void complaints.push(line),
      scribble: () => {},
      terminal: { output: false, errors: false },
      // No user can answer, because standard input belongs to the client.
      confirm: async () => undefined,
      choose: async () => undefined,
      input: async () => refuse(),
      grants: { ...world.grants, add: async () => refuse() },
      files: withDrafts(insideOnly(world), drafts, world),
      signal,
      fetch: async () => refuse(),
      openApi: async (endpoint) => {
        checkReach(reach, endpoint.url);
        return limitApi(await world.openApi(endpoint), reach);
      },
      runSql: async () => refuse(),
      startProgram: refuse,
      resets: { ...world.resets, answer: async () => refuse(), ask: async () => refuse() },
    },
  };
}

/** Returns only the files inside of the folder, or of the repository around it. Links are resolved. */
function insideOnly(world: World): Files {
  const { files } = world;
  const isInside = insideProject(world);
  const check = (path: string): void => {
    if (!isInside(path)) throw Object.assign(new Error('outside'), { code: 'EOUTSIDE' });
  };
  const readOnly = async (): Promise<never> => {
    throw Object.assign(new Error('read only'), { code: 'EROFS' });
  };
  return {
    ...files,
    read: async (path) => {
      check(path);
      const text = await files.read(path);
      if (text.length > longestFile)
        throw Object.assign(new Error('long'), { code: 'ERR_FS_FILE_TOO_LARGE' });
      return text;
    },
    exists: (path) => isInside(path) && files.exists(path),
    isFolder: (path) => isInside(path) && files.isFolder(path),
    list: async (path, isWanted) => {
      check(path);
      return files.list(path, isWanted);
    },
    write: readOnly,
    writePrivately: readOnly,
    create: readOnly,
    makeFolder: readOnly,
  };
}

function withDrafts(files: Files, drafts: AgentCall['drafts'], { folder, platform }: World): Files {
  const keyOf = (path: string): UriKey => uriOfPath(resolve(folder, path), platform).key;
  const texts = new Map(Object.entries(drafts).map(([path, text]) => [keyOf(path), text]));
  if (texts.size === 0) return files;
  const draftAt = (path: string): string | undefined => texts.get(keyOf(path));
  return {
    ...files,
    read: async (path) => draftAt(path) ?? files.read(path),
    exists: (path) => draftAt(path) !== undefined || files.exists(path),
    isFolder: (path) => draftAt(path) === undefined && files.isFolder(path),
  };
}

function checkReach(reach: ToolReach, url: string): void {
  if (reach === 'nothing') throw new CliFailure('This tool does not use a service.');
  if (reach !== 'reads the target' && !readAddress(url).loopback)
    throw new CliFailure('This tool uses only the local service, but this service is not on this machine.');
}

/** The calls of a service that each reach allows. All other calls are left to people. */
const reading = [
  'diagnose',
  'signOfLife',
  'schema',
  'scripts',
  'validate',
  'validatedTables',
  'acceptsToken',
  'judgeToken',
] as const satisfies readonly (keyof Api)[];

const allowed: Readonly<Record<ToolReach, readonly (keyof Api)[]>> = {
  nothing: [],
  'reads the target': reading,
  'reads the local service': [...reading, 'syncOnce'],
  'deploys to the local service': [...reading, 'deploy'],
};

function limitApi(api: Api, reach: ToolReach): Api {
  const open = new Set<PropertyKey>(['address', 'close', ...allowed[reach]]);
  return new Proxy(api, {
    get(target, name) {
      if (name in target && !open.has(name))
        throw new CliFailure('Tools for agents cannot do this with a service.');
      return Reflect.get(target, name);
    },
  });
}
