import { expect, test } from 'vitest';
import type { Notice, OpChunk } from '../../../server/service/storage/storage.ts';
import { openChunks } from '../../../server/service/sync/chunks.ts';
import { jsonEncoder } from '../../../server/service/sync/encode/encoder.ts';
import { createManualClock } from '../../support/service/manualClock.ts';

const first = { bucket: 'a', after: 0, nextAfter: 5, checksums: 0, count: 1, texts: ['{"op_id":"5"}'] };

function open({ hasMore = false, isShared = true, bytes = 0 } = {}) {
  const clock = createManualClock();
  const reads: string[] = [];
  let notify = (_: Notice): void => {};
  const chunks = openChunks(
    () => ({
      read: async (at, from) => {
        reads.push(`${from.map(({ bucket, after }) => `${bucket} after ${after}`).join()} at ${at}`);
        const texts = [`"${'x'.repeat(bytes)}"`];
        return from.map(
          ({ bucket, after }) => ({ ...first, bucket, after, texts, hasMore }) as unknown as OpChunk,
        );
      },
    }),
    {
      watch: (listener) => {
        notify = listener;
        return () => {};
      },
    },
    { clock, isShared: () => isShared },
  );
  const read = async (at: number, { after = 0, bucket = 'a' } = {}) => {
    const before = reads.length;
    await chunks.read({ deployment: 1, at, from: [{ bucket, after }], encoder: jsonEncoder });
    return reads.length > before ? 'read' : 'kept';
  };
  return { clock, read, notify: (notice: Partial<Notice>) => notify(notice as Notice) };
}

test('A client gets the bytes that another client at the same position got', async () => {
  const { read } = open();
  expect([await read(9), await read(9)]).toEqual(['read', 'kept']);
  expect([await read(9, { after: 1 }), await read(9, { bucket: 'b' })]).toEqual(['read', 'read']);
});

test('The end of a bucket is read again for each checkpoint', async () => {
  const { read } = open();
  expect([await read(9), await read(10)]).toEqual(['read', 'read']);
});

test('Bytes before the end of a bucket are kept for all checkpoints that include them', async () => {
  const { read } = open({ hasMore: true });
  expect([await read(9), await read(10), await read(5), await read(4)]).toEqual([
    'read',
    'kept',
    'kept',
    'read',
  ]);
});

test('Nothing is kept if no other client can share the bytes', async () => {
  const { read } = open({ isShared: false });
  expect([await read(9), await read(9)]).toEqual(['read', 'read']);
});

test('Bytes are kept for five seconds', async () => {
  const { read, clock } = open();
  await read(9);
  await clock.advance(4_999);
  expect(await read(9)).toBe('kept');
  await clock.advance(1);
  expect(await read(9)).toBe('read');
});

test('An unknown change removes all kept bytes, and a known change removes none', async () => {
  const { read, notify } = open();
  await read(9);
  notify({ changed: { buckets: new Set(['a']), lookups: new Set() } });
  expect(await read(9)).toBe('kept');
  notify({});
  expect(await read(9)).toBe('read');
});

test('The oldest bytes are dropped if more than 8 MiB are kept', async () => {
  const { read } = open({ bytes: 3 * 2 ** 20 });
  for (const bucket of ['a', 'b', 'c']) await read(9, { bucket });
  expect([await read(9, { bucket: 'c' }), await read(9, { bucket: 'a' })]).toEqual(['kept', 'read']);
});

test('No timer runs after all kept bytes have expired', async () => {
  const { read, clock } = open();
  await read(9);
  expect(clock.sleeping()).toBe(1);
  await clock.advance(10_000);
  expect(clock.sleeping()).toBe(0);
});
