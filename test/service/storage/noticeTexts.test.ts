import { describe, expect, it } from 'vitest';
import { firstPosition, type LogPosition } from '../../../server/service/ground/logPosition.ts';
import { openMessageReader, writeMessage } from '../../../server/service/storage/postgres/noticeTexts.ts';
import type { Notice } from '../../../server/service/storage/storage.ts';

const names = (prefix: string, count: number) =>
  new Set(Array.from({ length: count }, (_, n) => `${prefix} ${n} "ü" ${'x'.repeat(n % 90)}`));
const notice = (buckets: number, lookups: number): Notice => ({
  deployment: 3,
  checkpoint: { opId: 7, position: firstPosition as LogPosition },
  changed: { buckets: names('bucket', buckets), lookups: names('lookup', lookups) },
  activated: { revision: 2 },
});
const { changed: _, ...unknown } = notice(0, 0);

function received(texts: ReturnType<typeof writeMessage>, reader = openMessageReader('reader')) {
  for (const part of texts.parts) reader.takePart(part);
  return reader.take(texts.last);
}

describe('notices between processes', () => {
  it.each([
    [0, 0],
    [1, 1],
    [60, 3],
    [900, 0],
    [0, 900],
    [1_976, 0],
    [9_000, 5_000],
  ])('name all %i buckets and %i lookups in texts that PostgreSQL accepts', (buckets, lookups) => {
    const texts = writeMessage('writer', notice(buckets, lookups));
    for (const text of [...texts.parts, texts.last]) expect(Buffer.byteLength(text)).toBeLessThan(8_000);
    expect(received(texts)).toEqual(notice(buckets, lookups));
  });

  it('name nothing if the names would be too long', () => {
    const texts = writeMessage('writer', notice(60_000, 0));
    expect(texts.parts).toEqual([]);
    expect(received(texts)).toEqual(unknown);
    const long = {
      ...unknown,
      changed: { buckets: new Set(['x'.repeat(9_000)]), lookups: new Set<string>() },
    };
    expect(received(writeMessage('writer', long))).toEqual(unknown);
  });

  it('name nothing to a reader that misses a part, or has parts of another notice', () => {
    const [one, other] = [writeMessage('writer', notice(900, 0)), writeMessage('writer', notice(900, 0))];
    expect(one.parts.length).toBeGreaterThan(2);
    for (const parts of [[], one.parts.slice(1), one.parts.slice(0, -1), other.parts])
      expect(received({ parts, last: one.last })).toEqual(unknown);
    expect(received({ parts: [...other.parts.slice(0, 2), ...one.parts], last: one.last })).toEqual(
      notice(900, 0),
    );
  });

  it('end with their message, so the next notice has none of their parts', () => {
    const reader = openMessageReader('reader');
    const texts = writeMessage('writer', notice(900, 0));
    for (const part of texts.parts) reader.takePart(part);
    expect(reader.take(writeMessage('writer', unknown).last)).toEqual(unknown);
    expect(reader.take(texts.last)).toEqual(unknown);
  });

  it('are ignored by their own process, as are other messages', () => {
    const own = openMessageReader('writer');
    expect(received(writeMessage('writer', notice(900, 0)), own)).toBeUndefined();
    for (const text of ['', '5', 'null', '"x"', '{']) {
      own.takePart(text);
      expect(own.take(text)).toBeUndefined();
    }
  });

  it('show a process of an earlier version, which does not read parts, that something has changed', () => {
    const { last } = writeMessage('writer', notice(900, 0));
    expect(JSON.parse(last)).not.toHaveProperty('buckets');
  });
});
