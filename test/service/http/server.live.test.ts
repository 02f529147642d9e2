/** Invalid and slow sockets, too many sockets, and the shutdown of the server. */
import { connect, type Socket } from 'node:net';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ServiceError } from '../../../server/service/ground/errors.ts';
import { type Closing, openConnections } from '../../../server/service/http/connections.ts';
import type { Route, User } from '../../../server/service/http/route.ts';
import { ask, recordLog, route, sendRaw, serve } from '../../support/processes/http.ts';

const quick = { headers: 100, request: 200, check: 20, grace: 100 };

/** Node asks since version 24.9 whether a request is to be upgraded. */
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const asksWhatToUpgrade = major > 24 || (major === 24 && minor >= 9);

/** Creates a route that answers when the test opens it. */
function gate(part: Partial<Route>): {
  readonly route: Route;
  readonly open: () => void;
  readonly entered: () => number;
} {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  let entered = 0;
  const answer: Route['answer'] = async () => {
    entered++;
    await opened;
    return { data: 'done' };
  };
  return { route: route({ ...part, answer }), open: () => open(), entered: () => entered };
}

/** A stream that writes a line at once and ends when the service stops. */
const stream = route({
  path: '/stream',
  group: 'stream',
  access: 'user',
  answer: async ({ response, signal }) => {
    response.writeHead(200).write('first\n');
    signal.addEventListener('abort', () => response.end('last\n'));
    return { written: true };
  },
});

