import { expect, test } from 'vitest';
import { shareErrors } from '../../../server/service/api/clientShares.ts';

const client = (userId: string, buckets: number, ...streams: readonly string[]) => ({
  userId,
  share: () => ({
    buckets,
    failing: streams.map((name) => ({
      name,
      is_default: true,
      errors: [{ subscription: 'default' as const, message: 'Too much.' }],
    })),
  }),
});

test('clients that do not get all rows are reported by stream', () => {
  const clients = [client('ada', 3, 'todos'), client('bob', 3, 'todos', 'lists'), client('eve', 3)];
  expect(shareErrors(clients, 10).map(({ message }) => message)).toEqual([
    '2 connected clients do not get all of todos. For example, user ada: Too much.',
    '1 connected client does not get all of lists. For example, user bob: Too much.',
  ]);
});

test('a warning from 80 % of the limit names the client with the most buckets', () => {
  expect(shareErrors([client('ada', 799)], 1000)).toEqual([]);
  expect(shareErrors([client('ada', 800), client('bob', 1000)], 1000)).toEqual([
    {
      level: 'warning',
      code: 'SVC_S2305',
      message:
        'User bob has 1,000 of the 1,000 buckets that one client may have. With more, streams are left out.',
    },
  ]);
});

test('clients that get nothing or everything are not reported', () => {
  expect(shareErrors([client('ada', 0)], 1000)).toEqual([]);
  expect(shareErrors([], 1000)).toEqual([]);
});
