/** Finds the service that a command talks to, and the token, in the same order of places as the official command line. */

import { fromNative, joinPath, namesIn } from '../../server/shared/uri.ts';
import type { Api } from '../api/api.ts';
import { isFailure } from '../api/failure.ts';
import { type Link, linkName, namerOf, readLink } from '../project/link.ts';
import type { ProjectFile, ProjectValue } from '../project/projectFile.ts';
import { adminTokenOf, portOf, serviceConfigName, urlOn } from '../project/serviceConfig.ts';
import { harmless } from './colours.ts';
import { askConsent } from './consent.ts';
import { CliFailure } from './failure.ts';
import type { Options } from './options.ts';
import { type Progress, silentProgress } from './progress.ts';
import { findRunning, secondsSinceStart } from './project/running.ts';
import { openProjectFile, readServiceConfig } from './projectFiles.ts';
import type { World } from './world.ts';

export const instanceOptions = {
  service: {
    alias: '--api-url',
    value: 'URL',
    summary:
      'The address of the service (default: from cli.yaml, POWERSYNC_URL, or service.yaml in this folder)',
  },
  directory: {
    value: 'FOLDER',
    summary: 'The project folder, which contains cli.yaml (default: powersync, or this folder)',
  },
} as const satisfies Options;

/** The last paragraph in the help of each command that calls a service. */
export const aboutToken = `The token for the service comes from the variable PS_ADMIN_TOKEN, otherwise from api_key in cli.yaml, otherwise from
api.tokens in service.yaml. If the address comes only from a file in this folder, you are asked before the token is sent.`;

export interface Instance {
  readonly url: string;
  readonly token?: string | undefined;
  readonly tokenOrigin?: string;
}

interface Question {
  readonly text: (option: 'service' | 'directory') => string | undefined;
  readonly has: (option: 'quiet') => boolean;
  readonly world: World;
  readonly progress: Progress;
}

/** Runs code with a connection, and closes the connection afterwards. */
export async function withService<T>(
  asked: Question,
  use: (api: Api) => Promise<T>,
  instance?: Instance,
): Promise<T> {
  const found = instance ?? (await findInstance(asked));
  const api = await asked.world.openApi(found);
  try {
    return await use(api);
  } catch (error) {
    await pointToRunning(error, found, asked);
    throw error;
  } finally {
    await api.close();
  }
}

/** If no service answers at an address from a file, names the one that is running in this folder. */
export async function pointToRunning(error: unknown, { url }: Instance, asked: Question): Promise<void> {
  const { text, world, progress } = asked;
  if (!isFailure(error, 'unreachable') || text('service') !== undefined) return;
  const running = await findRunning(world);
  if (running === undefined || sameOrigin(url, running.url)) return;
  progress.end();
  world.complain(`headwater dev is running here at another address. To use it, add --service ${running.url}`);
}

/** Returns the link of a cloud project, unless the command line names a service or a service is running in this folder. */
export async function findCloudLink(asked: Question): Promise<Link | undefined> {
  const { link, isHere } = await readLinked(asked);
  return link?.isCloud && asked.text('service') === undefined && !isHere ? link : undefined;
}

/** Returns the address of the service, for requests without a token. */
export async function findAddress(asked: Question): Promise<string> {
  const { url } = await findPlace(asked);
  return url ?? localUrl(asked);
}

/** Returns the instance, with a token only if the user has agreed to the instructions in files of the folder. */
export async function findInstance(asked: Question): Promise<Instance> {
  const place = await findPlace(asked);
  const { url, found } = await findToken(place, asked);
  if (found === undefined) return { url };
  const { token, origin: tokenOrigin, variable } = found;
  const variables = [place.variable, variable].filter((name) => name !== undefined);
  await askConsent(
    { url, namedBy: place.file === undefined ? 'user' : 'folder', variables },
    place.file,
    asked,
  );
  const instance = { url, token, tokenOrigin };
  announce(instance, asked);
  return instance;
}

/** Returns the instance for a client's token. Like our own token, it must not be sent to a stranger's address. */
export async function findInstanceFor(
  token: Required<Pick<Instance, 'token' | 'tokenOrigin'>>,
  asked: Question,
): Promise<Instance> {
  const { url = await localUrl(asked), file, variable } = await findPlace(asked);
  const variables = variable === undefined ? [] : [variable];
  await askConsent({ url, namedBy: file === undefined ? 'user' : 'folder', variables }, file, asked);
  const instance = { url, ...token };
  announce(instance, asked);
  return instance;
}

