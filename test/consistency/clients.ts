/** Clients that sync over HTTP, lose their connection, and connect again with the positions that they have reached. */
import type { Observations } from './check.ts';
import { type Line, openReplica } from './replica.ts';

export interface Client {
  readonly name: string;
  readonly user: string;
  /** Breaks the connection off, as a failing network does. */
  drop(): void;
  /** The version that the client shows. */
  version(): number | undefined;
  rows(): ReadonlyMap<string, string>;
  /** The latest write checkpoint that the client has received. */
  writeCheckpoint(): bigint | undefined;
  readonly stopped: Promise<void>;
}

export interface ClientSettings {
  readonly name: string;
  readonly user: string;
  readonly url: () => string;
  readonly token: () => Promise<string>;
  readonly observe: Observations['add'];
  readonly violate: (sentence: string) => void;
  readonly stop: AbortSignal;
}

/** Milliseconds until a client that lost its connection connects again. */
const retry = 100;

export function startClient(settings: ClientSettings): Client {
  const { name, user, stop } = settings;
  const replica = openReplica();
  let connection = new AbortController();
  stop.addEventListener('abort', () => connection.abort());
  const version = () => versionIn(replica.rows);
  const take = (line: Line): void => {
    if (replica.apply(line) === 'more') return;
    settings.observe({ client: name, user, version: version(), rows: replica.rows });
  };
  const stopped = (async () => {
    while (!stop.aborted) {
      connection = new AbortController();
      try {
        const body = {
          buckets: replica.positions(),
          raw_data: true,
          client_id: name,
          include_checksum: true,
        };
        for await (const line of linesOf(settings.url(), await settings.token(), body, connection.signal))
          take(line);
      } catch (error) {
        if (isViolation(error)) settings.violate(`${name}: ${(error as Error).message}`);
      }
      if (!stop.aborted) await new Promise((resolve) => setTimeout(resolve, retry));
    }
  })();
  return {
    name,
    user,
    version,
    rows: () => replica.rows,
    writeCheckpoint: () => replica.writeCheckpoint,
    drop: () => connection.abort(),
    stopped,
  };
}

/** Whether an error is a mistake of the service. Errors of the connection are not, because the faults cause them. */
function isViolation(error: unknown): boolean {
  const { name, cause } = error as { name?: string; cause?: unknown };
  return name === 'Error' && cause === undefined;
}

export function versionIn(rows: ReadonlyMap<string, string>): number | undefined {
  const text = rows.get('version/v');
  return text === undefined ? undefined : Number(/"n",(\d+)/.exec(text)?.[1]);
}

async function* linesOf(url: string, token: string, body: unknown, signal: AbortSignal): AsyncIterable<Line> {
  const response = await fetch(`${url}/sync/stream`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/x-ndjson',
    },
    body: JSON.stringify(body),
    signal,
  });
  if (response.status === 401 || response.status === 400)
    throw new Error(`${response.status}: ${await response.text()}`);
  if (!response.ok || response.body === null) return;
  let rest = '';
  for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line !== '') yield JSON.parse(line) as Line;
  }
}
