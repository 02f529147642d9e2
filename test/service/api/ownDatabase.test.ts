import { expect, test } from 'vitest';
import { resetDatabase, scriptsOf } from '../../../server/service/api/ownDatabase.ts';
import type { ApiParts } from '../../../server/service/api/parts.ts';
import { createMemorySource } from '../../support/service/memorySource.ts';

test('a source that is not embedded has no scripts and cannot be reset', async () => {
  const parts = { source: createMemorySource() as ApiParts['source'] } as ApiParts;
  const { id, tag } = parts.source;
  expect(await scriptsOf(parts)).toEqual({ connections: [{ id, tag, embedded: false }] });
  await expect(resetDatabase(parts, 'none')).rejects.toMatchObject({ code: 'SVC_S4107', status: 422 });
});
