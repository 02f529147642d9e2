import { expect, test } from 'vitest';
import { resetDatabase, scriptsOf } from '../../../server/service/api/ownDatabase.ts';
import type { ApiParts } from '../../../server/service/api/parts.ts';
import { createMemorySource } from '../../support/service/memorySource.ts';

test('a source that is not the service’s own has no scripts, and is never reset', async () => {
  const parts = { source: createMemorySource() as ApiParts['source'] } as ApiParts;
  expect(await scriptsOf(parts)).toEqual({ connections: [{ id: parts.source.id, tag: parts.source.tag }] });
  await expect(resetDatabase(parts, 'none')).rejects.toMatchObject({ code: 'SVC_S4107', status: 422 });
});
