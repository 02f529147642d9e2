import { randomBytes } from 'node:crypto';
import { createServer, get, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Readable } from 'node:stream';
import { createGunzip, createZstdDecompress } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import { blockOf } from '../../../server/service/http/block.ts';
import { type Encoding, type StreamBody, streamBody } from '../../../server/service/http/compression.ts';

describe.each<Encoding>(['zstd', 'gzip', 'identity'])('a body as %s', (encoding) => {
  test('reaches the client with every write, not only at its end', async () => {
    const { body, received, text } = await stream(encoding);
    await body.write(block('first\n'));
    await expect.poll(text).toBe('first\n');
    await body.write(block('second\n'));
    await expect.poll(text).toBe('first\nsecond\n');
    body.end();
    expect(await received).toBe('first\nsecond\n');
  });

  test('says how many bytes went out', async () => {
    const { body, received, sent } = await stream(encoding);
    for (let i = 0; i < 100; i++) await body.write(block('the same text again and again, '.repeat(100)));
    body.end();
    const { length } = await received;
    expect(length).toBe(310_000);
    if (encoding === 'identity') expect(sent()).toBe(length);
    else expect(sent()).toBeLessThan(length / 10);
  });

  test('waits for a client that reads slowly, and ends with one that goes', async () => {
    const { body, response, incoming } = await stream(encoding, 'paused');
    // Cannot be compressed: little of it fills what is between the two.
    const noise = randomBytes(256 * 1024);
    let writes = 0;
    const writing = (async () => {
      while (!response.destroyed && writes < 10_000) {
        await body.write(blockOf([noise]));
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
    incoming.destroy();
    await writing;
    expect(writes).toBeLessThan(10_000);
    await body.write(block('lost'));
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
    response.writeHead(200);
    response.flushHeaders();
    const body = streamBody(response, encoding, (bytes) => {
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
  const incoming = await new Promise<Readable>((resolve) => get({ port, host: '127.0.0.1' }, resolve));
  incoming.on('error', () => {});
  const decoders = { zstd: createZstdDecompress, gzip: createGunzip, identity: undefined };
  const decoder = decoders[encoding]?.();
  const received = later<string>();
  if (reading === 'flowing') {
    const output = decoder === undefined ? incoming : incoming.pipe(decoder);
    output.on('data', (chunk) => {
      text += chunk;
    });
    output.on('end', () => received.resolve(text));
  }
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
