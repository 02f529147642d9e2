/** The session secret of the console page: where it is stored, and which requests carry it. */
import { describe, expect, test } from 'vitest';
import { openHttpTransport } from '../../../client/console/link/http.ts';
import { openPageSecret } from '../../../client/console/link/pageSecret.ts';
import { signInWithCode } from '../../../client/console/link/signIn.ts';

interface SentRequest {
  readonly path: string;
  readonly secret: string | null;
}

/** A service that answers each path with a status and a body. */
function serve(answers: Readonly<Record<string, readonly [status: number, body: unknown]>>) {
  const sent: SentRequest[] = [];
  const send: typeof fetch = async (path, init) => {
    const [status, body] = answers[String(path)] ?? [404, {}];
    sent.push({ path: String(path), secret: new Headers(init?.headers).get('x-headwater-console') });
    return new Response(JSON.stringify(body), { status });
  };
  return { sent, send };
}

function storageOf(items = new Map<string, string>()): Pick<Window, 'localStorage'> {
  const localStorage: Partial<Storage> = {
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, value) => void items.set(key, value),
  };
  return { localStorage: localStorage as Storage };
}

const withoutStorage: Pick<Window, 'localStorage'> = {
  get localStorage(): Storage {
    throw new Error('The user does not allow it.');
  },
};

const refused = { error: { code: 'SVC_S2101', description: 'Not authorized' } };
const diagnostics = '/api/admin/v1/diagnostics';

describe('The secret of a page', () => {
  test('is the same in all tabs, and is replaced at each sign-in', () => {
    const items = new Map<string, string>();
    const [one, other] = [openPageSecret(storageOf(items)), openPageSecret(storageOf(items))];
    expect(one.read()).toBeUndefined();
    one.keep('first');
    expect(other.read()).toBe('first');
    other.keep('second');
    expect(one.read()).toBe('second');
  });

  test('is kept only in the page if the browser has no storage', () => {
    const secret = openPageSecret(withoutStorage);
    expect(secret.read()).toBeUndefined();
    secret.keep('first');
    expect(secret.read()).toBe('first');
  });

  test('is replaced at a sign-in even if the storage is full', () => {
    const items = new Map([['headwater-console-secret', 'old']]);
    const { localStorage } = storageOf(items);
    localStorage.setItem = () => {
      throw new Error('The quota is used up.');
    };
    const secret = openPageSecret({ localStorage });
    expect(secret.read()).toBe('old');
    secret.keep('new');
    expect(secret.read()).toBe('new');
  });

  test('is received at the sign-in', async () => {
    const secret = openPageSecret(storageOf());
    const history = { replaceState: () => {} } as unknown as History;
    const page = { location: { hash: '#sign-in=code', pathname: '/console/' } as Location, history };
    const { send } = serve({ 'sign-in': [200, { data: { secret: 'own' } }] });
    expect(await signInWithCode(page, secret, send)).toBeUndefined();
    expect(secret.read()).toBe('own');
  });

  test('is sent with admin requests, but not with the requests of an app client', async () => {
    const { sent, send } = serve({
      [diagnostics]: [200, {}],
      '/api/admin/v1/history': [200, {}],
      '/api/admin/v1/events': [200, {}],
      '/api/admin/v1/client-token': [200, { data: { token: 'of ada' } }],
      '/sync/stream': [200, {}],
    });
    const transport = openHttpTransport({ read: () => 'own' }, send);
    const { signal } = new AbortController();
    await transport.call('POST', diagnostics);
    await transport.call('GET', '/api/admin/v1/history');
    await transport.events(() => {}, signal);
    await transport.sync({ user: 'ada', claims: {}, body: {} }, () => {}, signal);
    expect(sent).toEqual([
      { path: diagnostics, secret: 'own' },
      { path: '/api/admin/v1/history', secret: 'own' },
      { path: '/api/admin/v1/events', secret: 'own' },
      { path: '/api/admin/v1/client-token', secret: 'own' },
      { path: '/sync/stream', secret: null },
    ]);
  });
});

describe('A refused call reports', () => {
  const failureOf = (secret: string | undefined, status: number, body: unknown): Promise<unknown> => {
    const { send } = serve({ [diagnostics]: [status, body] });
    return openHttpTransport({ read: () => secret }, send)
      .call('POST', diagnostics)
      .catch(({ kind, message }: { readonly kind: string; readonly message: string }) => [kind, message]);
  };

  test('that the user is not signed in, before the first sign-in', async () => {
    expect(await failureOf(undefined, 401, refused)).toEqual([
      'signed out',
      expect.stringMatching(/^You are not signed in\. Run headwater console/),
    ]);
  });

  test('that the session has ended, after a sign-in', async () => {
    expect(await failureOf('own', 401, refused)).toEqual([
      'signed out',
      expect.stringMatching(/^Your session has ended: .* Run headwater console/),
    ]);
  });

  test('the reason of the service, if the refusal is not about the session', async () => {
    const foreign = { error: { code: 'SVC_S2107', description: 'Not from here', details: 'Go home.' } };
    expect(await failureOf('own', 403, foreign)).toEqual(['signed out', 'Not from here. Go home.']);
  });
});
