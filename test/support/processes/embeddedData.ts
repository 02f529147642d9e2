/**
 * Data folders of the embedded database, as it makes them itself, for tests that are not about their making: it takes
 * seconds of a processor, a copy takes a fifth of one.
 */
import { createHash } from 'node:crypto';
import { cpSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureCached } from '../../../scripts/rigs/cache.ts';
import { root } from '../../../scripts/root.ts';
import { systemClock } from '../../../server/service/ground/clock.ts';
import { lockNames } from '../../../server/service/ground/folderLock.ts';
import { silentLog } from '../../../server/service/ground/log.ts';
import { startDatabase } from '../../../server/service/replication/embedded/child.ts';

/** Puts an empty database into a folder that does not exist yet. */
export async function putEmbeddedData(folder: string): Promise<void> {
  cpSync(await template(), folder, { recursive: true });
}

let made: Promise<string> | undefined;

function template(): Promise<string> {
  made ??= ensureCached(`empty-${makerHash()}`, makeEmpty, {
    root: join(tmpdir(), `headwater-embedded-${process.getuid?.() ?? 'data'}`),
  });
  return made;
}

async function makeEmpty(folder: string): Promise<void> {
  const database = await startDatabase(folder, 'nobody signs in', { log: silentLog, clock: systemClock });
  await database.stop();
  for (const name of lockNames) rmSync(join(folder, name), { force: true });
}

/** Changes with what makes the folder: our program, and the database in it. */
function makerHash(): string {
  const makers = [
    'server/service/replication/embedded/database/main.ts',
    'node_modules/@electric-sql/pglite/package.json',
  ];
  const hash = createHash('sha256');
  for (const path of makers) hash.update(readFileSync(join(root, path)));
  return hash.digest('hex').slice(0, 16);
}
