import { expect, test } from 'vitest';
import { type Encoding, encodingFor } from '../../../server/service/http/compression.ts';

test.each<[string | undefined, Encoding]>([
  [undefined, 'identity'],
  ['', 'identity'],
  ['identity', 'identity'],
  ['gzip', 'gzip'],
  ['zstd', 'zstd'],
  ['gzip, zstd', 'gzip'],
  ['GZIP', 'gzip'],
  ['gzip;q=1, zstd;q=0.5', 'gzip'],
  ['gzip;q=0.001', 'gzip'],
  ['gzip;q=0', 'identity'],
  ['br, deflate', 'identity'],
  ['*', 'gzip'],
  ['*;q=0', 'identity'],
  ['gzip;q=0, *', 'zstd'],
  ['identity;q=0, gzip;q=0.1', 'gzip'],
  ['gzip;q=x', 'identity'],
])('for Accept-Encoding %j, the encoding is %s', (header, encoding) => {
  expect(encodingFor(header)).toBe(encoding);
});
