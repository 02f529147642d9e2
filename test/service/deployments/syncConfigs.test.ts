import { expect, test } from 'vitest';
import { readSyncConfig } from '../../../server/service/deployments/syncConfigs.ts';

test('of a config in which everything is wrong, the worst thousand problems are told', () => {
  const wrong = Array.from({ length: 1500 }, (_, n) => `    nonsense${n}: 1\n`).join('');
  const content = `config:\n  edition: 3\nstreams:\n  s:\n    query: SELECT * FROM t\n${wrong}`;
  const { problems, valid } = readSyncConfig(content, 'public');
  expect(valid).toBe(false);
  expect(problems).toHaveLength(1000);
  expect(problems.at(-1)?.message).toMatch(/\(500 more are not shown\.\)$/);
});