/** Reports where a secret is sent. */
export function announce(
  { url, token, tokenOrigin }: Instance,
  { world, has, progress }: Pick<Question, 'world' | 'has' | 'progress'>,
): void {
  if (token === undefined || has('quiet')) return;
  progress.end();
  world.complain(`Connecting to ${harmless(url)} with the token from ${tokenOrigin}.`);
}

interface Place {
  /** The address. Undefined if it is not named anywhere, so that only the service of this folder is possible. */
  readonly url: string | undefined;
  /** The file of the folder that contains the address. Undefined if the user named the address. */
  readonly file: string | undefined;
  /** The variable from which that file takes the address. */
  readonly variable?: string | undefined;
  readonly link: Link | undefined;
  /** The address in the link. */
  readonly linked: string | undefined;
}

/**
 * The variable of the official command line. Many other programs use the same name, so a file of a folder must not set it for
 * us.
 */
const commonVariable = 'API_URL';
const ownVariable = 'POWERSYNC_URL';

interface LinkedPlace {
  readonly named: string | undefined;
  readonly written: string | undefined;
  readonly link: Link | undefined;
  /** Whether neither the user nor a file names an address or a folder. The link may name one. */
  readonly isForHere: boolean;
  /** Whether the service that is running here is meant. This is the case unless the user names a different folder or address. */
  readonly isHere: boolean;
}

async function readLinked({ text, world }: Question): Promise<LinkedPlace> {
  const { env, userEnv } = world;
  const named = userEnv[ownVariable] || userEnv[commonVariable] || undefined;
  const written = env[ownVariable] || undefined;
  const isKnown = text('service') !== undefined || named !== undefined || written !== undefined;
  const link = await findLink(text('directory'), isKnown, world);
  const isForHere = !isKnown && text('directory') === undefined;
  return { named, written, link, isForHere, isHere: isForHere && (await findRunning(world)) !== undefined };
}

async function findPlace(asked: Question): Promise<Place> {
  const { text, world } = asked;
  const { userEnv } = world;
  const flag = text('service');
  const { named, written, link, isForHere, isHere } = await readLinked(asked);
  if (isForHere && link?.url === undefined) await refuseWhileStarting(world);
  if (link?.isCloud && flag === undefined && !isHere)
    throw new CliFailure(
      `${link.path} links to a cloud project, but this command works only with your own services. Start one with headwater dev, or use --service URL.`,
    );
  const linked = link?.url?.text;
  if (link?.url !== undefined) checkAddress(link.url, link.path);
  const url = flag ?? linked ?? named ?? written;
  const isUsers = [flag, named].some(
    (each) => each !== undefined && url !== undefined && sameOrigin(url, each),
  );
  if (isUsers || url === undefined) return { url, file: undefined, link, linked };
  if (url !== linked) return { url, file: '.env', link, linked };
  const isSet = link?.url !== undefined && namerOf(link.url, userEnv) === 'user';
  return { url, file: isSet ? undefined : link?.path, variable: link?.url?.variable, link, linked };
}

async function refuseWhileStarting(world: World): Promise<void> {
  const seconds = await secondsSinceStart(world);
  if (seconds !== undefined)
    throw new CliFailure(
      `headwater dev is starting the service (${seconds} s so far). Try again when it is ready.`,
    );
}

