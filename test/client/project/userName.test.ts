import { expect, test } from 'vitest';
import { userNameIn } from '../../../client/project/userName.ts';

test('The user is the account on this machine, and in CI the person who started the job', () => {
  expect(userNameIn({ USER: 'ada' })).toBe('ada');
  expect(userNameIn({ USERNAME: 'ada' })).toBe('ada');
  expect(userNameIn({ GITHUB_ACTOR: 'Ada', USER: 'runner' })).toBe('Ada');
  expect(userNameIn({})).toBeUndefined();
});

test.each(['', ' ', 'a\nb', 'a'.repeat(101)])(
  '%j is no name, because the service would refuse it',
  (text) => {
    expect(userNameIn({ GITHUB_ACTOR: text })).toBeUndefined();
    expect(userNameIn({ GITHUB_ACTOR: text, USER: 'ada' })).toBe('ada');
  },
);

test('The length of a name is that of its characters, not of their code units', () => {
  const name = '🦀'.repeat(100);
  expect(userNameIn({ USER: name })).toBe(name);
  expect(userNameIn({ USER: `${name}🦀` })).toBeUndefined();
});
