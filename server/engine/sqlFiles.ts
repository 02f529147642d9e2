/** The source schema that the SQL files of a project create. */
import { foldDdl } from './ddl/fold.ts';
import { readDdl } from './ddl/read.ts';
import type { SqlFile } from './ddl/sqlFile.ts';
import type { ScriptSource } from './projectSchema.ts';

/** Returns the tables that SQL files create; undefined if they create none. */
export function readSqlFiles(files: readonly SqlFile[], defaultSchema = 'public'): ScriptSource | undefined {
  const read = files.map(({ path, text }) => ({ path, statements: readDdl(text) }));
  const folded = foldDdl(read, defaultSchema);
  return folded && { catalog: folded.catalog, defaultSchema, unclear: folded.unclear };
}
