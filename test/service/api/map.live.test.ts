import { expect, test } from 'vitest';
import { readDeployedMaps } from '../../../client/api/syncMap.ts';
import { answerMap } from '../../../server/service/api/map.ts';
import { openSyncConfigs } from '../../../server/service/deployments/syncConfigs.ts';
import { startSyncing } from '../../support/clients/syncing.ts';

const schema = {
  connections: [
    {
      tag: 'default',
      schemas: [
        {
          name: 'public',
          tables: [
            { name: 'lists', columns: [{ name: 'id' }, { name: 'owner' }] },
            { name: 'notes', row_security: true, columns: [{ name: 'id' }] },
          ],
        },
      ],
    },
  ],
};

const config = `
config: { edition: 3 }
streams:
  lists:
    auto_subscribe: true
    query: SELECT id, colour FROM lists WHERE owner = auth.user_id()
  notes:
    query: SELECT * FROM notes
`;

test('the map of the deployed config marks columns missing in the source, and streams that are open to everybody', async () => {
  const syncing = await startSyncing();
  const parts = { store: syncing.storage.deployments, configs: openSyncConfigs('public') };
  expect(readDeployedMaps({ data: await answerMap(parts, schema) })).toEqual({});
  await syncing.deploy(config);
  const maps = readDeployedMaps({ data: await answerMap(parts, schema) });
  expect(maps?.pending).toBeUndefined();
  expect(maps?.active).toMatchObject({
    tables: [
      { id: 'lists', marks: [{ kind: 'missing', sentence: 'lists has no column colour.' }] },
      { id: 'notes', marks: [{ kind: 'open' }] },
    ],
    streams: [
      { name: 'lists', isDefault: true, place: { kind: 'deployed', offset: config.indexOf('lists:') } },
      { name: 'notes', isDefault: false, marks: [{ kind: 'open' }] },
    ],
  });
});
