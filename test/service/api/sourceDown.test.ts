import { expect, test } from 'vitest';
import type { ApiParts } from '../../../server/service/api/parts.ts';
import { apiRoutes } from '../../../server/service/assembly/routes.ts';
import { openSyncConfigs } from '../../../server/service/deployments/syncConfigs.ts';
import type { Call } from '../../../server/service/http/route.ts';
import { SourceFailure } from '../../../server/service/replication/source.ts';
import { createManualClock } from '../../support/service/manualClock.ts';
import { createMemorySource } from '../../support/service/memorySource.ts';

const config = `config: { edition: 3 }
streams:
  all: { queries: [SELECT * FROM lists, SELECT * FROM todos] }
`;

function ask(path: string, parameters: Call['parameters']) {
  const source = createMemorySource();
  source.outage = new SourceFailure('refused', 'SVC_S1120', 'The password is wrong.');
  const parts = { source, configs: openSyncConfigs('public'), clock: createManualClock() };
  const route = apiRoutes(parts as unknown as ApiParts).find((each) => each.path === path);
  return route?.answer({ parameters } as Call);
}

test('an admin sees why the source fails, as an error of the catalogue', async () => {
  await expect(ask('/api/admin/v1/schema', {})).rejects.toMatchObject({
    code: 'SVC_S1120',
    details: 'The password is wrong.',
  });
});

test('a source that is down is reported as one problem, however many tables the config reads', async () => {
  expect(await ask('/api/admin/v1/validate', { sync_rules: config })).toMatchObject({
    data: { errors: [{ message: 'The source cannot be reached: The password is wrong.' }] },
  });
});
