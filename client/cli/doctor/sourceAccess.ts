/** Access to the source: directly if its address is in this folder, otherwise through the service. */
import type { Api } from '../../api/api.ts';
import type { SourceAccess } from '../../health/checkup/checkSource.ts';
import { sourceThrough } from '../../health/checkup/throughService.ts';
import { embeddedDatabaseOf } from '../../project/serviceConfig.ts';
import { isOwnVariable } from '../../project/trust.ts';
import type { Call } from '../command.ts';
import { findRunning } from '../project/running.ts';
import { type BaseFile, isMadeForHere } from '../project/serviceConfig.ts';
import type { SqlResult } from '../world.ts';
import { preflightHere } from './preflightHere.ts';

type AddressCall = Pick<Call<'service' | 'config'>, 'text' | 'world'>;

const place = '/replication/connections/0';

/** Whether the service config of this folder names the PostgreSQL source of the examined service. */
export async function isSourceNamedHere(
  base: BaseFile | undefined,
  { text, world }: AddressCall,
): Promise<boolean> {
  if (base === undefined || text('service') !== undefined) return false;
  if (base.file.text(`${place}/type`) !== 'postgresql') return false;
  // The running service may read a different database from the one in its config.
  return (await findRunning(world))?.secrets === undefined || isMadeForHere(base.file);
}

/** Returns the address of the source in the config. Undefined if the address is unknown or is not enough to connect. */
export function directAddress({ file }: BaseFile): string | undefined {
  const ownValue = (key: string): string | undefined => {
    const { text, variable } = file.value(`${place}/${key}`) ?? {};
    // A secret of another tool must not be sent to an address that a file of the folder names.
    return variable === undefined || isOwnVariable(variable) ? text : undefined;
  };
  // A source with its own certificates cannot be checked with an address alone.
  if (file.has(`${place}/cacert`) || file.has(`${place}/client_certificate`)) return undefined;
  const hostname = ownValue('hostname');
  const url = URL.parse(ownValue('uri') ?? (hostname === undefined ? '' : 'postgresql://host'));
  if (url === null) return undefined;
  // Each key overrides its part of the URI.
  for (const [key, part] of Object.entries(partsOfUrl)) {
    const value = ownValue(key);
    if (value !== undefined)
      url[part] = part === 'hostname' || part === 'port' ? value : encodeURIComponent(value);
    else if (file.has(`${place}/${key}`)) return undefined;
  }
  const isPlain = file.text(`${place}/sslmode`) === 'disable';
  url.searchParams.set('sslmode', isPlain ? 'disable' : 'verify-full');
  return url.href;
}

/** The part of a URL that each key overrides. */
const partsOfUrl = {
  hostname: 'hostname',
  port: 'port',
  username: 'username',
  password: 'password',
  database: 'pathname',
} as const;

interface SourceQuestion {
  /** Whether the service config of this folder names the source. */
  readonly isHere: boolean;
  readonly address: string | undefined;
  readonly base: BaseFile | undefined;
  /** The sync config. Absent if there is none. */
  readonly file?: { readonly path: string; readonly text: string };
}

export async function accessTo(
  { isHere, address, base, file }: SourceQuestion,
  service: () => Promise<Pick<Api, 'diagnose' | 'preflight' | 'query' | 'scripts'>>,
  call: AddressCall,
): Promise<SourceAccess> {
  const { text, world } = call;
  if (isHere) {
    // The service finds a sync config inside of a service config itself.
    const isOwnFile = file !== undefined && (await world.files.read(file.path)) === file.text;
    const preflight = await preflightHere(call, isOwnFile ? file.path : undefined);
    if (preflight === undefined)
      return {
        kind: 'unknown',
        why: 'Not checked: the service cannot use its config. See headwater validate.',
      };
    if (address === undefined) return { kind: 'proved', preflight };
    return { kind: 'proved', preflight, query: async (sql) => rowsOf(await world.runSql(address, sql)) };
  }
  if (text('service') === undefined) {
    const running = await findRunning(world);
    if (running?.database !== undefined) return { kind: 'embedded' };
    if (running === undefined && base !== undefined && embeddedDatabaseOf(base.file))
      return { kind: 'embedded' };
  }
  return sourceThrough(service, file?.text);
}

function rowsOf(results: readonly SqlResult[]): readonly Readonly<Record<string, unknown>>[] {
  return results.flatMap(({ columns, rows }) =>
    rows.map((row) => Object.fromEntries(columns.map((column, index) => [column, row[index] ?? null]))),
  );
}
