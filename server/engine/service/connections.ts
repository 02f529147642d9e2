/** Checks the databases that the service reads and writes, and finds out which services can run such a config. */
import type { Finding } from '../diagnostics/diagnostics.ts';
import { checkFile } from './files.ts';
import { finding } from './finding.ts';
import { type ConfigPlace, joinPointer, placesAt, type ServiceReading, scalarText } from './places.ts';
import type { ServiceWorld } from './world.ts';

/** The types of databases that the embedded service can run, as sources and as storages. */
export const runnableTypes: Readonly<Record<'connection' | 'storage', readonly string[]>> = {
  connection: ['embedded', 'postgresql'],
  storage: ['embedded', 'postgresql'],
};

export function checkConnections(config: ServiceReading, world: ServiceWorld): Finding[] {
  const connections = placesAt(config, '/replication/connections/*');
  return [
    ...connections.slice(1).map(({ keySpan }) => finding('service-several-connections', keySpan, {})),
    ...placesAt(config, '/replication/connections/*/type').flatMap((type) =>
      checkType(type, 'connection', runnableTypes.connection),
    ),
    ...placesAt(config, '/storage/type').flatMap((type) => checkType(type, 'storage', runnableTypes.storage)),
    ...placesAt(config, '/storage/default_storage_version').flatMap(checkStorageVersion),
    ...checkEmbeddedOnly(config),
    ...connections.flatMap(({ pointer }) => checkSchemaFile(config, pointer, world)),
  ];
}

/** Whether a service config names sources but none of them is a PostgreSQL database. */
export function readsOtherSources(config: ServiceReading): boolean {
  const types = placesAt(config, '/replication/connections/*/type').map(scalarText);
  return types.length > 0 && !types.some((type) => runnableTypes.connection.includes(type ?? ''));
}

function checkType(place: ConfigPlace, key: string, run: readonly string[]): Finding[] {
  const type = scalarText(place) ?? '';
  return isKnown(place) && !run.includes(type)
    ? [finding('service-not-embedded', place.span, { key, type })]
    : [];
}

function isKnown(type: ConfigPlace): boolean {
  return type.schema.const !== undefined && type.schema.const === scalarText(type);
}

function checkStorageVersion({ node, span }: ConfigPlace): Finding[] {
  const isUnstable = node.kind === 'scalar' && node.value === 3;
  return isUnstable ? [finding('unstable-storage-version', span, { version: '3' })] : [];
}

/** Reports once, at the first deciding place, that only the embedded service can run the config. */
function checkEmbeddedOnly(config: ServiceReading): Finding[] {
  const types = [
    ...placesAt(config, '/replication/connections/*/type'),
    ...placesAt(config, '/storage/type'),
  ];
  const embedded = types.find((type) => scalarText(type) === 'embedded');
  if (embedded !== undefined) return [finding('service-embedded-only', embedded.span, {})];
  const replication = config.places.get('/replication');
  if (replication === undefined || config.places.has('/storage') || !types.some(isKnown)) return [];
  return [finding('service-missing-storage', replication.keySpan, {})];
}

/** Checks the schema file. Only the embedded source loads a file. For other sources, the key is the name of a schema. */
function checkSchemaFile({ places }: ServiceReading, connection: string, world: ServiceWorld): Finding[] {
  const schema = places.get(joinPointer(connection, 'schema'));
  const isEmbedded = scalarText(places.get(joinPointer(connection, 'type'))) === 'embedded';
  return schema !== undefined && isEmbedded ? checkFile(schema, world) : [];
}
