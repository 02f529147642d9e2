/** Reads how much memory and how many handles the process may use, and how much memory it uses. */
import { totalmem } from 'node:os';
import { getHeapStatistics } from 'node:v8';
import { callSafely } from '../ground/unattended.ts';

export interface MemoryUse {
  /** The kind of memory that is closest to its limit, as a word for messages. */
  readonly of: 'heap' | 'process';
  /** The used memory in bytes. */
  readonly used: number;
  readonly limit: number;
}

/**
 * The size of V8's young generation in bytes, which the heap limit includes. The process ends when the remaining part is full.
 * Node 24 has V8 13.
 */
const youngGeneration = (Number.parseInt(process.versions.v8, 10) >= 13 ? 192 : 48) * 2 ** 20;

/** Returns the use of the memory that is closest to its limit. Unreadable numbers are ignored. */
export function readMemoryUse(): MemoryUse | undefined {
  const uses = [readHeapUse(), readProcessUse()].filter((use) => use !== undefined);
  return uses.toSorted((a, b) => b.used / b.limit - a.used / a.limit)[0];
}

function readHeapUse(): MemoryUse | undefined {
  return callSafely('Reading the size of the heap', () => {
    const { used_heap_size: used, heap_size_limit: limit } = getHeapStatistics();
    return { of: 'heap', used, limit: limit - youngGeneration };
  });
}

function readProcessUse(): MemoryUse | undefined {
  const used = readResidentMemory();
  const limit = Math.min(process.constrainedMemory() || Number.POSITIVE_INFINITY, totalmem());
  return used === undefined ? undefined : { of: 'process', used, limit };
}

/** Returns the resident memory in bytes, or undefined if it cannot be read, for example because no file handle is left. */
export function readResidentMemory(): number | undefined {
  return callSafely('Reading the memory of the process', process.memoryUsage.rss);
}

/** The handles for storage files, connections to databases, and everything else that is not a client. */
const reservedHandles = 64;
const fewest = 8;

interface ConnectionPlaces {
  readonly guestPlaces: number;
  readonly idlePlaces: number;
}

/**
 * Returns the places for connections without a request. They take at most three quarters of the handles, so that the others
 * remain for requests with a token.
 */
export function placesFor(handles: number): ConnectionPlaces {
  const left = Math.max(0, handles - reservedHandles);
  const places = (most: number, part: number): number =>
    Math.min(most, Math.max(fewest, Math.floor(left * part)));
  return { guestPlaces: places(5_000, 1 / 2), idlePlaces: places(20_000, 1 / 4) };
}

/**
 * Returns the number of files and sockets that the process may open. It is infinite if the system has no limit or does not report
 * it.
 */
export function readHandleLimit(): number {
  const report = callSafely('Reading the limit of file handles', () => process.report.getReport()) as
    | { readonly userLimits?: { readonly open_files?: { readonly soft?: unknown } } }
    | undefined;
  const limit = report?.userLimits?.open_files?.soft;
  return typeof limit === 'number' ? limit : Number.POSITIVE_INFINITY;
}
