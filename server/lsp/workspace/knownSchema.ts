/** The tables of a source, with the origin of that knowledge. */
import type { KnownSource } from '../../engine/catalog/reading.ts';
import type { DdlCatalog } from '../../engine/ddl/fold.ts';
import type { DdlPlace } from '../../engine/ddl/runStatement.ts';
import type { SchemaStatus } from '../../protocol.ts';
import type { Uri } from '../../shared/uri.ts';

export interface KnownSchema extends KnownSource {
  readonly origin: Exclude<SchemaStatus['origin'], 'none'>;
  /** Names that only the SQL files contain, because the snapshot or the answer is older. */
  readonly behind?: readonly string[];
  readonly placeOf?: (...what: Parameters<DdlCatalog['placeOf']>) => TablePlace | undefined;
}

/** The place where a table or a column is created. */
interface TablePlace {
  readonly uri: Uri;
  readonly span: DdlPlace['span'];
}
