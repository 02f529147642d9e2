/** The compression of a sync stream's body, by what the client can read. */
import { createZstdCompress } from 'node:zlib';

export type Encoding = 'zstd' | 'gzip' | 'identity';

/**
 * Known encodings, in order of preference at equal quality. zstd takes a quarter of the processor time per byte, and fewer
 * bytes, but does all of the work, and takes 48 KB, for each client. Blocks compressed with gzip are shared by all clients, and
 * a waiting client keeps nothing. Node has zstd since 22.15.
 */
const known: readonly Encoding[] =
  typeof createZstdCompress === 'function' ? ['gzip', 'zstd', 'identity'] : ['gzip', 'identity'];

/** Returns the encoding that an `Accept-Encoding` header asks for. If it names no known encoding, the text is sent as it is. */
export function encodingFor(header: string | undefined): Encoding {
  if (!header) return 'identity';
  const qualities = new Map(header.split(',').map(readChoice));
  const qualityOf = (encoding: Encoding): number => {
    // Not named, the text as it is is the last resort, unless `*` says something of it.
    const rest =
      encoding === 'identity' ? (qualities.get('*') ?? Number.MIN_VALUE) : (qualities.get('*') ?? 0);
    return qualities.get(encoding) ?? rest;
  };
  const best = Math.max(...known.map(qualityOf));
  return known.find((encoding) => best > 0 && qualityOf(encoding) === best) ?? 'identity';
}

function readChoice(part: string): [string, number] {
  const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
  const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
  return [name, quality === undefined ? 1 : Number(quality) || 0];
}