/** Checks an address from a file. The value of a variable is not shown in the error, because it may be a secret. */
function checkAddress({ text, variable }: ProjectValue, path: string): void {
  if (variable === undefined || /^https?:\/\//i.test(text)) return;
  throw new CliFailure(
    `${path} takes \`api_url\` from the variable ${variable}, whose value does not begin with http:// or https://.`,
  );
}

interface Token {
  readonly token: string;
  /** The origin of the token, for messages. */
  readonly origin: string;
  /** The variable from which a file of the folder takes the token. */
  readonly variable?: string | undefined;
}

interface Access {
  readonly url: string;
  readonly found: Token | undefined;
}

async function findToken({ url, link, linked }: Place, asked: Question): Promise<Access> {
  const running = await findRunning(asked.world);
  // A service that headwater dev is running here accepts only its own token, even if variables are set for other services.
  if (running?.secrets !== undefined && (url === undefined || sameOrigin(url, running.url)))
    return { url: running.url, found: { token: running.secrets.token, origin: 'headwater dev' } };
  const admin = asked.world.env.PS_ADMIN_TOKEN;
  if (admin)
    return {
      url: url ?? (await localUrl(asked)),
      found: { token: admin, origin: 'the variable PS_ADMIN_TOKEN' },
    };
  // A token is sent only to the service next to which it was written.
  const isLinked =
    url !== undefined && link !== undefined && (linked === undefined || sameOrigin(url, linked));
  const key = isLinked ? link.key() : undefined;
  if (url !== undefined && key !== undefined)
    return { url, found: { token: key.text, origin: `api_key in ${link?.path}`, variable: key.variable } };
  return findLocal(url, asked);
}

/** Returns the address of the local service of this workspace, even if another service is named here. */
export async function findLocalUrl(world: World): Promise<string> {
  const asked: Question = { text: () => undefined, has: () => true, world, progress: silentProgress };
  const running = await findRunning(world);
  const url = running?.url ?? (await readLocal(asked))?.url;
  if (url === undefined)
    throw new CliFailure('There is no local service in this workspace. Start one with headwater dev.');
  return url;
}

async function localUrl(asked: Question): Promise<string> {
  const { world } = asked;
  const directory = asked.text('directory');
  // A service that is running here is not the service of a named folder.
  const running = directory === undefined ? await findRunning(world) : undefined;
  if (running !== undefined) return running.url;
  const local = await readLocal(asked);
  if (local === undefined)
    throw new CliFailure(
      directory !== undefined && !world.files.isFolder(directory)
        ? `There is no folder ${directory}.`
        : `No service specified. Use --service URL, write api_url in powersync/cli.yaml, or set the variable ${ownVariable}.`,
    );
  return local.url;
}

/** Returns the service at the address, or the service of this folder. Adds our token if both are the same service. */
async function findLocal(known: string | undefined, asked: Question): Promise<Access> {
  const url = known ?? (await localUrl(asked));
  const nothing = { url, found: undefined };
  if (!isLocal(url)) return nothing;
  const local = await readLocal(asked);
  const running = await findRunning(asked.world);
  const isOwn = [local?.url, running?.url].some((own) => own !== undefined && sameOrigin(url, own));
  if (local === undefined || !isOwn) return nothing;
  const token = adminTokenOf(local.file);
  if (token === undefined) return nothing;
  const origin = `api.tokens in ${local.file.path}`;
  return { url, found: { token: token.text, origin, variable: token.variable } };
}

async function findLink(
  directory: string | undefined,
  isKnown: boolean,
  world: World,
): Promise<Link | undefined> {
  const { files, folder } = world;
  const places =
    directory === undefined
      ? [`powersync/${linkName}`, linkName]
      : [joinPath(fromNative(directory, world.platform), linkName)];
  let path = places.find((place) => files.exists(place));
  if (path === undefined && directory === undefined && !isKnown) {
    const below = (await files.list(folder, (each) => /^[^/]+\/cli\.yaml$/.test(each))).paths;
    if (below.length > 1)
      throw new CliFailure(
        `There are several projects here. Choose one: ${below.map((each) => `--directory ${namesIn(each)[0]}`).join(', ')}.`,
      );
    path = below[0];
  }
  return path === undefined ? undefined : readLink(await openProjectFile(path, world));
}

interface LocalConfig {
  readonly file: ProjectFile;
  readonly url: string;
}

/** Returns the service on this machine that the service config describes. */
async function readLocal({ text, world }: Question): Promise<LocalConfig | undefined> {
  const directory = text('directory');
  const own =
    directory === undefined ? undefined : joinPath(fromNative(directory, world.platform), serviceConfigName);
  if (own !== undefined && !world.files.exists(own)) return undefined;
  const file = await readServiceConfig(world, own);
  if (file === undefined) return undefined;
  const port = portOf(file);
  if (port === undefined) throw new CliFailure(`The port in ${file.path} is not a number from 0 to 65535.`);
  return { file, url: urlOn(port) };
}

function isLocal(url: string): boolean {
  return /^http:\/\/127\.0\.0\.1(:|$)/.test(originOf(url) ?? '');
}

function sameOrigin(a: string, b: string): boolean {
  const [first, second] = [originOf(a), originOf(b)];
  return first !== undefined && first === second;
}

function originOf(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  return new URL(text).origin.replace('//localhost', '//127.0.0.1');
}
