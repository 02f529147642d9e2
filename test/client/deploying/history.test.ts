import { beforeEach, expect, test } from 'vitest';
import {
  type DeployedConfig,
  type History,
  openHistory,
  versionsOf,
} from '../../../client/deploying/history.ts';

let history: History;

beforeEach(() => {
  const values = new Map<string, unknown>();
  history = openHistory({
    get: <T>(key: string) => values.get(key) as T,
    update: async (key: string, value: unknown) => void values.set(key, value),
  } as Parameters<typeof openHistory>[0]);
});

const seen = (slot: string, content = slot) => ({ slot, content, seenAt: 1 });

test('Deployed configs are remembered for each target, newest first and without duplicates', async () => {
  await history.remember('a', seen('one'));
  await history.remember('a', seen('two'));
  await history.remember('a', seen('one'));
  await history.remember('b', seen('three'));
  expect(history.of('a').map(({ slot }) => slot)).toEqual(['two', 'one']);
  expect(history.contentOf('a', 'three')).toBeUndefined();
  expect(history.contentOf('b', 'three')).toBe('three');
});

test('A slot whose config has changed keeps the earlier config and shows the latest', async () => {
  await history.remember('a', { ...seen('one', 'old'), seenAt: 1 });
  await history.remember('a', { ...seen('one', 'new'), seenAt: 2 });
  expect(history.of('a').map(({ content }) => content)).toEqual(['new', 'old']);
  expect(history.contentOf('a', 'one')).toBe('new');
  expect(history.contentOf('a', 'one', 1)).toBe('old');
});

test('The config of a slot counts as unknown again after a later deploy', async () => {
  expect(history.knows('a', { slot: 'one' })).toBe(false);
  await history.remember('a', seen('one', 'text'));
  expect(history.knows('a', { slot: 'one' })).toBe(true);
  expect(history.knows('a', { slot: 'one', deployedAt: 5 })).toBe(false);
  await history.remember('a', { ...seen('one', 'text'), seenAt: 9, deployedAt: 5 });
  expect(history.knows('a', { slot: 'one', deployedAt: 5 })).toBe(true);
  expect(history.of('a')).toEqual([{ ...seen('one', 'text'), deployedAt: 5 }]);
});

test('At most 20 configs are kept', async () => {
  for (let number = 0; number < 30; number += 1) await history.remember('a', seen(String(number)));
  expect(history.of('a')).toHaveLength(20);
  expect(history.of('a')[0]?.slot).toBe('29');
});

test('The last config that was deployed from here is remembered', async () => {
  expect(history.ownContent('a')).toBeUndefined();
  await history.own('a', 'one');
  expect(history.ownContent('a')).toBe('one');
});

test('The list of versions has each deploy once, newest first, with its name and state', () => {
  const deploy = (slot: string, content: string, deployedAt: number, name = slot): DeployedConfig => ({
    slot,
    content,
    deployedAt,
    name,
    seenAt: 100 + deployedAt,
  });
  // The configs in the order in which the editor saw them. The editor was closed in between.
  const known = [
    deploy('one', 'b', 2, 'two'),
    deploy('one', 'a', 1),
    deploy('one', 'b', 2, 'two'),
    deploy('four', 'd', 4),
    deploy('one', 'c', 3, 'three'),
    // Back to the first config.
    deploy('one', 'a', 5, 'five'),
  ];
  const slots = { active: 'one', pending: 'four' };
  expect(versionsOf(known, slots).map(({ name, state, seen }) => `${name} ${state} ${seen.content}`)).toEqual(
    ['five active a', 'four pending d', 'three earlier c', 'two earlier b', 'one earlier a'],
  );
});
