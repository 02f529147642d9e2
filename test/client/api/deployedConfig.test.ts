import { expect, test } from 'vitest';
import { readDiagnosis } from '../../../client/api/answers.ts';
import { isSent, nameAtStart, nameOfConfig } from '../../../client/api/deployedConfig.ts';
import { readDeployedConfigs } from '../../../client/api/reports/deployedConfigs.ts';

const answer = (slot: string, more: object = {}, ofConfig: object = {}) => ({
  data: { connections: [], active_sync_rules: { ...ofConfig, connections: [{ slot_name: slot }] }, ...more },
});
const ours = { service: { name: 'headwater', version: '1.0.0' } };

test.each([
  [
    'our service, which reports the number',
    answer('powersync_1_ab12', ours, { config_number: 7 }),
    'config 7',
  ],
  [
    'an earlier release of ours, whose slots say nothing about configs',
    answer('powersync_1_ab12', ours),
    'powersync_1_ab12',
  ],
  ['the reference service, whose slots have the numbers', answer('powersync_4_ab12'), 'config 4'],
  ['a slot with another prefix', answer('app_4_ab12'), 'app_4_ab12'],
  ['a slot without digits at the end', answer('powersync_4'), 'powersync_4'],
])('A config is named only by a number that is known: %s', (_, value, name) => {
  const active = readDiagnosis(value, 0)?.active ?? { slot: '' };
  expect(nameOfConfig(active)).toBe(name);
  expect(nameAtStart(active).toLowerCase()).toBe(name);
});

test('A config that was sent is found by its number, also under another slot', () => {
  const sent = { slot: 'powersync_2_ab12', configNumber: 2 };
  expect(isSent({ slot: 'powersync_1_ab12', configNumber: 2 }, sent)).toBe(true);
  expect(isSent({ slot: 'powersync_3_ab12', configNumber: 2 }, sent)).toBe(true);
  expect(isSent({ slot: 'powersync_2_ab12', configNumber: 4 }, sent)).toBe(false);
  // The slot decides if there are no numbers.
  expect(isSent({ slot: 'powersync_1_ab12', deployedAs: 'powersync_2_ab12' }, sent)).toBe(true);
  expect(isSent({ slot: 'powersync_1_ab12' }, sent)).toBe(false);
});

test('A copy of the active config is found by its slot, because the number is active until then', () => {
  const sent = { slot: 'powersync_3_ab12', configNumber: 2, isCopiedAgain: true } as const;
  expect(isSent({ slot: 'powersync_2_ab12', configNumber: 2 }, sent)).toBe(false);
  expect(isSent({ slot: 'powersync_3_ab12', configNumber: 2 }, sent)).toBe(true);
});

test('The listed configs of a service are read newest first, and those of a service without numbers are not', () => {
  const listed = {
    slot_name: 's',
    state: 'active',
    has_served: true,
    content: 'a',
    created_ts: '2026-11-29T10:00:00Z',
    deployed_by: 'Ada',
  };
  const of = (...deployments: object[]) => readDeployedConfigs({ data: { deployments } });
  expect(of({ ...listed, config_number: 1 }, { ...listed, config_number: 3, state: 'pending' })).toEqual([
    expect.objectContaining({ configNumber: 3, state: 'pending' }),
    {
      slot: 's',
      configNumber: 1,
      content: 'a',
      deployedAt: Date.UTC(2026, 10, 29, 10),
      deployedBy: 'Ada',
      state: 'active',
      hasServed: true,
    },
  ]);
  expect(of(listed)).toBeUndefined();
  expect(of()).toEqual([]);
  expect(readDeployedConfigs({ data: {} })).toBeUndefined();
});
