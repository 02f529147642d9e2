import { expect, test } from 'vitest';
import { adminCheck, createAccess } from '../../../../server/service/http/auth/access.ts';

const check = adminCheck(['first token', 'second-token']);

test.each(['Bearer second-token', 'Token second-token'])('%s grants access to the API', (header) => {
  expect(() => check(header)).not.toThrow();
});

test.each([
  undefined,
  '',
  'second-token',
  'bearer second-token',
  'Basic second-token',
  'Bearer  second-token',
  'Bearer second-token ',
  'Bearer first token',
  'Bearer second-toke',
  'Bearer ',
  'Bearer',
  'Bearer\tsecond-token',
  ' Bearer second-token',
  'Bearer second-token\n',
  'Bearer second-token,second-token',
  'Bearer second-token Bearer second-token',
  'Bearer SECOND-TOKEN',
  'Bearer \u0000',
  `Bearer ${'x'.repeat(60_000)}`,
])('%j is refused with the same answer as every other wrong header', (header) => {
  expect(() => check(header)).toThrow(
    expect.objectContaining({
      code: 'SVC_S2101',
      status: 401,
      message: 'Send `Authorization: Bearer TOKEN` with one of `api.tokens`.',
    }),
  );
});

test('the token of an app user does not grant access to the API', async () => {
  const user = { id: 'ada', claims: '{}', expiresAt: 0 };
  const access = createAccess(['second-token'], async () => user);
  for (const header of ['Bearer a.b.c', 'Token a.b.c']) {
    expect(await access.user(header)).toBe(user);
    expect(() => access.admin(header)).toThrow(expect.objectContaining({ code: 'SVC_S2101' }));
  }
});

test('the API is closed if no token is configured, and the answer says so', () => {
  expect(() => adminCheck([])('Bearer ')).toThrow(
    'No API token is configured, so the API is closed: see `api.tokens`.',
  );
});

test.each([undefined, 'bearer x', 'Bearer  x', 'Basic x'])(
  'a client that sends %j has no token',
  async (header) => {
    const access = createAccess([], async () => expect.unreachable());
    await expect(access.user(header)).rejects.toMatchObject({ code: 'SVC_S2106', status: 401 });
  },
);
