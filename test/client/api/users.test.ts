import { expect, test } from 'vitest';
import {
  type KnownUsers,
  mayFindMore,
  noUsers,
  offerUsers,
  openUserSearch,
  titleOf,
  userDetailsOf,
} from '../../../client/api/users.ts';

const known: KnownUsers = {
  ...noUsers,
  table: 'users',
  users: [
    { id: 'u10', name: 'Brian', address: 'brian@example.com' },
    { id: 'u9', name: 'Ada Lovelace', address: 'ada@example.com' },
    { id: 'u2', address: 'zoe@example.com' },
  ],
};

const idsFor = (typed: string, connected: readonly string[] = []): readonly string[] =>
  offerUsers({ known, connected, typed }).map(({ id }) => id);

test('users are offered by name, and connected users first', () => {
  expect(idsFor('')).toEqual(['u9', 'u10', 'u2']);
  expect(idsFor('', ['u2', 'guest', 'u2'])).toEqual(['guest', 'u2', 'u9', 'u10']);
  const unnamed = { ...noUsers, users: ['u10', 'u9', 'u1'].map((id) => ({ id })) };
  expect(offerUsers({ known: unnamed, connected: [], typed: '' }).map(({ id }) => id)).toEqual([
    'u1',
    'u9',
    'u10',
  ]);
});

test('a typed text finds users by any of their labels, and an exact id first', () => {
  expect(idsFor('LOVE ada')).toEqual(['u9']);
  expect(idsFor('zoe@')).toEqual(['u2']);
  expect(idsFor('u1', ['u10', 'u1'])).toEqual(['u1', 'u10']);
  expect(idsFor('nobody')).toEqual([]);
});

test('a user has the best known label, and the others as details', () => {
  const draw = (user: KnownUsers['users'][number]) => [titleOf(user), ...userDetailsOf(user)];
  expect(known.users.map(draw)).toEqual([
    ['Brian', 'brian@example.com', 'u10'],
    ['Ada Lovelace', 'ada@example.com', 'u9'],
    ['zoe@example.com', 'u2'],
  ]);
  expect(draw({ id: 'guest' })).toEqual(['guest']);
});

/** A service that answers when the test lets it. */
function startService() {
  const questions: { readonly search: string; readonly answer: (value: unknown) => void }[] = [];
  let found: KnownUsers = noUsers;
  const { search } = openUserSearch(
    (body) =>
      new Promise((resolve, reject) => {
        questions.push({
          ...body,
          answer: (value) => (value instanceof Error ? reject(value) : resolve(value)),
        });
      }),
    (users) => {
      found = users;
    },
  );
  const answer = async (value: unknown): Promise<void> => {
    questions.at(-1)?.answer(value);
    await new Promise(setImmediate);
  };
  return { search, answer, asked: () => questions.map((question) => question.search), found: () => found };
}

const page = (ids: readonly string[], more: boolean, schema = 'public') => ({
  data: { table: { schema, name: 'users' }, users: ids.map((id) => ({ id })), more },
});

test('a service that sent all of its users is not asked again', async () => {
  const service = startService();
  service.search('');
  await service.answer(page(['a'], false, 'auth'));
  service.search('x');
  expect(service.asked()).toEqual(['']);
  expect(service.found()).toMatchObject({ table: 'auth.users', users: [{ id: 'a' }], more: false });
  expect(mayFindMore(service.found(), 'x')).toBe(false);
});

test('a service with more users is asked for the latest text only, one question at a time', async () => {
  const service = startService();
  service.search('');
  await service.answer(page(['a', 'b'], true));
  for (const typed of ['x', 'xy', 'xyz']) service.search(typed);
  expect(service.asked()).toEqual(['', 'x']);
  await service.answer(page(['x1'], true));
  expect(service.asked()).toEqual(['', 'x', 'xyz']);
  await service.answer(page(['xyz'], false));
  service.search('x');
  expect(service.asked()).toHaveLength(3);
  expect(service.found().users).toEqual(['a', 'b', 'x1', 'xyz'].map((id) => ({ id })));
  expect(['x', 'xyz', 'xy'].map((text) => mayFindMore(service.found(), text))).toEqual([false, false, true]);
});

test.each([
  ['does not list users', Object.assign(new Error(''), { kind: 'absent' }), /does not list its users/],
  ['does not answer', new Error('It is off.'), /^It is off\.$/],
  ['does not know the users', { data: {} }, /^No table of users is known/],
  [
    'must not read the users',
    { data: { table: { schema: 'auth', name: 'users' }, problem: 'permission denied' } },
    /^permission denied$/,
  ],
  ['answers something else', { data: { table: { name: 'users' }, users: 'half' } }, /unknown format/],
  ['has no users', page([], false), /^The table users is empty\.$/],
])('the reason is known if a service %s', async (_, value, why) => {
  const service = startService();
  service.search('');
  await service.answer(value);
  service.search('x');
  expect(service.asked()).toEqual(['']);
  expect(service.found()).toMatchObject({ users: [], why: expect.stringMatching(why) });
});
