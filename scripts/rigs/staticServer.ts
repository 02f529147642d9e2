/** A web server on 127.0.0.1 for local files and for bodies that are created on request. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize, sep } from 'node:path';

interface StaticServer {
  readonly origin: string;
  stop(): Promise<void>;
}

export interface Body {
  readonly type: string;
  readonly body: string;
}

/** A folder or a single body. */
type Mount = string | Body;

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.mjs': 'text/javascript',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.ttf': 'font/ttf',
  '.wasm': 'application/wasm',
};

/** Headers that allow workers and extensions to be loaded across origins. */
const headers = {
  'access-control-allow-origin': '*',
  'access-control-allow-headers': '*',
  'cross-origin-resource-policy': 'cross-origin',
};

/**
 * Serves what `mounts` returns for the server's origin. A key that ends with a slash matches all paths below it, and any other key
 * matches only itself. The first match counts.
 */
export async function serveStatic(
  mounts: (origin: string) => Readonly<Record<string, Mount>>,
): Promise<StaticServer> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', origin);
    const found = request.method === 'OPTIONS' ? noBody : find(served, decodeURIComponent(pathname));
    if (found === undefined) response.writeHead(404, headers).end();
    else response.writeHead(200, { ...headers, 'content-type': found.type }).end(found.body);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  const origin = `http://127.0.0.1:${address.port}`;
  const served = mounts(origin);
  return {
    origin,
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

const noBody: Body = { type: 'text/plain', body: '' };

function find(
  mounts: Readonly<Record<string, Mount>>,
  path: string,
): Body | { type: string; body: Buffer } | undefined {
  for (const [place, mount] of Object.entries(mounts)) {
    if (typeof mount !== 'string') {
      if (path === place) return mount;
    } else if (path.startsWith(place)) {
      const body = readInside(mount, path.slice(place.length));
      if (body !== undefined) return { type: types[extname(path)] ?? 'application/octet-stream', body };
    }
  }
  return undefined;
}

function readInside(folder: string, path: string): Buffer | undefined {
  const file = normalize(join(folder, path));
  if (!file.startsWith(folder + sep)) return undefined;
  try {
    return readFileSync(file);
  } catch {
    // The file does not exist, or is a folder.
    return undefined;
  }
}
