/** Converts a service config into settings, in which every key has a value. */

import type { Role } from '../ground/world.ts';
import { decodeClientAuth } from './clientAuth.ts';
import { decodeCount, portOriginOf, readPort } from './commonKeys.ts';
import { decodeConsole } from './console.ts';
import type { Section } from './section.ts';
import type { ApiSettings, ProbeSettings, ServiceSettings } from './settings.ts';
import { decodeConnection } from './sourceConnection.ts';
import { decodeStorage } from './storageSettings.ts';
import type { DecodeContext } from './surroundings.ts';
import { decodeSyncConfig } from './syncConfig.ts';

export function decodeSettings(root: Section, around: DecodeContext): ServiceSettings {
  const { env, options } = around;
  const role = decodeRole(root, options.role || env.PS_RUNNER_TYPE || 'unified');
  const connection = decodeConnection(root, around);
  const metricsPort = decodePort(root.section('telemetry'), 'prometheus_port');
  const syncConfig = decodeSyncConfig(root, around);
  return {
    port: options.port ?? decodePort(root, 'port') ?? 8080,
    ...portOriginOf('port', options),
    host: options.host || root.text('host') || '127.0.0.1',
    role,
    ...decodeConsole(root),
    connection,
    storage: decodeStorage(root, around.folder),
    ...(syncConfig && { syncConfig }),
    clientAuth: decodeClientAuth(root, connection, around),
    api: decodeApi(root.section('api'), around),
    probes: decodeProbes(root.section('healthcheck'), role),
    ...(metricsPort !== undefined && { metricsPort }),
    logging: decodeLogging(root, env),
    migrations: { automatic: root.section('migrations').flag('disable_auto_migration') !== true },
    verification: { share: decodeShare(root.section('verification')) },
    defaultStorageVersion: decodeStorageVersion(root.section('storage')),
  };
}

const roles: readonly Role[] = ['unified', 'api', 'sync'];

function decodeRole(root: Section, name: string): Role {
  const role = roles.find((known) => known === name);
  if (role === undefined)
    root.refuse(`Unknown role \`${name}\`. The roles are \`unified\`, \`api\` and \`sync\`.`);
  return role ?? 'unified';
}

/** Reads a port. It may be a string, because `!env` returns strings. 0 means any free port. */
function decodePort(section: Section, key: string): number | undefined {
  if (!section.has(key)) return undefined;
  const port = readPort(section.value[key]);
  if (port >= 0 && port <= 65535) return port;
  section.refuse(`\`${key}\` must be a number from 0 to 65535.`, { key });
  return undefined;
}

function decodeShare(verification: Section): number {
  const percent = verification.number('percent_of_time') ?? 1;
  if (percent >= 0 && percent <= 100) return percent / 100;
  verification.refuse('`percent_of_time` must be from 0 to 100.', { key: 'percent_of_time' });
  return 0;
}

function decodeStorageVersion(storage: Section): 2 | 3 {
  const version = storage.number('default_storage_version') ?? 2;
  if (version === 2 || version === 3) return version;
  storage.refuse('`default_storage_version` must be 2 or 3.', { key: 'default_storage_version' });
  return 2;
}

function decodeApi(api: Section, { warn }: DecodeContext): ApiSettings {
  const tokens = api.texts('tokens');
  if (tokens.length === 0) warn({ sentence: '`api.tokens` is empty, so every call of the API is refused.' });
  if (tokens.includes('')) api.refuse('A token must not be empty.', { key: 'tokens' });
  if (tokens.some((token) => /\s/.test(token)))
    warn({ sentence: 'A token in `api.tokens` contains a space, so every call with it is refused.' });
  const limits = api.section('parameters');
  return {
    tokens,
    maxConcurrentConnections: decodeCount(limits, 'max_concurrent_connections', 200),
    maxDataFetchConcurrency: decodeCount(limits, 'max_data_fetch_concurrency', 10),
    maxBucketsPerConnection: decodeCount(limits, 'max_buckets_per_connection', 1000),
    maxParameterQueryResults: decodeCount(limits, 'max_parameter_query_results', 1000),
    overLimit: decodeOverLimit(limits),
    checkpointRequestRetentionMinutes: decodeCount(limits, 'checkpoint_request_retention_minutes', 60),
    bucketCountCacheTtlMinutes: decodeCount(limits, 'bucket_count_cache_ttl_minutes', 60),
  };
}

const refusable = ['stream', 'client'] as const;

function decodeOverLimit(limits: Section): ApiSettings['overLimit'] {
  const named = limits.text('over_limit') ?? 'stream';
  const known = refusable.find((name) => name === named);
  if (known === undefined) limits.refuse('`over_limit` must be stream or client.', { key: 'over_limit' });
  return known ?? 'stream';
}

/** Reads the probes. Without the section `probes`, they are those of older releases; with it, only the enabled ones. */
function decodeProbes(healthcheck: Section, role: Role): ProbeSettings {
  const answersHttp = role !== 'sync';
  if (!healthcheck.has('probes')) return { files: true, http: answersHttp };
  const probes = healthcheck.section('probes');
  const legacy = probes.flag('use_legacy') === true;
  return {
    files: probes.flag('use_filesystem') === true || legacy,
    http: probes.flag('use_http') === true || (legacy && answersHttp),
  };
}

const levels = ['silly', 'debug', 'verbose', 'http', 'info', 'warn', 'error'];
const formats = ['json', 'text'] as const;

function decodeLogging(root: Section, env: DecodeContext['env']): ServiceSettings['logging'] {
  const logging = root.section('system').section('logging');
  const level = env.PS_LOG_LEVEL || logging.text('level') || 'info';
  const format =
    env.PS_LOG_FORMAT || logging.text('format') || (env.NODE_ENV === 'production' ? 'json' : 'text');
  const known = formats.find((name) => name === format);
  if (!levels.includes(level))
    logging.refuse(`The log level must be one of ${levels.join(', ')}.`, { key: 'level' });
  if (known === undefined) logging.refuse('The log format must be json or text.', { key: 'format' });
  return { level, format: known ?? 'text' };
}
