/**
 * Replaces a corrupt database by a new one. The rows are copied again from the source. Only the records that no source has are
 * kept: the deployed sync config, and the numbers that clients have already seen.
 *
 *     data.sqlite ──► data.sqlite-recovered ──► data.sqlite, after the corrupt one was renamed to data.sqlite-corrupt
 */
import { randomUUID } from 'node:crypto';
import { existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { type DeploymentState, isServing, skippedDeployments, skippedNumbers } from '../deployment.ts';
import { lockStorage } from './database.ts';
import { type DeploymentCopy, lastIdOf, readDeploymentCopy } from './deploymentCopy.ts';
import { isMisfit } from './failures.ts';
import { createFile, databaseName, suspect, suspicionIn } from './file.ts';
import { type DatabaseRow, isSoundRecord } from './recordChecks.ts';

/**
 * Recovers the storage. If it is interrupted, it can be repeated.
 *
 * @param now in milliseconds since 1970
 */
export function recoverStorage(folder: string, now: number): void {
  const unlock = lockStorage(folder);
  try {
    // After this, no start uses the corrupt file, even if this process does not complete the further steps.
    suspect(folder);
    const file = join(folder, databaseName);
    const recovered = `${file}-recovered`;
    if (existsSync(file) || !existsSync(recovered)) {
      createRecovered(recovered, folder, now);
      remove(corruptFileIn(folder));
      // The log is moved first, because it must never be next to another database.
      for (const rest of ['-wal', '-shm', ''])
        if (existsSync(file + rest)) renameSync(file + rest, corruptFileIn(folder) + rest);
    }
    renameSync(recovered, file);
    rmSync(suspicionIn(folder), { force: true });
  } finally {
    unlock();
  }
}

/**
 * Creates the new database with as many records as fit. Records of an earlier version have no checksums, and the name of a column
 * may be damaged.
 */
function createRecovered(recovered: string, folder: string, now: number): void {
  const copy = readDeploymentCopy(folder);
  const inside = readInside(join(folder, databaseName));
  for (const found of [newestOf(inside, copy), newestOf({}, copy), undefined]) {
    remove(recovered);
    try {
      createFile(recovered, (database) => {
        if (found !== undefined) insertAll(database, newRecords(found, describeRecovery(folder), now));
      });
      return;
    } catch (error) {
      if (!isMisfit(error)) throw error;
    }
  }
}

export function describeRecovery(folder: string): string {
  return `[SVC_S2403] The storage in ${folder} is corrupt. It was moved to ${corruptFileIn(folder)}, which you can delete, and everything is copied again from the source.`;
}

/** Describes a recovery that found no deployed sync config. */
export function describeLostConfig(folder: string): string {
  return `[SVC_S2403] The storage in ${folder} was corrupt and was moved to ${corruptFileIn(folder)}. No deployed sync config could be read from it. Deploy the sync config again, unless the service config names it.`;
}

/** Returns the path of the corrupt database after it was replaced. */
export function corruptFileIn(folder: string): string {
  return join(folder, `${databaseName}-corrupt`);
}

function remove(file: string): void {
  for (const rest of ['', '-wal', '-shm']) rmSync(file + rest, { force: true, recursive: true });
}

interface Salvage extends DeploymentCopy {
  readonly write_checkpoints: readonly DatabaseRow[];
}

/** Combines the sound records of the corrupt database with those of the copy next to it. */
function newestOf(inside: Partial<Salvage>, copy: DeploymentCopy | undefined): Salvage | undefined {
  if (inside.deployments === undefined && copy === undefined) return undefined;
  const deployments = inside.deployments ?? [];
  const lastId = lastIdOf(deployments);
  const isCopyNewer = copy !== undefined && copy.lastId > lastId;
  return {
    instance: inside.instance ?? copy?.instance ?? [],
    deployments: isCopyNewer ? copy.deployments : deployments,
    lastId: isCopyNewer ? copy.lastId : lastId,
    write_checkpoints: inside.write_checkpoints ?? [],
  };
}

function readInside(file: string): Partial<Salvage> {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(file, { readOnly: true });
    const [instance, deployments] = [soundRows(database, 'instance'), soundRows(database, 'deployments')];
    const checkpoints = soundRows(database, 'write_checkpoints');
    return {
      ...(instance && instance.length > 0 && { instance }),
      ...(deployments && { deployments }),
      ...(checkpoints && { write_checkpoints: checkpoints }),
    };
  } catch {
    return {};
  } finally {
    database?.close();
  }
}

