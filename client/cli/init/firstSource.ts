/** The first source of a new project: the embedded database of the service, or an existing database. */

import { portsToTry } from '../../project/freePort.ts';
import { CliFailure } from '../failure.ts';
import { isDatabaseAddress } from '../sql/address.ts';
import type { World } from '../world.ts';

export type FirstSource =
  /** The paths are written as in the service config. */
  | { readonly kind: 'embedded'; readonly schema: readonly string[]; readonly port: number }
  /** The address is only in the variable. */
  | { readonly kind: 'postgresql'; readonly variable: string; readonly address: string };

/** The variables from which a service config takes its secrets. */
export const variableNames = {
  token: 'PS_ADMIN_TOKEN',
  key: 'PS_JWT_SECRET_B64URL',
  password: 'PS_DATABASE_PASSWORD',
  source: 'PS_SOURCE_URI',
  supabase: 'PS_SUPABASE_JWT_SECRET',
} as const;

export async function chooseDatabase(
  named: string | undefined,
  isSupabase: boolean,
  schema: readonly string[],
  world: World,
): Promise<FirstSource> {
  const { source } = variableNames;
  if (named !== undefined) return namedDatabase(named, world);
  if (isSupabase) return { kind: 'postgresql', variable: source, address: await supabaseAddress(world) };
  const port = await world.firstFreePort(portsToTry([], usualPort));
  return { kind: 'embedded', schema, port: port || usualPort };
}

const usualPort = 5499;

/** Returns the source for an address, or for the name of a variable that contains the address. */
function namedDatabase(named: string, { env }: World): FirstSource {
  const variable =
    env[named] !== undefined && /^(?:PS|POWERSYNC)_/.test(named) ? named : variableNames.source;
  const address = env[named] ?? named;
  const url = isDatabaseAddress(address) ? URL.parse(address) : null;
  if (url === null)
    throw new CliFailure(
      '--postgres must be an address such as postgresql://USER:PASSWORD@HOST:5432/DATABASE, or the name of a variable that contains one. In a password, write # as %23 and @ as %40.',
    );
  return { kind: 'postgresql', variable, address };
}

export function isOnThisMachine(address: string): boolean {
  return /^(?:localhost|127\.0\.0\.1|\[::1\])$/.test(URL.parse(address)?.hostname ?? '');
}

/** Returns the address of the database of `supabase start` on this machine, with its fixed password. */
async function supabaseAddress(world: World): Promise<string> {
  const port = await supabasePort('db', 54322, world);
  return `postgresql://postgres:postgres@127.0.0.1:${port}/postgres`;
}

/** Returns the address of the keys with which `supabase start` signs tokens. */
export async function supabaseKeySet(world: World): Promise<string> {
  return `http://127.0.0.1:${await supabasePort('api', 54321, world)}/auth/v1/.well-known/jwks.json`;
}

/** The default secret of `supabase start`. */
export const localSupabaseSecret = 'super-secret-jwt-token-with-at-least-32-characters-long';

/** Returns the port from `config.toml`, where it is a key in a section. */
async function supabasePort(section: string, usual: number, { files }: World): Promise<number> {
  const text = await files.read('supabase/config.toml').catch(() => '');
  const lines = text.split(/\r?\n/);
  const start = lines.findIndex((line) => line.trim() === `[${section}]`);
  if (start < 0) return usual;
  const rest = lines.slice(start + 1);
  const next = rest.findIndex((line) => line.startsWith('['));
  const inside = next < 0 ? rest : rest.slice(0, next);
  const port = inside
    .map((line) => /^\s*port\s*=\s*(\d+)/.exec(line)?.[1])
    .find((found) => found !== undefined);
  return port === undefined ? usual : Number(port);
}
