import { beforeEach, describe, expect, test } from 'vitest';
import type { ReportedConfig } from '../../../client/api/reports/deployedConfigs.ts';
import {
  type History,
  type ListedConfig,
  listConfigs,
  openHistory,
  type SeenConfig,
} from '../../../client/deploying/history.ts';
import { describeListed } from '../../../client/deploying/historyWords.ts';

let history: History;

beforeEach(() => {
  const values = new Map<string, unknown>();
  history = openHistory({
    get: <T>(key: string) => values.get(key) as T,
    update: async (key: string, value: unknown) => void values.set(key, value),
  } as Parameters<typeof openHistory>[0]);
});

const seen = (slot: string, content = slot) => ({ slot, content, seenAt: 1 });

describe('The history', () => {
  test('keeps deployed configs for each target, newest first and without duplicates', async () => {
    await history.remember('a', seen('one'));
    await history.remember('a', seen('two'));
    await history.remember('a', seen('one'));
    await history.remember('b', seen('three'));
    expect(history.of('a').map(({ slot }) => slot)).toEqual(['two', 'one']);
    expect(history.contentOf('a', { slot: 'three' })).toBeUndefined();
    expect(history.contentOf('b', { slot: 'three' })).toBe('three');
  });

  test('keeps the earlier config of a slot whose config has changed, and returns the latest', async () => {
    await history.remember('a', { ...seen('one', 'old'), seenAt: 1 });
    await history.remember('a', { ...seen('one', 'new'), seenAt: 2 });
    expect(history.of('a').map(({ content }) => content)).toEqual(['new', 'old']);
    expect(history.contentOf('a', { slot: 'one' })).toBe('new');
    expect(history.contentOf('a', { slot: 'one', seenAt: 1 })).toBe('old');
  });

  test('finds a config by its number, whatever the slot is, but not the same number of another storage', async () => {
    await history.remember('a', { ...seen('powersync_1_aaaa', 'first'), configNumber: 1 });
    await history.remember('a', { ...seen('powersync_1_aaaa', 'second'), configNumber: 2 });
    await history.remember('a', { ...seen('powersync_1_bbbb', 'of a new storage'), configNumber: 1 });
    expect(history.contentOf('a', { slot: 'powersync_3_aaaa', configNumber: 1 })).toBe('first');
    expect(history.contentOf('a', { slot: 'powersync_1_aaaa', configNumber: 2 })).toBe('second');
    expect(history.contentOf('a', { slot: 'powersync_1_bbbb', configNumber: 1 })).toBe('of a new storage');
    expect(history.contentOf('a', { slot: 'powersync_1_bbbb', configNumber: 2 })).toBeUndefined();
  });

  test('does not know the config of a slot after a later deploy', async () => {
    expect(history.knows('a', { slot: 'one' })).toBe(false);
    await history.remember('a', seen('one', 'text'));
    expect(history.knows('a', { slot: 'one' })).toBe(true);
    expect(history.knows('a', { slot: 'one', deployedAt: 5 })).toBe(false);
    await history.remember('a', { ...seen('one', 'text'), seenAt: 9, deployedAt: 5 });
    expect(history.knows('a', { slot: 'one', deployedAt: 5 })).toBe(true);
    expect(history.of('a')).toEqual([{ ...seen('one', 'text'), deployedAt: 5 }]);
  });

  test('keeps that a config was deployed from here', async () => {
    await history.remember('a', { ...seen('one'), configNumber: 4, isOwn: true });
    await history.remember('a', { ...seen('one'), configNumber: 4, deployedAt: 5, seenAt: 6 });
    expect(history.of('a')).toEqual([{ ...seen('one'), configNumber: 4, deployedAt: 5, isOwn: true }]);
  });

  test('keeps at most 20 configs', async () => {
    for (let number = 0; number < 30; number += 1) await history.remember('a', seen(String(number)));
    expect(history.of('a')).toHaveLength(20);
    expect(history.of('a')[0]?.slot).toBe('29');
  });

  test('knows the last config that was deployed from here', async () => {
    expect(history.ownContent('a')).toBeUndefined();
    await history.own('a', 'one');
    expect(history.ownContent('a')).toBe('one');
  });
});

const summary = (configs: readonly ListedConfig[]) =>
  configs.map(
    ({ configNumber, slot, state, content, isOfEarlierStorage }) =>
      `${configNumber ?? slot} ${isOfEarlierStorage ? 'earlier storage' : state} ${content}`,
  );

