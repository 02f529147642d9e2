import { expect, test } from 'vitest';
import { deploymentNaming, strayNames } from '../../../server/service/deployments/deploymentNames.ts';

const recordsOf = (names: string) =>
  names.split(' ').flatMap((deploymentName) => (deploymentName ? [{ deploymentName }] : []));

test.each([
  ['a new storage draws its digits', '', 'app_7_a1b2'],
  ['a later slot has those of the one before', 'app_1_ffff app_2_c3d4', 'app_7_c3d4'],
  ['whatever prefix that had', 'powersync_2_c3d4', 'app_7_c3d4'],
])('%s', (_, names, expected) => {
  expect(deploymentNaming('app_', 'a1b2', recordsOf(names))(7)).toBe(expected);
});

test.each([
  ['what is known', 'p_1_aaaa p_2_aaaa', 'p_1_aaaa p_2_aaaa', '', ''],
  ['what a later state has made', 'p_1_aaaa', 'p_2_aaaa p_3_aaaa', 'p_2_aaaa p_3_aaaa', ''],
  ['that, after its numbers were skipped', 'p_1_aaaa p_1002_aaaa', 'p_2_aaaa', '', 'p_2_aaaa'],
  ['what another storage has made', 'p_1_aaaa', 'p_2_bbbb q_2_aaaa', '', ''],
  ['what something else has made', 'p_1_aaaa', 'standby p_aaaa 9_aaaa', '', ''],
  ['nothing known', '', 'p_2_aaaa standby', '', ''],
  ['a prefix that ends with a digit', 'p91_aaaa p99_aaaa', 'p910_aaaa', 'p910_aaaa', ''],
])('%s', (_, names, slots, later, skipped) => {
  const found = strayNames(slots.split(' '), recordsOf(names));
  const namesOf = (isLater: boolean) =>
    found.filter((slot) => slot.isLater === isLater).map(({ name }) => name);
  expect([namesOf(true).join(' '), namesOf(false).join(' ')]).toEqual([later, skipped]);
});
