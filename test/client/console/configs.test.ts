import { signal } from '@preact/signals';
import { expect, test } from 'vitest';
import { listConfigsHere } from '../../../client/console/service/configs.ts';

test('a service is not asked for its configs before its state is known, because the list would be empty', async () => {
  const calls: string[] = [];
  const console = {
    transport: {
      call: async (_method: string, path: string) => {
        calls.push(path);
        return {};
      },
    },
    service: { diagnosis: signal(undefined) },
  } as unknown as Parameters<typeof listConfigsHere>[0];
  expect(await listConfigsHere(console)).toEqual([]);
  expect(calls).toEqual([]);
});
