import { expect, test } from 'vitest';
import { pauseFor } from '../../../server/service/sync/clients.ts';

test.each([
  [0, 0],
  [9, 0],
  [10, 1],
  [19, 1],
  [100, 10],
  [100_000, 10],
])('with %i clients, a checkpoint is followed by a pause of %i ms', (clients, pause) => {
  expect(pauseFor(clients)).toBe(pause);
});