describe('requests of a group', () => {
  test('wait for each other, and are refused with an empty 429 if too many wait', async () => {
    const { route: slow, open, entered } = gate({});
    const server = await serve([slow, route({ path: '/probe', group: 'probe' })]);
    const statuses: number[] = [];
    const asked = Array.from({ length: 32 }, async () => {
      const answer = await ask(server);
      statuses.push(answer.status);
      return answer;
    });
    // Ten run and twenty wait.
    await expect.poll(() => statuses).toEqual([429, 429]);
    expect(entered()).toBe(10);
    expect((await ask(server, { path: '/probe' })).status).toBe(200);
    open();
    const answers = await Promise.all(asked);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(30);
    const refused = answers.find(({ status }) => status === 429);
    expect(refused).toMatchObject({ text: '', headers: { 'access-control-allow-origin': '*' } });
    expect(refused?.headers['content-type']).toBeUndefined();
  });

  test('make room when a client disconnects that has sent several at once', async () => {
    const server = await serve([stream], { maxStreams: 2 });
    const socket = connect(server.port, '127.0.0.1');
    socket.write('GET /stream HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(2));
    await new Promise((resolve) => socket.once('data', resolve));
    socket.destroy();
    const both = async (): Promise<readonly Socket[]> =>
      Promise.all([openStream(server.port), openStream(server.port)]).catch(() => []);
    await expect.poll(async () => (await both()).map((each) => each.destroy()).length).toBe(2);
  });

  test('make room when the client disconnects', async () => {
    const server = await serve([stream], { maxStreams: 1 });
    const first = await openStream(server.port);
    expect((await ask(server, { path: '/stream' })).status).toBe(429);
    first.destroy();
    const again = async (): Promise<Socket | undefined> => openStream(server.port).catch(() => undefined);
    await expect.poll(async () => (await again())?.destroy() !== undefined).toBe(true);
  });
});

describe('a connection', () => {
  test.each([
    ['no HTTP', 'hello\r\n\r\n', /^HTTP\/1.1 400 /],
    ['bytes', Buffer.from([0x16, 3, 1, 0, 200, 1, 0, 0]), /^HTTP\/1.1 400 /],
    ['too large headers', `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(70_000)}\r\n\r\n`, /^HTTP\/1.1 431 /],
    [
      'two lengths',
      'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
      /^HTTP\/1.1 400 /,
    ],
    ['half a request line', 'GET /thi', /^HTTP\/1.1 408 /],
    ['headers without end', 'GET /thing HTTP/1.1\r\nHost: a\r\nX: ', /^HTTP\/1.1 408 /],
    [
      'a body without end',
      'POST /post HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{',
      /^HTTP\/1.1 408 /,
    ],
  ])('with %s is answered and closed, and the server continues', async (_, bytes, answer) => {
    const server = await serve([route({}), route({ method: 'POST', path: '/post', body: 'json' })], {
      timeouts: quick,
    });
    expect(await sendRaw(server, bytes)).toMatch(answer);
    expect((await ask(server)).status).toBe(200);
  });

  test('with any bytes does not end the server, and gets at most a refusal', async () => {
    const server = await serve([route({})], { timeouts: quick });
    const bytes = fc.oneof(
      fc.uint8Array({ minLength: 1, maxLength: 200, size: 'max' }),
      fc
        .string({ maxLength: 50 })
        .map((text) =>
          Buffer.from(`GET /${text} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${text}\r\n\r\n`),
        ),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(bytes, { minLength: 50, maxLength: 50 }), async (many) => {
        const answers = await Promise.all(many.map((each) => sendRaw(server, Buffer.from(each))));
        for (const answer of answers) expect(answer).toMatch(/^(HTTP\/1.1 4\d\d |$)/);
      }),
      { seed: 7, numRuns: 4 },
    );
    expect((await ask(server)).status).toBe(200);
  });

  test('that is lost within a body is not logged as an error', async () => {
    const log = recordLog();
    const server = await serve([route({ method: 'POST', body: 'json' })], {}, log);
    const socket = connect(server.port, '127.0.0.1');
    socket.write(
      'POST /thing HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{',
    );
    await new Promise((resolve) => socket.once('connect', resolve));
    socket.destroy();
    await expect
      .poll(() => log.lines.map(({ level, facts }) => [level, facts.status]))
      .toEqual([['info', 499]]);
  });

  test('that is lost costs no stack for each of its requests', async () => {
    const errors: Error[] = [];
    let entered = 0;
    const waiting = route({
      answer: async ({ response }) => {
        response.req.once('error', (error) => errors.push(error));
        entered += 1;
        return new Promise(() => {});
      },
    });
    const usual = Error.stackTraceLimit;
    const server = await serve([waiting], { timeouts: quick });
    const socket = connect(server.port, '127.0.0.1');
    socket.write('GET /thing HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n');
    await expect.poll(() => entered).toBe(1);
    socket.destroy();
    await expect.poll(() => errors.map(({ stack }) => stack)).toEqual(['Error: aborted']);
    expect(Error.stackTraceLimit).toBe(usual);
  });

  test('that asks for a WebSocket is handed over, with a signal for the shutdown', async () => {
    let stopping: AbortSignal | undefined;
    const server = await serve([], {
      onUpgrade: (_, socket, __, { stopping: signal }) => {
        stopping = signal;
        socket.end('HTTP/1.1 101 Switching Protocols\r\n\r\n');
      },
    });
    const upgrade =
      'GET /sync/stream HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n';
    expect(await sendRaw(server, upgrade)).toMatch(/^HTTP\/1.1 101 /);
    await server.stop();
    expect(stopping?.aborted).toBe(true);
  });

  test.runIf(asksWhatToUpgrade)('that only offers HTTP/2 is answered without an upgrade', async () => {
    const server = await serve([route({ method: 'POST', body: 'json' })], {
      onUpgrade: () => expect.unreachable(),
    });
    const headers = {
      connection: 'Upgrade, HTTP2-Settings',
      upgrade: 'h2c',
      'http2-settings': 'AAMAAABkAAQAAP__',
      'content-type': 'application/json',
    };
    const answer = await ask(server, { method: 'POST', headers, body: '{"a":1}' });
    expect(answer).toMatchObject({ status: 200, json: { data: { parameters: { a: 1 } } } });
  });

  test('still works after requests with bodies that arrived all at once', async () => {
    const server = await serve([route({ method: 'POST', body: 'json' })]);
    const request = (body: string) =>
      `POST /thing HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    const socket = connect(server.port, '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    let got = '';
    socket.on('data', (chunk) => {
      got += chunk;
    });
    const answers = () => got.match(/HTTP\/1.1 200 /g)?.length;
    socket.write(request('{}').repeat(20));
    await expect.poll(answers).toBe(20);
    socket.write(request(`${' '.repeat(300_000)}{}`) + request('{}'));
    await expect.poll(answers).toBe(22);
    socket.write(request('{}'));
    await expect.poll(answers).toBe(23);
  });

  test('that asks for a WebSocket gets 404 if the server has none', async () => {
    const server = await serve([]);
    const upgrade = 'GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n';
    expect(await sendRaw(server, upgrade)).toMatch(/^HTTP\/1.1 404 /);
  });
});

describe('the shutdown', () => {
  test('refuses new streams while existing ones continue', async () => {
    const server = await serve([stream, route({})]);
    const running = await openStream(server.port);
    server.refuseStreams();
    expect(await ask(server, { path: '/stream' })).toMatchObject({
      status: 503,
      json: { error: { code: 'SVC_S2003' } },
    });
    expect((await ask(server)).status).toBe(200);
    running.destroy();
  });

  test('ends streams, lets an answer finish, and can be requested twice', async () => {
    const { route: slow, open, entered } = gate({});
    const server = await serve([stream, slow]);
    const running = ask(server, { path: '/stream' });
    const answering = ask(server, { headers: { connection: 'keep-alive' } });
    await expect.poll(entered).toBe(1);
    const stopped = [server.stop(), server.stop()];
    expect((await running).text).toBe('first\nlast\n');
    open();
    expect((await answering).text).toBe('{"data":"done"}');
    await Promise.all(stopped);
    // The server of another test may have the port by now. An answer then comes from that server.
    await ask(server).catch(() => undefined);
    expect(entered()).toBe(1);
  });

  test('does not wait forever for answers that never come', async () => {
    const { route: stuck, entered } = gate({});
    const server = await serve([stuck], { timeouts: quick });
    const asked = ask(server);
    const failed = expect(asked).rejects.toThrow();
    await expect.poll(entered).toBe(1);
    await server.stop();
    await failed;
  });
});

describe('a server that cannot listen says why', () => {
  test('when the port is taken', async () => {
    const { port } = await serve([]);
    await expect(serve([], { port })).rejects.toMatchObject({
      code: 'SVC_S3201',
      message: `Port ${port} on 127.0.0.1 is taken by another program. Stop that one, or choose another \`port\`.`,
    });
  });

  test('when the address is not of this machine', async () => {
    await expect(serve([], { host: '192.0.2.1' })).rejects.toThrow('This machine has no address 192.0.2.1.');
  });
});

