import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { root } from '../../../../scripts/root.ts';
import {
  type Cluster,
  emptyClusterPath,
  packCluster,
  readCluster,
} from '../../../../server/service/replication/embedded/database/clusterFile.ts';
import {
  newIdentifier,
  withIdentifier,
} from '../../../../server/service/replication/embedded/database/clusterIdentifier.ts';

const withHead = (packed: Uint8Array): Buffer => Buffer.concat([Buffer.from('// Head\n'), packed]);
const file = (path: string, bytes: readonly number[]) => ({ path, content: Uint8Array.from(bytes) });

test('a cluster is read as it was packed', () => {
  const cluster: Cluster = {
    folders: ['base', 'base/1', 'pg_stat'],
    files: [
      file('PG_VERSION', [49, 56, 10]),
      file('base/1/empty', []),
      file('base/1/zeros', [0, 0, 0, 0]),
      file('base/1/fewer zeros', [0, 0]),
      file('base/1/padded', [0, 1, 10, 0, 2, 0, 0]),
      file('base/1/padded less', [0, 1, 10, 0, 2, 0]),
    ],
  };
  const { folders, files } = readCluster(withHead(packCluster(cluster)));
  expect({ folders, files: files.map(({ path, content }) => file(path, [...content])) }).toEqual(cluster);
});

test('contents that files share are packed once', () => {
  const content = Uint8Array.from({ length: 5000 }, (_, at) => (at * 31) % 251);
  const packed = packCluster({ folders: [], files: ['a', 'b', 'c'].map((path) => ({ path, content })) });
  expect(brotliDecompressSync(packed).length).toBeLessThan(2 * content.length);
});

const contentIn = (cluster: Cluster, path: RegExp): Uint8Array => {
  const [{ content } = { content: new Uint8Array() }] = cluster.files.filter((one) => path.test(one.path));
  return content;
};

test('the empty cluster remains what PostgreSQL has written when it gets the identifier that it has', () => {
  const cluster = readCluster(readFileSync(join(root, emptyClusterPath)));
  const identifier = Buffer.from(contentIn(cluster, /pg_control$/)).readBigUInt64LE(0);
  for (const { path, content } of cluster.files)
    expect(Buffer.compare(withIdentifier(path, content, identifier), content), path).toBe(0);
  // The files that exist in both places.
  const changed = cluster.files.filter(
    ({ path, content }) => Buffer.compare(withIdentifier(path, content, identifier + 1n), content) !== 0,
  );
  expect(changed.map(({ path }) => path)).toEqual([
    'global/pg_control',
    expect.stringMatching(/^pg_wal\/[0-9A-F]{24}$/),
  ]);
});

test('an identifier begins with the second in which it was drawn', () => {
  const identifier = newIdentifier(1_800_000_000_999, Uint8Array.of(1, 0, 0, 0x80));
  expect(identifier).toBe((1_800_000_000n << 32n) + 0x80000001n);
  expect(identifier).toBeLessThan(2n ** 63n);
});
