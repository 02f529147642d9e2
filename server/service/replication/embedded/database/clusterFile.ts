/**
 * The file with the empty cluster. Its first line is for `scripts/generate.ts`. Everything after it is compressed with Brotli: a
 * table as one line of JSON, then the contents. Most files have the same content as another file, because PostgreSQL's databases
 * begin as copies of each other, so each content is stored once.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';

/** Paths are relative to the cluster, with `/` as separator. */
export interface Cluster {
  /** Each folder follows the folder that contains it. */
  readonly folders: readonly string[];
  readonly files: readonly ClusterFile[];
}

interface ClusterFile {
  readonly path: string;
  /** May share its memory with other files. */
  readonly content: Uint8Array;
}

interface Table {
  readonly folders: Cluster['folders'];
  readonly files: readonly {
    readonly path: string;
    /** The offset of the content after the table, in bytes. */
    readonly start: number;
    /** The length of the content without the zeros at its end, in bytes. */
    readonly length: number;
    /** The size of the file in bytes. */
    readonly size: number;
  }[];
}

const fileName = 'emptyCluster.generated.bin';

/** The path from the root of the project. */
export const emptyClusterPath = `server/service/replication/embedded/database/${fileName}`;

const lineEnd = '\n';

/** Returns everything after the first line of the file. */
export function packCluster({ folders, files }: Cluster): Uint8Array {
  const starts = new Map<string, number>();
  const contents: Uint8Array[] = [];
  let end = 0;
  const rows = files.map(({ path, content }) => {
    const used = content.subarray(0, content.findLastIndex((byte) => byte !== 0) + 1);
    const key = Buffer.from(used).toString('latin1');
    const start = starts.get(key) ?? end;
    if (start === end) {
      starts.set(key, start);
      contents.push(used);
      end += used.length;
    }
    return { path, start, length: used.length, size: content.length };
  });
  const table = JSON.stringify({ folders, files: rows } satisfies Table) + lineEnd;
  return brotliCompressSync(Buffer.concat([Buffer.from(table), ...contents]), {
    params: {
      // A higher quality would save 100 KB but take eight seconds.
      [constants.BROTLI_PARAM_QUALITY]: 9,
      [constants.BROTLI_PARAM_LGWIN]: 24,
      // PostgreSQL aligns rows to eight bytes, so most distances between repetitions are multiples of 2³.
      [constants.BROTLI_PARAM_NPOSTFIX]: 3,
    },
  });
}

export function readCluster(file: Buffer): Cluster {
  const bytes = brotliDecompressSync(file.subarray(file.indexOf(lineEnd) + 1));
  const tableEnd = bytes.indexOf(lineEnd) + 1;
  const { folders, files } = JSON.parse(bytes.toString('utf8', 0, tableEnd)) as Table;
  return {
    folders,
    files: files.map(({ path, start, length, size }) => {
      const used = bytes.subarray(tableEnd + start, tableEnd + start + length);
      return { path, content: length === size ? used : pad(used, size) };
    }),
  };
}

function pad(used: Uint8Array, size: number): Uint8Array {
  const content = new Uint8Array(size);
  content.set(used);
  return content;
}

export function readEmptyCluster(): Cluster {
  const bundled = join(import.meta.dirname, 'pglite', fileName);
  return readCluster(readFileSync(existsSync(bundled) ? bundled : join(import.meta.dirname, fileName)));
}
