import { expect, test } from 'vitest';
import type { Api } from '../../../client/api/api.ts';
import { ApiFailure } from '../../../client/api/failure.ts';
import { openEditorConsole } from '../../../client/console/link/editor.ts';
import type { FromEditor, ToEditor } from '../../../client/console/link/messages.ts';
import { CallFailure } from '../../../client/console/link/transport.ts';
import { openRelay, type RelayWorld } from '../../../client/vscode/console/relay.ts';

interface Question {
  readonly path: string;
  readonly body: object;
  readonly token?: string;
}

/** How far the clock of the service is ahead of ours, in milliseconds. */
const aheadOfUs = 60_000;

interface Service {
  readonly ask?: (...asked: Parameters<Api['ask']>) => Promise<unknown>;
  readonly follow?: Api['follow'];
}

/** Connects the console with the extension. Each message between them is cloned, as in an editor. */
function connect(service: Service, world: Partial<RelayWorld> = {}) {
  const asked: Question[] = [];
  const shown: string[] = [];
  const said: FromEditor[] = [];
  let listener: (event: { data: FromEditor }) => void = () => {};
  const apiWith = (token?: string) =>
    ({
      async ask(method, path, body, signal) {
        asked.push({ path, body, ...(token !== undefined && { token }) });
        return { value: await service.ask?.(method, path, body, signal), at: Date.now() + aheadOfUs };
      },
      async follow(path, body, onLine, signal) {
        asked.push({ path, body, ...(token !== undefined && { token }) });
        await service.follow?.(path, body, onLine, signal);
      },
      async close() {},
    }) as Api;
  const send = (message: FromEditor): void => {
    said.push(message);
    listener({ data: structuredClone(message) });
  };
  const relay = openRelay({
    reach: async () => ({ api: apiWith() }),
    reachAs: async (token) => apiWith(token),
    sign: async () => undefined,
    streams: async () => undefined,
    configs: async () => [],
    share: (_, ask) => ask(),
    send,
    ...world,
  });
  const opened: unknown[] = [];
  let begun = 0;
  const take = (message: ToEditor): void => {
    if (message.kind === 'cancel') relay.cancel(message.number);
    else if (
      message.kind === 'call' ||
      message.kind === 'events' ||
      message.kind === 'sync' ||
      message.kind === 'configs'
    )
      void relay.take(structuredClone(message));
    else if (message.kind !== 'ready') opened.push(message);
  };
  const page = {
    addEventListener: (_: string, listen: (event: { data: FromEditor }) => void) => {
      listener = listen;
    },
  };
  const parts = openEditorConsole({ postMessage: take }, page as never, {
    show: (hash) => shown.push(hash),
    beginAgain: () => {
      begun += 1;
    },
  });
  return { ...parts, asked, shown, said, opened, send, begun: () => begun };
}

const never = new AbortController().signal;

test('The list of deployed configs is that of the editor', async () => {
  const listed = {
    slot: 'powersync_1_ab12',
    configNumber: 1,
    content: 'streams: {}',
    seenAt: 1,
    at: 1,
    state: 'earlier',
    isOfEarlierStorage: true,
    isOwn: true,
  } as const;
  const { editor } = connect({}, { configs: async () => [listed] });
  expect(await editor.configs(never)).toEqual([listed]);
});

test('The service answers a call, and its token stays in the extension', async () => {
  const { transport, asked } = connect({ ask: async () => ({ data: 7 }) });
  expect(await transport.call('POST', '/api/admin/v1/events', { a: 1 })).toEqual({ data: 7 });
  expect(asked).toEqual([{ path: '/api/admin/v1/events', body: { a: 1 } }]);
});

test('A diagnosis is shared with the rest of the editor, which also shows clients', async () => {
  const shared: unknown[] = [];
  const diagnosis = { data: { connections: [] } };
  const { transport, asked } = connect(
    { ask: async () => diagnosis },
    {
      async share(_, ask) {
        const answer = await ask();
        shared.push(answer.value);
        return answer;
      },
    },
  );
  const path = '/api/admin/v1/diagnostics';
  expect(await transport.call('POST', path, { bucket_counts: true })).toEqual(diagnosis);
  expect(asked).toEqual([{ path, body: { bucket_counts: true, connected_clients: true } }]);
  expect(shared).toEqual([diagnosis]);
});

test.each([
  '/sync/stream',
  '/api/admin/v1/../../secret',
  'http://elsewhere/api/admin/v1/schema',
  '/api/admin/v1/schema?x=1',
])('The console cannot call an address outside of the API: %s', async (path) => {
  const { transport, asked } = connect({ ask: async () => 'secret' });
  await expect(transport.call('POST', path)).rejects.toMatchObject({ kind: 'refused' });
  expect(asked).toEqual([]);
});

test.each([
  ['unreachable', 'unreachable'],
  ['slow', 'unreachable'],
  ['unsupported', 'absent'],
  ['tokenless', 'signed out'],
  ['unauthorized', 'signed out'],
  ['refused', 'refused'],
] as const)('A failure of the kind %s is reported as %s', async (kind, told) => {
  const { transport } = connect({
    ask: async () => {
      throw new ApiFailure(kind, 'A sentence.', { code: 'S1234' });
    },
  });
  const failure = await transport.call('POST', '/api/admin/v1/map').catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(CallFailure);
  expect(failure).toMatchObject({ kind: told, message: 'A sentence.', code: 'S1234' });
});

