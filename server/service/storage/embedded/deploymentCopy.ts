/**
 * A copy of the deployment records, next to the database. If the database is corrupt, the sync config in this copy is used to
 * copy everything again from the source. The copy is written after a deploy, not for each checkpoint.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { replaceFile } from '../../../shared/files.ts';
import { openTurns } from '../../../shared/turns.ts';
import type { Log } from '../../ground/log.ts';
import type { ReadingDatabase } from './database.ts';
import type { DatabaseRow } from './recordChecks.ts';

export const copyName = 'deployments.json';

/** The rows of the tables `instance` and `deployments`, without deployments whose data has been deleted. */
export interface DeploymentCopy {
  readonly instance: readonly DatabaseRow[];
  readonly deployments: readonly DatabaseRow[];
  /** The greatest id of all deployments. It grows with each deployed config. */
  readonly lastId: number;
}

/** Returns undefined if there is no copy, or if it differs from the one that was written. */
export function readDeploymentCopy(folder: string): DeploymentCopy | undefined {
  try {
    const { check, copy } = JSON.parse(readFileSync(join(folder, copyName), 'utf8')) as {
      readonly check: number;
      readonly copy: DeploymentCopy;
    };
    return checkOf(copy) === check ? copy : undefined;
  } catch {
    return undefined;
  }
}

/** Returns a function that copies the current records. A failure is only logged, so that a full disk does not prevent a deploy. */
export function openDeploymentCopy(
  { reading, read }: ReadingDatabase,
  folder: string,
  log: Log,
): () => Promise<void> {
  const path = join(folder, copyName);
  const turns = openTurns();
  const currentRecords = (): DeploymentCopy => ({
    instance: reading.prepare('SELECT * FROM instance').all(),
    deployments: reading.prepare("SELECT * FROM deployments WHERE state <> 'terminated' ORDER BY id").all(),
    lastId: lastIdOf(reading.prepare('SELECT id FROM deployments').all()),
  });
  const write = async (): Promise<void> => {
    try {
      const copy = await read(currentRecords);
      const text = JSON.stringify({ check: checkOf(copy), copy });
      await replaceFile(path, text, { draft: `${path}.new`, mode: 0o600 });
    } catch (error) {
      log.write('warn', 'Could not write the copy of the deployment records', {
        path,
        reason: String(error),
      });
    }
  };
  return () => turns.run(write);
}

export function lastIdOf(deployments: readonly DatabaseRow[]): number {
  return Math.max(0, ...deployments.map(({ id }) => Number(id)));
}

function checkOf(copy: DeploymentCopy): number {
  return crc32(JSON.stringify(copy));
}
