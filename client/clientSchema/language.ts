import type { ClientTable } from '../../server/protocol.ts';

/** The notation of a language for each part of a schema. Names are quoted by the rules of the language. */
export interface Language {
  /** `sdk` is the package from which JavaScript imports the schema classes. */
  readonly head: (sdk: string) => readonly string[];
  readonly table: (table: ClientTable) => readonly string[];
  readonly tail: (tables: readonly ClientTable[]) => readonly string[];
}
