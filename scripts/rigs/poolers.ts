/** Finds PgBouncer and HAProxy for tests, or installs them from Debian's packages if no confirmation is necessary. */
import { existsSync } from 'node:fs';
import { installWithApt } from './apt.ts';

interface Poolers {
  /** The path of the program; undefined if this machine does not have it. */
  readonly pgbouncer: string | undefined;
  readonly haproxy: string | undefined;
}

export async function ensurePoolers(): Promise<Poolers> {
  const find = (name: string): string | undefined =>
    ['/usr/sbin', '/usr/bin', '/opt/homebrew/bin', '/usr/local/bin']
      .map((folder) => `${folder}/${name}`)
      .find((path) => existsSync(path));
  if (find('pgbouncer') === undefined || find('haproxy') === undefined)
    await installWithApt(['pgbouncer', 'haproxy']);
  return { pgbouncer: find('pgbouncer'), haproxy: find('haproxy') };
}