/** Returns undefined if the table cannot be read, or if one of its rows is not sound. */
function soundRows(database: DatabaseSync, table: string): readonly DatabaseRow[] | undefined {
  try {
    const select = database.prepare(`SELECT * FROM ${table}`);
    // Numbers of write checkpoints may be too large for a JavaScript number.
    select.setReadBigInts(table === 'write_checkpoints');
    const rows = select.all();
    return rows.every(isSoundRecord) ? rows : undefined;
  } catch {
    return undefined;
  }
}

interface NewRecords {
  readonly rows: Readonly<Record<'instance' | 'deployments' | 'write_checkpoints', readonly DatabaseRow[]>>;
  /** The greatest id that the deployments table counts as used. */
  readonly lastId: number;
}

/**
 * Returns the new records. Clients only move forward, so all new numbers are greater than those that the corrupt storage may have
 * used.
 */
function newRecords(found: Salvage, reason: string, now: number): NewRecords {
  const { id = randomUUID(), last_op: lastOp = 0 } = found.instance[0] ?? {};
  const ended = found.deployments.map((row) => ({
    ...row,
    // Their slots are dropped like those of every stopped deployment.
    state: row.state === 'terminated' ? 'terminated' : 'stopped',
  }));
  const last =
    found.deployments.findLast(({ state }) => state === 'processing') ??
    found.deployments.findLast(({ state }) => isServing(state as DeploymentState));
  const nextId = found.lastId + skippedDeployments;
  const next = last && {
    id: nextId,
    state: 'processing',
    content: last.content,
    // The remaining part of the name stays, because all slots of a storage share it.
    slot_name: String(last.slot_name).replace(/\d+(?=_[0-9a-f]{4}$)|$/, String(nextId)),
    storage_version: last.storage_version,
    created_at: now,
    reason,
  };
  return {
    rows: {
      instance: [{ id, last_op: Number(lastOp) + skippedNumbers }],
      deployments: [...ended, ...(next ? [next] : [])],
      write_checkpoints: found.write_checkpoints.filter(isWriteCheckpoint).map((row) => ({
        ...row,
        number: row.number + BigInt(skippedNumbers),
        reached_number: null,
      })),
    },
    lastId: nextId,
  };
}

/** Whether the row is a write checkpoint. These rows have no checksums. Numbers that clients have chosen themselves are dropped. */
function isWriteCheckpoint(row: DatabaseRow): row is DatabaseRow & { readonly number: bigint } {
  const { user_key: key, number, lsn, user_part: part, requested_at: requestedAt } = row;
  const isWhole = typeof key === 'string' && typeof number === 'bigint' && typeof lsn === 'string';
  return isWhole && (part === null || typeof part === 'string') && requestedAt === null;
}

function insertAll(database: DatabaseSync, { rows, lastId }: NewRecords): void {
  for (const [table, some] of Object.entries(rows))
    for (const { check: _, ...row } of some) {
      const columns = Object.keys(row).map((name) => `"${name}"`);
      const places = columns.map(() => '?');
      // A corrupt table may return a row twice.
      database
        .prepare(`INSERT OR REPLACE INTO ${table} (${columns.join(', ')}) VALUES (${places.join(', ')})`)
        .run(...(Object.values(row) as SQLInputValue[]));
    }
  database.exec("DELETE FROM sqlite_sequence WHERE name = 'deployments'");
  database.prepare("INSERT INTO sqlite_sequence (name, seq) VALUES ('deployments', ?)").run(lastId);
}