test('a started and stopped server leaves nothing behind', async () => {
  const before = process.getActiveResourcesInfo().filter((name) => name.startsWith('TCP')).length;
  for (let round = 0; round < 50; round++) {
    const server = await serve([route({})]);
    await ask(server);
    await server.stop();
  }
  const after = () => process.getActiveResourcesInfo().filter((name) => name.startsWith('TCP')).length;
  await expect.poll(after).toBeLessThanOrEqual(before);
});

test.each([
  ['over separate sockets', 30, 1],
  ['over one socket', 1, 30],
])('a probe does not wait for all requests that arrive at the same time, %s', async (_, sockets, each) => {
  const done: string[] = [];
  const record = (name: string, milliseconds: number) => async () => {
    const end = performance.now() + milliseconds;
    while (performance.now() < end);
    done.push(name);
    return { data: name };
  };
  const server = await serve([
    route({ answer: record('other', 5) }),
    route({ path: '/probe', group: 'probe', answer: record('probe', 0) }),
  ]);
  const request = (path: string) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`;
  const all = Array.from({ length: sockets + 1 }, () => connect(server.port, '127.0.0.1'));
  onTestFinished(() => {
    for (const socket of all) socket.destroy();
  });
  // Makes sure that the server has accepted each socket.
  await Promise.all(
    all.map((socket) => {
      socket.write(request('/probe'));
      return new Promise((resolve) => socket.once('data', resolve));
    }),
  );
  done.length = 0;
  for (const socket of all.slice(0, -1)) socket.write(request('/thing').repeat(each));
  all.at(-1)?.write(request('/probe'));
  await expect.poll(() => done.length).toBe(31);
  expect(done.indexOf('probe')).toBeLessThan(10);
});

test('a probe does not wait until all earlier requests are served', async () => {
  let begun = 0;
  const answer: Route['answer'] = async () => {
    begun += 1;
    return { data: 'done' };
  };
  let begunBefore: number | undefined;
  const probe: Route['answer'] = async () => {
    begunBefore = begun;
    return { data: 'well' };
  };
  const server = await serve([
    route({ access: 'user', group: 'checkpointing', answer }),
    route({ path: '/probe', group: 'probe', answer: probe }),
  ]);
  // All requests wait in the system's queue before the first is accepted, and the probe is the last of them.
  const others = Array.from({ length: 100 }, () => ask(server));
  await ask(server, { path: '/probe' });
  expect(begunBefore).toBeLessThan(60);
  await Promise.all(others);
  expect(begun).toBe(100);
});

test('a probe at a port of its own does not wait behind connections to another port', async () => {
  const connections = openConnections();
  const crowded = await serve([route({})], { connections });
  let acceptedBefore: number | undefined;
  const probe: Route['answer'] = async () => {
    acceptedBefore = connections.guests;
    return { data: 'well' };
  };
  const quiet = await serve([route({ path: '/probe', group: 'probe', answer: probe })]);
  // All connections wait in the system's queue before the first is accepted.
  const crowd = Array.from({ length: 300 }, () => connect(crowded.port, '127.0.0.1'));
  onTestFinished(() => {
    for (const socket of crowd) socket.destroy();
  });
  await ask(quiet, { path: '/probe' });
  expect(acceptedBefore).toBeLessThan(100);
  await expect.poll(() => connections.guests).toBe(300);
});

test('very many requests at the same time do not displace each other', async () => {
  const things = route({ access: 'user', group: 'checkpointing' });
  const server = await serve([things], { connections: openConnections({ guestPlaces: 20 }) });
  const answers = await Promise.all(Array.from({ length: 100 }, () => ask(server)));
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 100 }, () => 200));
});

describe('a client that sends requests and reads no answers', () => {
  const thing = 'GET /thing HTTP/1.1\r\nHost: a\r\n\r\n';
  const slow = 'GET /slow HTTP/1.1\r\nHost: a\r\n\r\n';
  const chunks = '1\r\n \r\n'.repeat(5_000);
  const post = (authorization: string) =>
    `POST /post HTTP/1.1\r\nHost: a\r\n${authorization}Content-Type: application/json\r\n`;
  test.each([
    ['requests', thing.repeat(5_000)],
    ['requests for a path that does not exist', 'GET /no HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(5_000)],
    [
      'requests with large headers, behind one that is not answered yet',
      slow + thing.replace('Host', `X: ${'x'.repeat(30_000)}\r\nHost`).repeat(3),
    ],
    ['requests with a token', thing.replace('Host', 'Authorization: Bearer good\r\nHost').repeat(5_000)],
    ['tiny chunks', `${post('')}Transfer-Encoding: chunked\r\n\r\n${chunks}`],
    [
      'tiny chunks with a token',
      `${post('Authorization: good\r\n')}Transfer-Encoding: chunked\r\n\r\n${chunks}`,
    ],
  ])('is cut off when it exceeds its budget, and others are served: %s', async (_, bytes) => {
    const closings: Closing[] = [];
    const connections = openConnections({ onClosing: (closing) => closings.push(closing) });
    const user = async (authorization?: string): Promise<User> => {
      if (authorization === undefined) throw new ServiceError('SVC_S2106');
      return { id: 'ada', claims: '{}', expiresAt: 0 };
    };
    const server = await serve(
      [
        route({}),
        route({ path: '/slow', answer: () => new Promise(() => {}) }),
        route({ method: 'POST', path: '/post', body: 'json', access: 'user' }),
      ],
      { connections, access: { admin: () => {}, user } },
    );
    const socket = connect(server.port, '127.0.0.1').on('error', () => {});
    onTestFinished(() => void socket.destroy());
    socket.pause();
    socket.write(bytes);
    await expect.poll(() => closings).toEqual(['over budget']);
    expect((await ask(server)).status).toBe(200);
  });
});

/** Opens a stream. Resolves when its first line arrives; rejects if the stream is refused. */
function openStream(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write('GET /stream HTTP/1.1\r\nHost: a\r\n\r\n'));
    let got = '';
    socket.on('data', (chunk) => {
      got += chunk;
      if (got.includes('first')) resolve(socket);
      else if (got.includes('429')) reject(new Error('429'));
    });
    socket.on('error', reject);
  });
}
