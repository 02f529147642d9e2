/**
 * Two small files in the data folder, with which windows and the service find each other. The service outlives a window.
 *
 * - `service.json` contains the state of the process; its keeper writes it.
 * - `wanted` is touched by windows that use the service. If it is removed, or if no window has touched it for a minute, the
 *   service stops. This avoids signals to a process id that another process may have now.
 */
import { mkdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export type ServiceRecord =
  | { readonly state: 'starting'; readonly keeper: number }
  /**
   * The record contains a port instead of a URL, so that the local token is sent only to this machine, whatever the file
   * contains.
   */
  | { readonly state: 'ready'; readonly keeper: number; readonly port: number }
  | { readonly state: 'ended'; readonly sentence: string };

export const logName = 'service.log';

export const recordName = 'service.json';

/** Reads the record. Undefined if there is no readable record. */
export function readRecord(folder: string): ServiceRecord | undefined {
  try {
    const record: unknown = JSON.parse(readFileSync(join(folder, recordName), 'utf8'));
    return isRecord(record) ? record : undefined;
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is ServiceRecord {
  const { state, keeper, port, sentence } = (value ?? {}) as Readonly<Record<string, unknown>>;
  if (state === 'ended') return typeof sentence === 'string';
  return typeof keeper === 'number' && (state === 'starting' || (state === 'ready' && isPort(port)));
}

function isPort(value: unknown): boolean {
  return typeof value === 'number' && Number.isInteger(value) && value > 0 && value < 65_536;
}

/** Returns the address of the service of a record. */
export function urlOf({ port }: { readonly port: number }): string {
  return `http://127.0.0.1:${port}`;
}

export function forgetRecord(folder: string): void {
  rmSync(join(folder, recordName), { force: true });
}

export function want(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(join(folder, 'wanted'), '', { mode: 0o600 });
}

/** Marks the service as still wanted, unless another window has stopped it. */
export function wantStill(folder: string): void {
  const now = new Date();
  try {
    utimesSync(join(folder, 'wanted'), now, now);
  } catch {}
}

export function release(folder: string): void {
  rmSync(join(folder, 'wanted'), { force: true });
}

/** Returns the time when the service was last wanted, in milliseconds since 1970. Undefined if it is not wanted. */
export function wantedAt(folder: string): number | undefined {
  return statSync(join(folder, 'wanted'), { throwIfNoEntry: false })?.mtimeMs;
}

/** Whether a keeper still runs the service of this record. */
export function isKept(
  record: ServiceRecord | undefined,
  isThere: (pid: number) => boolean = isAlive,
): record is Exclude<ServiceRecord, { readonly state: 'ended' }> {
  return record !== undefined && record.state !== 'ended' && isThere(record.keeper);
}

/** Whether there is a process with this id. It may be a different process by now. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
