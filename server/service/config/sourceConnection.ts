/** Reads the connection to the source, which contains the rows to replicate. */
import { resolve } from 'node:path';
import { fromNative } from '../../shared/uri.ts';
import { portOriginOf, readPort } from './commonKeys.ts';
import { explainForeign } from './foreign.ts';
import { decodePostgres } from './postgres.ts';
import type { Section } from './section.ts';
import type { ConnectionSettings, EmbeddedConnection, PostgresConnection } from './settings.ts';
import type { DecodeContext } from './surroundings.ts';

const embedded: EmbeddedConnection = { type: 'embedded', id: 'default', tag: 'default', debugApi: false };

/** Reads the connection. Without one, the service has its own database. */
export function decodeConnection(root: Section, { folder, options }: DecodeContext): ConnectionSettings {
  const [connection, second] = root.section('replication').sections('connections');
  second?.refuse('Only one source database is possible. Remove this one.');
  const { databasePort: port } = options;
  const chosen = port !== undefined && { port, ...portOriginOf('databasePort', options) };
  if (connection === undefined) return { ...embedded, ...chosen };
  const common = {
    id: connection.text('id') || 'default',
    tag: connection.text('tag') || 'default',
    debugApi: connection.flag('debug_api') === true,
  };
  const type = connection.text('type') ?? '';
  switch (type) {
    case 'embedded':
      return { ...common, type, ...decodeEmbedded(connection, folder), ...chosen };
    case 'postgresql':
      return { ...common, type, ...decodePostgres(connection), ...decodeReplication(connection) };
    default:
      connection.refuse(explainForeign('connection', type), { key: 'type' });
      return embedded;
  }
}

function decodeEmbedded(
  connection: Section,
  folder: string,
): Pick<EmbeddedConnection, 'schema' | 'seed' | 'port' | 'password'> {
  const password = connection.text('password');
  const schema = schemaIn(connection);
  const seed = connection.flag('seed');
  const port = connection.has('port') ? readPort(connection.value.port) : undefined;
  if (port !== undefined && !(port >= 1024 && port <= 65535))
    connection.refuse('The port of the database must be from 1024 to 65535.', {
      key: 'port',
      code: 'SVC_S1110',
    });
  return {
    ...(schema.length > 0 && {
      schema: schema.map((name) => ({
        path: resolve(folder, name),
        name: fromNative(name, process.platform).replace(/\/$/, ''),
        folder,
      })),
    }),
    ...(seed !== undefined && { seed }),
    ...(port !== undefined && { port }),
    ...(password && { password }),
  };
}

/** Returns the paths. The key may have one path or a list. */
function schemaIn(connection: Section): readonly string[] {
  if (Array.isArray(connection.value.schema)) return connection.texts('schema');
  const one = connection.text('schema');
  return one ? [one] : [];
}

type Replication = Pick<
  PostgresConnection,
  'slotNamePrefix' | 'heartbeatSeconds' | 'snapshotSocketTimeoutSeconds'
>;

function decodeReplication(connection: Section): Replication {
  const heartbeatSeconds = connection.number('heartbeat_interval_seconds') ?? 60;
  if (!(heartbeatSeconds >= 5 && heartbeatSeconds <= 60))
    connection.refuse('`heartbeat_interval_seconds` must be from 5 to 60.', {
      key: 'heartbeat_interval_seconds',
      code: 'SVC_S1109',
    });
  const timeout = connection.number('snapshot_socket_timeout');
  return {
    slotNamePrefix: connection.text('slot_name_prefix') ?? 'powersync_',
    heartbeatSeconds,
    snapshotSocketTimeoutSeconds: timeout !== undefined && timeout > 0 ? timeout : 30,
  };
}
