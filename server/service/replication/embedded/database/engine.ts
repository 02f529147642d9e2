/** The parts of PGlite's WebAssembly module that we call or replace. */
import type { PGlite } from '@electric-sql/pglite';

export interface Engine {
  readonly FS: EngineFiles;
  readonly HEAPU8: Uint8Array;
  /** The steps of a statement. An exception other than PostgreSQL's own jump leaves it in an unknown state. */
  _PostgresMainLoopOnce(): void;
  _PostgresMainLongJmp(): void;
  _PostgresSendReadyForQueryIfNecessary(): void;
  _pgl_pq_flush(): void;
}

export interface EngineFiles {
  readonly ErrnoError: new (code: number) => Error;
  readonly filesystems: { readonly NODEFS: { readonly node_ops: FolderOperations } };
}

/** The operations of Emscripten's file system for a folder of this machine that take a new or an existing name. */
interface FolderOperations {
  lookup(parent: unknown, name: string): unknown;
  mknod(parent: unknown, name: string, mode: number, device: number): unknown;
  rename(node: unknown, parent: unknown, name: string): void;
  symlink(parent: unknown, name: string, target: string): void;
}

export function engineOf({ Module }: PGlite): Engine {
  return Module as unknown as Engine;
}
