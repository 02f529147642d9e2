import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readRecord, recordName, urlOf } from '../../../client/local/record.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'headwater-record-'));
});

afterEach(() => rmSync(folder, { recursive: true }));

test('the URL of a record is on this machine', () => {
  const record = { state: 'ready', keeper: 7, port: 8080 } as const;
  writeFileSync(join(folder, recordName), JSON.stringify(record));
  expect(readRecord(folder)).toEqual(record);
  expect(urlOf(record)).toBe('http://127.0.0.1:8080');
});

test.each([
  { state: 'ready', keeper: 7, url: 'http://attacker.example' },
  { state: 'ready', keeper: 7, url: 'http://127.0.0.1:8080@attacker.example' },
  { state: 'ready', keeper: 7, port: '8080@attacker.example' },
  { state: 'ready', keeper: 7, port: 0 },
  { state: 'ready', keeper: 7, port: 65_536 },
  { state: 'ready', keeper: 7, port: 80.5 },
  { state: 'ready', keeper: 'x', port: 8080 },
])('$0 is not a record', (record) => {
  writeFileSync(join(folder, recordName), JSON.stringify(record));
  expect(readRecord(folder)).toBeUndefined();
});

test('a URL in a record is ignored', () => {
  const record = { state: 'ready', keeper: 7, port: 8080, url: 'http://attacker.example' };
  writeFileSync(join(folder, recordName), JSON.stringify(record));
  const read = readRecord(folder);
  expect(read?.state === 'ready' && urlOf(read)).toBe('http://127.0.0.1:8080');
});
