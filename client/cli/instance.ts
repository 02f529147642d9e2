/** Which service a command talks to, and with which token. The order is that of the official command line. */
import type { Api } from '../api/api.ts';
import { CliFailure } from './failure.ts';
import type { Options } from './options.ts';
import { readText } from './read.ts';
import { readServiceConfig } from './serviceConfig.ts';
import { readValues, type Values } from './values.ts';
import type { World } from './world.ts';

export const instanceOptions = {
  service: {
    alias: '--api-url',
    value: 'URL',
    summary: 'The service; otherwise that of cli.yaml, of the variable API_URL, or of service.yaml here',
  },
  directory: {
    value: 'FOLDER',
    summary: 'Of the project: where cli.yaml is; usually powersync, or this folder',
  },
} as const satisfies Options;

/** Ends the help of every command that talks to a service. */
export const aboutToken = `The token of the service is taken from the variable PS_ADMIN_TOKEN, else from api_key in cli.yaml,
else from api.tokens in service.yaml.`;

export interface Instance {
  readonly url: string;
  readonly token?: string | undefined;
  readonly tokenOrigin?: string;
}

interface Asked {
  readonly text: (option: 'service' | 'directory') => string | undefined;
  readonly world: World;
}

/** Hands over a connection, and closes it afterwards. */
export async function withService<T>(
  asked: Asked,
  use: (api: Api) => Promise<T>,
  instance?: Instance,
): Promise<T> {
  const api = await asked.world.openApi(instance ?? (await findInstance(asked)));
  try {
    return await use(api);
  } finally {
    await api.close();
  }
}

/** For questions that need no token. */
export async function findAddress(asked: Asked): Promise<string> {
  const { url } = await findPlace(asked);
  return url ?? localUrl(asked);
}

export async function findInstance(asked: Asked): Promise<Instance> {
  const { world } = asked;
  const { env } = world;
  const { url, link, linked } = await findPlace(asked);
  if (env.PS_ADMIN_TOKEN)
    return {
      url: url ?? (await localUrl(asked)),
      token: env.PS_ADMIN_TOKEN,
      tokenOrigin: 'the variable PS_ADMIN_TOKEN',
    };
  // A token goes nowhere but to the service that it was written down for.
  const isLinked =
    url !== undefined && link !== undefined && (linked === undefined || sameOrigin(url, linked));
  const key = isLinked ? link.values.text('/api_key') : undefined;
  if (url !== undefined && key !== undefined)
    return { url, token: key, tokenOrigin: `api_key in ${link?.path}` };
  return findLocal(url, asked);
}

interface Place {
  /** Undefined if nothing names one: it can only be the service of this folder. */
  readonly url: string | undefined;
  readonly link: Link | undefined;
  /** The address in the link. */
  readonly linked: string | undefined;
}

async function findPlace({ text, world }: Asked): Promise<Place> {
  const { env } = world;
  const flag = text('service');
  const link = await findLink(text('directory'), flag !== undefined || Boolean(env.API_URL), world);
  if (link?.values.text('/type') === 'cloud')
    throw new CliFailure(
      `${link.path} is the link of a cloud project. Only services of your own can be asked.`,
    );
  const linked = link?.values.text('/api_url');
  return { url: flag ?? linked ?? (env.API_URL || undefined), link, linked };
}

async function localUrl(asked: Asked): Promise<string> {
  const local = await readLocal(asked);
  if (local === undefined)
    throw new CliFailure(
      'Which service? Use --service URL, write api_url in powersync/cli.yaml, or set the variable API_URL.',
    );
  return local.url;
}

/** The service of this folder, or the one at the address: with our token, if it is the same. */
async function findLocal(known: string | undefined, asked: Asked): Promise<Instance> {
  const url = known ?? (await localUrl(asked));
  if (!isLocal(url)) return { url };
  const local = await readLocal(asked);
  if (local === undefined || !sameOrigin(url, local.url)) return { url };
  const token = local.values.texts('/api/tokens')[0];
  return token === undefined ? { url } : { url, token, tokenOrigin: `api.tokens in ${local.path}` };
}

interface Link {
  readonly path: string;
  readonly values: Values;
}

async function findLink(
  directory: string | undefined,
  isKnown: boolean,
  { files, env, folder }: World,
): Promise<Link | undefined> {
  const places = directory === undefined ? ['powersync/cli.yaml', 'cli.yaml'] : [`${directory}/cli.yaml`];
  let path = places.find((place) => files.exists(place));
  if (path === undefined && directory === undefined && !isKnown) {
    const below = (await files.list(folder)).filter((each) => /^[^/]+\/cli\.yaml$/.test(each));
    if (below.length > 1)
      throw new CliFailure(
        `There are several projects here. Choose one: ${below.map((each) => `--directory ${each.split('/')[0]}`).join(', ')}.`,
      );
    path = below[0];
  }
  return path === undefined
    ? undefined
    : { path, values: readValues(path, await readText(path, files), env) };
}

interface Local extends Link {
  readonly url: string;
}

/** The service that the service config describes, on this machine. */
async function readLocal({ text, world }: Asked): Promise<Local | undefined> {
  const directory = text('directory');
  const own = directory === undefined ? undefined : `${directory}/service.yaml`;
  if (own !== undefined && !world.files.exists(own)) return undefined;
  const found = await readServiceConfig(world, own);
  if (found === undefined) return undefined;
  const { path, values } = found;
  return { path, values, url: `http://127.0.0.1:${values.text('/port') ?? '8080'}` };
}

function isLocal(url: string): boolean {
  return originOf(url)?.startsWith('http://127.0.0.1') ?? false;
}

function sameOrigin(a: string, b: string): boolean {
  const [first, second] = [originOf(a), originOf(b)];
  return first !== undefined && first === second;
}

function originOf(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  return new URL(text).origin.replace('//localhost', '//127.0.0.1');
}
