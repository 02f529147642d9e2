import { randomBytes } from 'node:crypto';
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createGunzip, createZstdDecompress } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import { blockOf } from '../../../server/service/http/block.ts';
import type { Encoding } from '../../../server/service/http/compression.ts';
import { type StreamBody, streamBody } from '../../../server/service/http/streamBody.ts';

describe.each<Encoding>(['zstd', 'gzip', 'identity'])('a body as %s', (encoding) => {
  test('reaches the client at every write, not only at the end of the body', async () => {
    const { body, received, text } = await stream(encoding);
    await body.send(block('first\n'));
    await expect.poll(text).toBe('first\n');
    await body.send(block('second\n'));
    await expect.poll(text).toBe('first\nsecond\n');
    body.end();
    expect(await received).toBe('first\nsecond\n');
  });

  test('keeps the order of blocks of any size, even if they are sent at once', async () => {
    const { body, received } = await stream(encoding);
    const texts = Array.from({ length: 60 }, (_, n) => `${n} ${'x'.repeat(n % 7 === 0 ? 200_000 : n)}\n`);
    for (const text of texts) void body.send(block(text));
    body.end();
    expect(await received).toBe(texts.join(''));
  });

  test('may end without any block', async () => {
    const { body, received, incoming } = await stream(encoding);
    body.end();
    expect((await incoming).statusCode).toBe(200);
    expect(await received).toBe('');
  });

  test('reports how many bytes were sent', async () => {
    const { body, received, sent } = await stream(encoding);
    for (let i = 0; i < 100; i++) await body.send(block('the same text again and again, '.repeat(100)));
    body.end();
    const { length } = await received;
    expect(length).toBe(310_000);
    if (encoding === 'identity') expect(sent()).toBe(length);
    else expect(sent()).toBeLessThan(length / 10);
  });

  test('waits for a client that reads slowly, and stops waiting when the client disconnects', async () => {
    const { body, response, incoming } = await stream(encoding, 'paused');
    // Noise cannot be compressed, so a little of it fills the buffers between server and client.
    const noise = randomBytes(256 * 1024);
    let writes = 0;
    const writing = (async () => {
      while (!response.destroyed && writes < 10_000) {
        await body.send(blockOf([noise]));
        writes++;
      }
    })();
    let before = -1;
    await expect
      .poll(
        () => {
          const same = writes === before;
          before = writes;
          return same;
        },
        { interval: 100 },
      )
      .toBe(true);
    (await incoming).destroy();
    await writing;
    expect(writes).toBeLessThan(10_000);
    await body.send(block('lost'));
  });
});

function block(text: string) {
  return blockOf([Buffer.from(text)]);
}

async function stream(encoding: Encoding, reading: 'flowing' | 'paused' = 'flowing') {
  let sent = 0;
  let text = '';
  const serverSide = later<{ body: StreamBody; response: ServerResponse }>();
  const server = createServer((_, response) => {
    const body = streamBody(response, encoding, {}, (bytes) => {
      sent += bytes;
    });
    serverSide.resolve({ body, response });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  // The server sends the head of the answer together with the first block.
  const incoming = new Promise<IncomingMessage>((resolve) => get({ port, host: '127.0.0.1' }, resolve));
  const received = later<string>();
  void incoming.then((bytes) => {
    bytes.on('error', () => {});
    if (reading === 'paused') return;
    const decoders = { zstd: createZstdDecompress, gzip: createGunzip, identity: undefined };
    const decoder = decoders[encoding]?.();
    const output = decoder === undefined ? bytes : bytes.pipe(decoder);
    output.on('data', (chunk) => {
      text += chunk;
    });
    output.on('end', () => received.resolve(text));
  });
  return {
    ...(await serverSide.promise),
    incoming,
    received: received.promise,
    text: () => text,
    sent: () => sent,
  };
}

function later<T>(): { readonly promise: Promise<T>; readonly resolve: (value: T) => void } {
  let resolve = (_: T): void => {};
  const promise = new Promise<T>((go) => {
    resolve = go;
  });
  return { promise, resolve: (value) => resolve(value) };
}
