/** How the source is asked: by ourselves where its address is here, else by the service. */
import type { Api } from '../../api/api.ts';
import type { SourceAccess } from '../../health/checkup/source.ts';
import { sourceThrough } from '../../health/checkup/throughService.ts';
import { embeddedDatabaseOf } from '../../project/serviceConfig.ts';
import { isOwnVariable } from '../../project/trust.ts';
import type { Call } from '../command.ts';
import { findRunning } from '../project/running.ts';
import { type BaseFile, isMadeForHere } from '../project/serviceConfig.ts';
import type { SqlResult } from '../world.ts';

type AddressCall = Pick<Call<'service'>, 'text' | 'world'>;

/** Undefined if it is not known here, or needs more than an address. */
export async function directAddress(
  base: BaseFile | undefined,
  { text, world }: AddressCall,
): Promise<string | undefined> {
  if (base === undefined || text('service') !== undefined) return undefined;
  // What runs here reads another database than its config says.
  if ((await findRunning(world))?.secrets !== undefined && !isMadeForHere(base.file)) return undefined;
  const place = '/replication/connections/0';
  const { text: uri, variable } = base.file.value(`${place}/uri`) ?? {};
  const url = uri === undefined ? null : URL.parse(uri);
  if (url === null || base.file.text(`${place}/type`) !== 'postgresql') return undefined;
  // No secret of another tool goes where a file of the folder says, and no certificate is left unchecked.
  if (variable !== undefined && !isOwnVariable(variable)) return undefined;
  if (base.file.has(`${place}/cacert`) || base.file.has(`${place}/password`)) return undefined;
  const isPlain = base.file.text(`${place}/sslmode`) === 'disable';
  url.searchParams.set('sslmode', isPlain ? 'disable' : 'verify-full');
  return url.href;
}

export async function accessTo(
  address: string | undefined,
  base: BaseFile | undefined,
  service: () => Promise<Pick<Api, 'diagnose' | 'query' | 'scripts'>>,
  { text, world }: AddressCall,
): Promise<SourceAccess> {
  if (address !== undefined) {
    const { host } = new URL(address);
    return { kind: 'postgresql', name: host, query: async (sql) => rowsOf(await world.runSql(address, sql)) };
  }
  const running = text('service') === undefined ? await findRunning(world) : undefined;
  if (running?.database !== undefined) return { kind: 'embedded' };
  if (
    text('service') === undefined &&
    running === undefined &&
    base !== undefined &&
    embeddedDatabaseOf(base.file)
  )
    return { kind: 'embedded' };
  return sourceThrough(service);
}

function rowsOf(results: readonly SqlResult[]): readonly Readonly<Record<string, unknown>>[] {
  return results.flatMap(({ columns, rows }) =>
    rows.map((row) => Object.fromEntries(columns.map((column, index) => [column, row[index] ?? null]))),
  );
}
