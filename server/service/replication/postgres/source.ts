/** A PostgreSQL server as source, by logical replication. */
import type { PostgresConnection } from '../../config/settings.ts';
import type { World } from '../../ground/world.ts';
import type { Source } from '../source.ts';
import { measureTable } from './copy/measure.ts';
import { explainBreak } from './explainBreak.ts';
import { readHealth } from './health.ts';
import { askHistory } from './history.ts';
import { emitMark, readPosition } from './log/position.ts';
import { readFacts } from './preflight/facts.ts';
import { runPreflight } from './preflight/preflight.ts';
import { lostReplication } from './preflight/proof.ts';
import { openQueries } from './queries.ts';
import { runQuery } from './query.ts';
import { readSourceSchema } from './schemaAnswer.ts';
import { slotHealth } from './slotHealth.ts';
import { dropSlot, freeSlot, readSlotNames, readSlotState } from './slots.ts';
import { openStream } from './stream.ts';
import { readShapes } from './tableShape.ts';
import { matchTables } from './tables.ts';

/** Opens the source without connecting to the server. Each call connects, and may fail. */
export async function openPostgresSource(connection: PostgresConnection, world: World): Promise<Source> {
  const { id, tag, hostname, port, database } = connection;
  const queries = openQueries(connection);
  const processes = new Map<string, number>();
  const host = hostname.includes(':') ? `[${hostname}]` : hostname;
  return {
    id,
    tag,
    type: 'postgresql',
    defaultSchema: 'public',
    uri: `postgresql://${host}:${port}/${encodeURIComponent(database)}`,
    health: () => readHealth(queries, async () => lostReplication(connection, await readFacts(queries))),
    preflight: (patterns) => runPreflight({ connection, queries }, patterns),
    schema: () => readSourceSchema(queries),
    tables: (patterns) => matchTables(queries, tag, patterns),
    measure: (table) => measureTable(queries, table),
    shape: async (oid) => (await readShapes(queries, [oid])).get(oid),
    history: () => askHistory(connection),
    position: () => readPosition(queries),
    mark: () => emitMark(queries, world.log),
    query: (sql, args, signal) => runQuery(connection, queries, { sql, args }, signal),
    stream: (settings) => openStream(connection, { queries, processes }, settings, world),
    backlogNames: () => readSlotNames(queries),
    backlog: (slot) => readSlotState(queries, slot),
    endReaders: (slot) => freeSlot(queries, slot),
    dropBacklog: (slot) => dropSlot(queries, slot),
    explain: explainBreak,
    backlogHealth: slotHealth,
    close: () => queries.close(),
  };
}
