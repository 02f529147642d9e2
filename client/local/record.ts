/**
 * Two small files in the data folder, by which windows and the service find each other. The service outlives a window.
 *
 * - `service.json` says what the process does; its keeper writes it.
 * - `wanted` is touched by windows that use it. When it is gone, or nobody has touched it for a minute, the service
 *   stops. So no process is ever signalled by a number that may belong to another one by now.
 */
import { mkdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export type ServiceRecord =
  | { readonly state: 'starting'; readonly keeper: number }
  /** A port and not a URL: the local token goes to this machine only, whatever the file says. */
  | { readonly state: 'ready'; readonly keeper: number; readonly port: number }
  | { readonly state: 'ended'; readonly sentence: string };

export const logName = 'service.log';

export const recordName = 'service.json';

/** Returns undefined if there is no readable record. */
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

/** Renews the wish for the service, if there is one: another window may have stopped it. */
export function wantStill(folder: string): void {
  const now = new Date();
  try {
    utimesSync(join(folder, 'wanted'), now, now);
  } catch {}
}

export function release(folder: string): void {
  rmSync(join(folder, 'wanted'), { force: true });
}

/** When it was last wanted, in milliseconds since 1970; undefined if it is not. */
export function wantedAt(folder: string): number | undefined {
  return statSync(join(folder, 'wanted'), { throwIfNoEntry: false })?.mtimeMs;
}

/** Whether there is a process with this number. It may be another one by now. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