test('Without a selected service, the failure has its own kind and a reason', async () => {
  const { transport } = connect({}, { reach: async () => ({ why: 'No service is selected.' }) });
  await expect(transport.events(() => {}, never)).rejects.toMatchObject({
    kind: 'no service',
    message: 'No service is selected.',
  });
});

test('Lines arrive one by one, and none arrives after the console has left the stream', async () => {
  let push: (line: unknown) => void = () => {};
  let ended = false;
  const { transport, said } = connect({
    follow: (_, __, onLine, signal) =>
      new Promise((resolve) => {
        push = onLine;
        signal.addEventListener('abort', () => {
          ended = true;
          resolve();
        });
      }),
  });
  const lines: unknown[] = [];
  const leaving = new AbortController();
  const following = transport.events((line) => lines.push(line), leaving.signal);
  await expect.poll(() => push.length).toBe(1);
  push({ n: 1 });
  push({ n: 2 });
  leaving.abort();
  await following;
  push({ n: 3 });
  expect(lines).toEqual([{ n: 1 }, { n: 2 }]);
  expect(ended).toBe(true);
  expect(said.filter(({ kind }) => kind === 'line')).toHaveLength(2);
});

test('A sync stream uses a token that the extension signs for the user and that the console never sees', async () => {
  const claims: unknown[] = [];
  const { transport, asked, said } = connect(
    { follow: async (_, __, onLine) => onLine({ checkpoint: 1 }) },
    {
      sign: async (given) => {
        claims.push(given);
        return 'signed-token';
      },
    },
  );
  const lines: unknown[] = [];
  const request = { user: 'ada', claims: { role: 'admin', sub: 'eve' }, body: { buckets: [] } };
  await transport.sync(request, (line) => lines.push(line), never);
  expect(claims).toEqual([{ role: 'admin', sub: 'ada' }]);
  expect(asked).toEqual([{ path: '/sync/stream', body: { buckets: [] }, token: 'signed-token' }]);
  expect(lines).toEqual([{ checkpoint: 1 }]);
  expect(JSON.stringify(said)).not.toContain('signed-token');
});

test('Without a key of the project, the service signs the token', async () => {
  const { transport, asked } = connect({ ask: async () => ({ data: { token: 'by-service' } }) });
  await transport.sync({ user: 'ada', claims: { role: 'admin' }, body: {} }, () => {}, never);
  expect(asked).toEqual([
    { path: '/api/admin/v1/client-token', body: { user_id: 'ada', claims: { role: 'admin' } } },
    { path: '/sync/stream', body: {}, token: 'by-service' },
  ]);
});

test('The extension supplies the streams of the config if the service does not report them', async () => {
  const absent = async () => {
    throw new ApiFailure('unsupported', 'It has no such thing.');
  };
  const streams = { streams: [{ name: 'lists' }], origin: 'file' };
  const { transport } = connect({ ask: absent }, { streams: async () => streams });
  expect(await transport.call('POST', '/api/admin/v1/streams')).toEqual({ data: streams });
  await expect(transport.call('POST', '/api/admin/v1/map')).rejects.toMatchObject({ kind: 'absent' });
});

test('If no token can be signed, the sync stream fails as refused with the code S4108', async () => {
  const { transport } = connect({
    ask: async () => {
      throw new ApiFailure('unsupported', 'It has no such thing.');
    },
  });
  const failing = transport.sync({ user: 'ada', claims: {}, body: {} }, () => {}, never);
  await expect(failing).rejects.toMatchObject({ kind: 'refused', code: 'S4108' });
});

test('The clock difference is measured from the answers of the service', async () => {
  const { transport } = connect({ ask: async () => ({}) });
  expect(transport.clockAhead()).toBeUndefined();
  await transport.call('POST', '/api/admin/v1/diagnostics');
  expect(Math.abs((transport.clockAhead() ?? 0) - aheadOfUs)).toBeLessThan(30_000);
});

test('When another service is selected, the console starts again and pending calls fail', async () => {
  const { transport, send, begun } = connect({ ask: () => new Promise(() => {}) });
  const asked = transport.call('POST', '/api/admin/v1/diagnostics');
  const followed = transport.events(() => {}, never);
  send({ kind: 'target' });
  await expect(asked).rejects.toMatchObject({ kind: 'unreachable' });
  await expect(followed).rejects.toMatchObject({ kind: 'unreachable' });
  expect(begun()).toBe(1);
});

test('The console asks the extension to reveal a span, preview a user or explain a row', () => {
  const { editor, opened } = connect({});
  const span = { content: 'streams:', start: 0, end: 7 };
  const owner = { user: 'ada', claims: {}, question: { parameters: {}, subscriptions: [] } };
  editor.reveal(span);
  editor.preview(owner);
  editor.explain('lists', '{}');
  expect(opened).toEqual([
    { kind: 'reveal', ...span },
    { kind: 'preview', owner },
    { kind: 'explain', table: 'lists', row: '{}' },
  ]);
});

test('The editor sends the map of its file and the screen to show', () => {
  const { editor, send, shown } = connect({});
  expect(editor.map.value).toBeUndefined();
  send({ kind: 'map', edited: { file: 'sync.yaml', map: { tables: [{ id: 'a' }] }, deployed: {} } });
  expect(editor.map.value).toMatchObject({ file: 'sync.yaml', map: { tables: [{ id: 'a' }] }, deployed: {} });
  send({ kind: 'show', hash: '#/devices?user=ada' });
  expect(shown).toEqual(['#/devices?user=ada']);
});
