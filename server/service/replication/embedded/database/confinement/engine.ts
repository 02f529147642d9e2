/** The parts of PGlite's WebAssembly module that we call or replace. */
import type { PGlite } from '@electric-sql/pglite';

export interface Engine {
  readonly FS: EngineFiles;
  /** The entire memory. When it grows, the buffer is replaced. */
  readonly HEAPU8: Uint8Array;
  /** Creates a C string that exists until the stack is restored. */
  stringToUTF8OnStack(text: string): number;
  stackSave(): number;
  stackRestore(place: number): void;
  UTF8ToString(place: number): string;
  /** @param signature the types of the result and of the parameters: `v` is nothing, `i` and `p` are 32 bits */
  addFunction(run: (...parameters: number[]) => void, signature: string): number;
  /** Changes a setting of PostgreSQL, within a transaction. */
  _SetConfigOption(name: number, value: number, context: number, source: number): void;
  _GetSessionUserId(): number;
  _GetUserId(): number;
  _GetUserIdAndSecContext(user: number, context: number): void;
  _SetUserIdAndSecContext(user: number, context: number): void;
  /** The address of a variable of PostgreSQL. */
  readonly _IsUnderPostmaster: number;
  /** The address of a pointer to a function, which is called instead of `standard_ProcessUtility`. */
  readonly _ProcessUtility_hook: number;
  _standard_ProcessUtility(...parameters: number[]): void;
  _CreateCommandTag(statement: number): number;
  _GetCommandTagName(tag: number): number;
  /** Runs the steps of a statement. An exception that is not PostgreSQL's own jump leaves it in an unknown state. */
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