describe('The list of a service that lists its configs', () => {
  const reported = (configNumber: number, more: Partial<ReportedConfig> = {}): ReportedConfig => ({
    slot: 'powersync_1_aaaa',
    configNumber,
    content: `text ${configNumber}`,
    deployedAt: configNumber,
    state: 'earlier',
    hasServed: true,
    ...more,
  });
  const listed = [
    reported(4, { state: 'pending', slot: 'powersync_4_aaaa', hasServed: false }),
    reported(3, { state: 'active' }),
    reported(1),
  ];

  test('has each config once, whatever the editor remembers', () => {
    const remembered: SeenConfig[] = [
      { slot: 'powersync_4_aaaa', configNumber: 4, content: 'text 4', seenAt: 9, isOwn: true },
      { slot: 'powersync_1_aaaa', configNumber: 3, content: 'text 3', seenAt: 8, deployedAt: 3 },
      // A version of the editor that knew no numbers has remembered this.
      { slot: 'powersync_1_aaaa', content: 'text 1', seenAt: 7 },
    ];
    const list = listConfigs({ seen: remembered, reported: listed, diagnosis: {} });
    expect(summary(list)).toEqual(['4 pending text 4', '3 active text 3', '1 earlier text 1']);
    expect(list.map(({ isOwn, hasServed }) => [isOwn, hasServed])).toEqual([
      [true, false],
      [undefined, true],
      [undefined, true],
    ]);
  });

  test('keeps the configs of a storage that was deleted, below the others, with the same numbers', () => {
    const remembered: SeenConfig[] = [
      { slot: 'powersync_1_bbbb', configNumber: 1, content: 'old 1', seenAt: 1, deployedAt: 1 },
      { slot: 'powersync_1_bbbb', configNumber: 3, content: 'old 3', seenAt: 2, deployedAt: 2 },
    ];
    expect(summary(listConfigs({ seen: remembered, reported: listed, diagnosis: {} }))).toEqual([
      '4 pending text 4',
      '3 active text 3',
      '1 earlier text 1',
      '3 earlier storage old 3',
      '1 earlier storage old 1',
    ]);
    expect(summary(listConfigs({ seen: remembered, reported: [], diagnosis: {} }))).toEqual([
      '3 earlier storage old 3',
      '1 earlier storage old 1',
    ]);
  });
});

describe('The list of any other service', () => {
  const of = (slot: string, content: string, seenAt: number): SeenConfig => ({ slot, content, seenAt });
  const deployment = { copied: true, tables: [], errors: [] };

  test('has the configs that the editor has seen, newest first, with their states', () => {
    const numbered = (configNumber: number) => ({
      ...of(`powersync_${configNumber}_0a${configNumber}b`, `text ${configNumber}`, configNumber),
      configNumber,
    });
    const list = listConfigs({
      seen: [numbered(2), numbered(4), numbered(3)],
      reported: undefined,
      diagnosis: { active: { ...numbered(3), ...deployment }, pending: { ...numbered(4), ...deployment } },
    });
    expect(summary(list)).toEqual(['4 pending text 4', '3 active text 3', '2 earlier text 2']);
  });

  test('says which configs are of an earlier storage if the numbers have begun again', () => {
    const numbered = (configNumber: number, content: string, seenAt: number) => ({
      ...of(`powersync_${configNumber}_${content}`, content, seenAt),
      configNumber,
    });
    const list = listConfigs({
      seen: [numbered(1, 'c', 3), numbered(2, 'b', 2), numbered(1, 'a', 1)],
      reported: undefined,
      diagnosis: { active: { ...numbered(1, 'c', 3), ...deployment } },
    });
    expect(summary(list)).toEqual(['1 active c', '2 earlier storage b', '1 earlier storage a']);
  });

  test('names a config by its slot if the number is unknown', () => {
    const list = listConfigs({
      seen: [of('mine', 'b', 2), of('mine', 'a', 1)],
      reported: undefined,
      diagnosis: { active: { slot: 'mine', ...deployment } },
    });
    expect(summary(list)).toEqual(['mine active b', 'mine earlier a']);
  });
});

test('An entry is described only with known facts', () => {
  const entry: ListedConfig = {
    slot: 'one',
    content: 'text',
    seenAt: 0,
    at: 0,
    state: 'earlier',
    isOfEarlierStorage: false,
  };
  const at = new Date(0).toLocaleString();
  expect(describeListed(entry)).toBe(`earlier · ${at}`);
  expect(describeListed({ ...entry, hasServed: false, isOwn: true })).toBe(
    `never active · ${at} · deployed from here`,
  );
  expect(describeListed({ ...entry, deployedBy: 'Ada' })).toBe(`earlier · ${at} · by Ada`);
  expect(describeListed({ ...entry, hasServed: false, state: 'pending' })).toBe(`being copied · ${at}`);
  expect(describeListed({ ...entry, isOfEarlierStorage: true })).toBe(
    `earlier, before its storage was deleted · ${at}`,
  );
});
