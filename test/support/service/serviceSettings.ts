/** The settings of a service that runs in the process of the test. */
import type { ServiceSettings } from '../../../server/service/config/settings.ts';

export const adminToken = 'admin-token';

type Chosen = Pick<ServiceSettings, 'connection' | 'storage'> &
  Partial<Pick<ServiceSettings, 'role' | 'syncConfig'>> & {
    readonly clientAuth?: Partial<ServiceSettings['clientAuth']>;
  };

/** Returns settings with defaults for everything that the test does not choose. */
export function serviceSettings({ clientAuth, ...chosen }: Chosen): ServiceSettings {
  return {
    port: 0,
    host: '127.0.0.1',
    role: 'unified',
    defaultStorageVersion: 2,
    clientAuth: {
      keys: [],
      keySetUris: [],
      audience: ['app'],
      rejectIpRanges: [],
      blockLocalKeySets: false,
      ...clientAuth,
    },
    api: {
      tokens: [adminToken],
      maxConcurrentConnections: 10,
      maxDataFetchConcurrency: 5,
      maxBucketsPerConnection: 100,
      maxParameterQueryResults: 100,
      overLimit: 'stream',
      checkpointRequestRetentionMinutes: 60,
      bucketCountCacheTtlMinutes: 60,
    },
    probes: { files: false, http: false },
    logging: { level: 'info', format: 'text' },
    migrations: { automatic: true },
    verification: { share: 0 },
    ...chosen,
  };
}
