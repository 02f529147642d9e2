/** Simulates the reference service with its recorded answers. All paths that were not recorded are unknown to it. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { textOf } from './foreignService.ts';

interface Recording {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** The lines of a stream. */
  readonly lines?: readonly string[];
}

const { answers } = JSON.parse(
  readFileSync(new URL('../../fixtures/recordings/console.json', import.meta.url), 'utf8'),
) as { readonly answers: Readonly<Record<string, Recording>> };

/** The name of the recording that answers each kind of request. */
interface Playlist {
  diagnostics: string;
  sql: string;
  reprocess: string;
  stream: string;
}

export interface RecordedService {
  readonly url: string;
  readonly played: Playlist;
  /** The received requests in their order, as `METHOD path`. */
  readonly requests: string[];
  /** The delay before each answer, in milliseconds. */
  delay: number;
  /** The sync config that was active when the answers were recorded. */
  readonly config: string;
  /** Whether the service accepts the admin token. */
  accepts: boolean;
  stop(): Promise<void>;
  /** Starts the service again at the same address. */
  start(): Promise<void>;
}

export const recordedToken = 'peer-api-token';

/** @param port the port to listen on, or 0 for any free port */
export async function openRecordedService(port = 0): Promise<RecordedService> {
  const played: Playlist = {
    diagnostics: 'diagnostics active',
    sql: 'sql refused',
    reprocess: 'reprocess',
    stream: 'stream at the end of its token',
  };
  const requests: string[] = [];
  let server: Server | undefined;
  let at = port;
  const service: RecordedService = {
    get url() {
      return `http://127.0.0.1:${at}`;
    },
    played,
    requests,
    delay: 0,
    accepts: true,
    config: contentIn(recorded('diagnostics active')),
    async start() {
      server = createServer(async (request, response) => {
        requests.push(`${request.method} ${request.url}`);
        const body = await textOf(request);
        const name = nameFor(`${request.method} ${request.url}`, request.headers.authorization);
        const had = name === played.stream ? bucketsIn(body) : new Set<string>();
        setTimeout(() => play(recorded(name), response, had), service.delay);
      });
      server.listen(at, '127.0.0.1');
      await once(server, 'listening');
      at = (server.address() as AddressInfo).port;
    },
    async stop() {
      server?.closeAllConnections();
      server?.close();
      if (server) await once(server, 'close');
      server = undefined;
    },
  };
  const nameFor = (asked: string, authorization: string | undefined): string => {
    const isAdmin = service.accepts && authorization === `Bearer ${recordedToken}`;
    switch (asked) {
      case 'POST /api/admin/v1/diagnostics':
        return isAdmin ? played.diagnostics : 'refused token';
      case 'POST /api/admin/v1/execute-sql':
        return isAdmin ? played.sql : 'refused token';
      case 'POST /api/admin/v1/reprocess':
        return isAdmin ? played.reprocess : 'refused token';
      case 'POST /sync/stream':
        return played.stream;
      default:
        return 'unknown path';
    }
  };
  await service.start();
  return service;
}

function recorded(name: string): Recording {
  const found = answers[name];
  if (found === undefined) throw new Error(`Nothing was recorded of ${name}.`);
  return found;
}

function contentIn({ body }: Recording): string {
  const { data } = body as { readonly data: { readonly active_sync_rules: { readonly content: string } } };
  return data.active_sync_rules.content;
}

/** Returns the buckets that the client already has. */
function bucketsIn(body: string): ReadonlySet<string> {
  const { buckets = [] } = JSON.parse(body === '' ? '{}' : body) as {
    readonly buckets?: readonly { readonly name: string }[];
  };
  return new Set(buckets.map(({ name }) => name));
}

/** Sends a recording. If it is a stream that ended when its token expired, it also ends here. Any other stream stays open. */
function play(
  { status, headers, body, lines }: Recording,
  response: ServerResponse,
  had: ReadonlySet<string>,
): void {
  response.writeHead(status, headers);
  if (lines === undefined) {
    response.end(JSON.stringify(body));
    return;
  }
  for (const line of lines) {
    const { data } = JSON.parse(line) as { readonly data?: { readonly bucket: string } };
    if (data === undefined || !had.has(data.bucket)) response.write(`${line}\n`);
  }
  if (lines.at(-1) === '{"token_expires_in":0}') response.end();
}
