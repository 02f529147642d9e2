import type { ClientTable } from '../../server/protocol.ts';

/** The notation of a language for each part of a schema. Names are quoted by its own rules. */
export interface Language {
  /** `sdk` is the package that JavaScript imports it from. */
  readonly head: (sdk: string) => readonly string[];
  readonly table: (table: ClientTable) => readonly string[];
  readonly tail: (tables: readonly ClientTable[]) => readonly string[];
}
