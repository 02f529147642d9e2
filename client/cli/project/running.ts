/**
 * The service that `headwater dev` runs in this folder, so that other commands find it: a file next to its data. A socket shows
 * whether the file is up to date, because a killed process does not clean up.
 */
import { namesBesideData } from '../../../server/shared/files.ts';
import type { World } from '../world.ts';
import { keep, readKept } from './dataFolder.ts';

const { running: recordName, secrets: secretsName } = namesBesideData;

/** Secrets of a service for this machine only. */
export interface Secrets {
  readonly token: string;
  readonly key: string;
}

interface RunningService {
  readonly url: string;
  /** The path of the sync config that it deploys, relative to this folder. */
  readonly file?: string;
  /** The address of the embedded database, with its password. */
  readonly database?: string;
  /** Absent if the service uses the secrets of the service config. */
  readonly secrets?: Secrets;
}

interface RunningRecord {
  /** The time of the start, in milliseconds since 1970. */
  readonly startedAt?: unknown;
  readonly file?: unknown;
  readonly url?: unknown;
  readonly port?: unknown;
  readonly database?: unknown;
  readonly secrets?: unknown;
}

export async function recordRunning(
  { url, file, database, secrets }: RunningService,
  world: World,
): Promise<void> {
  const record = { url, port: portIn(url), file, database, secrets: secrets !== undefined };
  await keep(recordName, record, world);
}

/** Records that a service is starting. Returns false, and records nothing, if another one is running here. */
export async function recordStart(world: World): Promise<boolean> {
  if ((await findRunning(world)) !== undefined) return false;
  await keep(recordName, { port: await lastPort(world), startedAt: world.now() }, world);
  return true;
}

/** Returns the seconds since `headwater dev` began to start its service here. Undefined if it is not starting one. */
export async function secondsSinceStart(
  world: Pick<World, 'files' | 'resets' | 'now'>,
): Promise<number | undefined> {
  const { startedAt } = await readRecord(world);
  if (typeof startedAt !== 'number' || !(await world.resets.isAnswered())) return undefined;
  return Math.max(0, Math.round((world.now() - startedAt) / 1000));
}

/** Records the end of the service, and keeps the port for the next start, because clients know the port. */
export async function recordEnd(world: World): Promise<void> {
  const port = await lastPort(world);
  if (port !== undefined) await keep(recordName, { port }, world);
}

export async function lastPort(world: Pick<World, 'files'>): Promise<number | undefined> {
  const { port } = await readRecord(world);
  return typeof port === 'number' ? port : undefined;
}

/**
 * Returns undefined if nothing is running here. Only addresses of this machine count, because anyone may have written the folder.
 */
export async function findRunning(
  world: Pick<World, 'files' | 'resets'>,
): Promise<RunningService | undefined> {
  const { url, file, database, secrets: hasSecrets } = await readRecord(world);
  if (typeof url !== 'string' || !/^http:\/\/127\.0\.0\.1:\d+$/.test(url)) return undefined;
  const secrets = hasSecrets === true ? await readSecrets(world) : undefined;
  if (hasSecrets === true && secrets === undefined) return undefined;
  if (!(await world.resets.isAnswered())) return undefined;
  return {
    url,
    ...(typeof file === 'string' && { file }),
    ...(typeof database === 'string' && isHere(database) && { database }),
    ...(secrets && { secrets }),
  };
}

/** Returns the origin of the tokens and keys of the running service, for messages. */
export async function secretsOrigin(world: Pick<World, 'files' | 'resets'>): Promise<string> {
  return (await findRunning(world))?.secrets === undefined ? 'the service config' : 'headwater dev';
}

export async function makeSecrets(world: World): Promise<Secrets> {
  const kept = await readSecrets(world);
  if (kept !== undefined) return kept;
  const made = { token: world.secret(secretLength), key: world.secret(secretLength) };
  await keep(secretsName, made, world);
  return made;
}

/** The length of a secret in bytes, which is the length of the hash that it signs with. */
export const secretLength = 32;

async function readSecrets(world: Pick<World, 'files'>): Promise<Secrets | undefined> {
  const { token, key } = ((await readKept(secretsName, world)) ?? {}) as Partial<Secrets>;
  return typeof token === 'string' && typeof key === 'string' ? { token, key } : undefined;
}

async function readRecord(world: Pick<World, 'files'>): Promise<RunningRecord> {
  return ((await readKept(recordName, world)) ?? {}) as RunningRecord;
}

function portIn(url: string): number {
  return Number(new URL(url).port);
}

function isHere(address: string): boolean {
  return URL.parse(address)?.hostname === '127.0.0.1';
}
