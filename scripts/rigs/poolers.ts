/** PgBouncer and HAProxy for tests, from Debian's packages where that needs no question. */
import { existsSync } from 'node:fs';
import { installWithApt } from './apt.ts';

interface Poolers {
  /** Paths of the programs; undefined: not on this machine. */
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
