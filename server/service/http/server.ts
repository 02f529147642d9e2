/** The HTTP server of a process: sockets, timeouts, and stopping. `dispatch.ts` answers the requests. */
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { listenAt } from '../ground/addresses.ts';
import { ServiceError } from '../ground/errors.ts';
import { openSlices, type Slices } from '../ground/slices.ts';
import { reportFailure } from '../ground/unattended.ts';
import type { World } from '../ground/world.ts';
import { closeCheaply } from './closeCheaply.ts';
import { type Connections, openConnections } from './connections.ts';
import { type Access, createDispatch, type Forward, onlyLoopback, type RequestLimits } from './dispatch.ts';
import { isAllowedOrigin, type Origins } from './origins.ts';
import { readInParts } from './parts.ts';
import { endWithError } from './reply.ts';
import type { Route } from './route.ts';

export interface ServerOptions extends RequestOptions {
  readonly host: string;
  /** The port. 0 means any free one. */
  readonly port: number;
  /** The config key for another port; absent: `port`. */
  readonly portKey?: string;
  /** Whether the port is only a default, so that another port may be used instead. */
  readonly isProposed?: boolean;
}

interface RequestOptions {
  readonly routes: readonly Route[];
  readonly access: Access;
  /** The maximum number of simultaneous sync streams over HTTP. */
  readonly maxStreams: number;
  /** Returns the number of HTTP streams in other processes of the service, which also count. Absent: there are none. */
  readonly streamsElsewhere?: () => number;
  /** Absent: `any`. */
  readonly origins?: Origins;
  /** Takes over the socket of a WebSocket request. Absent: such requests get 404. */
  readonly onUpgrade?: Upgrade;
  /** Forwards requests that match no route. Absent: such requests get 404. */
  readonly forward?: Forward;
  /** Called when a socket has sent a valid token. */
  readonly onAdmitted?: (socket: Duplex) => void;
  readonly timeouts?: Timeouts;
  /** All connections of the process; absent: only those of this server. */
  readonly connections?: Connections;
}

export type Upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer, door: UpgradeDoor) => void;

interface UpgradeDoor {
  /** Aborted when the service stops. */
  readonly stopping: AbortSignal;
  /** Reports that the holder's token is valid. */
  readonly admit: (holder: string) => void;
  /** Closes the socket because it exceeds a limit. */
  readonly refuse: () => void;
}

/** All times are in milliseconds. */
interface Timeouts {
  readonly headers: number;
  /** The time limit for headers and body together. */
  readonly request: number;
  /** The interval of checks for requests over the time limit. */
  readonly check: number;
  /** The time that `stop` waits for running answers. */
  readonly grace: number;
}

export interface RunningServer extends StoppableServer {
  /** The address for people: `http://127.0.0.1:8080`. */
  readonly url: string;
  readonly port: number;
}

/** A server that does not listen on a port. */
interface InnerServer extends StoppableServer {
  /** Answers the requests of this socket. */
  readonly take: (socket: Duplex) => void;
}

interface StoppableServer {
  /** Answers new streams with 503 from now on; running streams continue. */
  readonly refuseStreams: () => void;
  /** Ends streams, lets other answers finish and closes all sockets. May be called repeatedly. */
  readonly stop: () => Promise<void>;
}

/**
 * The maximum number of connections that the system queues until they are accepted, if its own limit (4,096 on Linux) allows it.
 * The system ignores further ones; their clients try again after one second, and then after two more.
 */
const mostQueued = 8_192;

/**
 * The number of answers that begin in one round. Most of the work of an answer, up to the first checkpoint, is done before the
 * next round.
 */
const answersAtOnce = 4;

const usual: Timeouts = { headers: 10_000, request: 60_000, check: 2_000, grace: 5_000 };

/** The maximum size of headers in bytes. Tokens of some identity providers are longer than Node's default of 16 KiB. */
const maxHeaderSize = 64 * 1024;

export async function startServer(
  options: ServerOptions,
  world: Pick<World, 'clock' | 'log'>,
): Promise<RunningServer> {
  const { server, ...stoppable } = openServer(options, world);
  await listen(server, options);
  server.on('error', (error) => reportFailure('Accepting connections', error));
  const { port } = server.address() as AddressInfo;
  return {
    ...stoppable,
    url: `http://${options.host.includes(':') ? `[${options.host}]` : options.host}:${port}`,
    port,
  };
}

export function openInnerServer(options: RequestOptions, world: Pick<World, 'clock' | 'log'>): InnerServer {
  const { server, ...stoppable } = openServer(options, world);
  return { ...stoppable, take: (socket) => void server.emit('connection', socket) };
}

function openServer(
  options: RequestOptions,
  world: Pick<World, 'clock' | 'log'>,
): StoppableServer & { readonly server: Server } {
  const timeouts = options.timeouts ?? usual;
  const stopping = new AbortController();
  const origins = options.origins ?? 'any';
  const { connections = openConnections() } = options;
  const slices = openSlices({ most: answersAtOnce });
  const parsing = openSlices();
  const dispatch = createDispatch({
    origins,
    connections: {
      beginStream: connections.beginStream,
      admit: (socket, holder) => {
        connections.admit(socket, holder);
        options.onAdmitted?.(socket);
      },
    },
    ...(options.forward && { forward: options.forward }),
    // A kept-alive socket would prevent the server from closing.
    onLeft: () => {
      if (stopping.signal.aborted) setImmediate(() => server.closeIdleConnections());
    },
    routes: options.routes,
    access: options.access,
    limits: limitsFor(options),
    slices,
    world,
  });
  stopping.signal.addEventListener('abort', dispatch.endCalls);
  const server = createServer(
    {
      maxHeaderSize,
      headersTimeout: timeouts.headers,
      requestTimeout: timeouts.request,
      connectionsCheckingInterval: timeouts.check,
      keepAliveTimeout: 72_000,
      noDelay: true,
      // Some clients offer HTTP/2 in this way, but their request is valid without it. Node before 24.9 does not call this
      // function.
      shouldUpgradeCallback: ({ headers }) => headers.upgrade?.toLowerCase() === 'websocket',
    },
    (request, response) => {
      if (!connections.begin(request, response)) return;
      // Node reads requests of all versions, and request lines without a version as version 0.9.
      if (request.httpVersionMajor !== 1) return endWithError(request.socket, noHttp);
      const answer = (): void => dispatch.answer(request, response);
      // Pipelined requests wait for the answer to the previous request.
      if (response.socket === null) response.once('socket', () => slices.add(answer));
      else answer();
    },
  );
  server.on('connection', (socket: Socket) => {
    for (const each of [slices, parsing]) each.giveWay(connections.mostWaiting);
    connections.add(socket);
    closeCheaply(socket);
    // A tunnel carries bytes that another process has already read in parts.
    if (socket instanceof Socket) readInParts(socket, parsing);
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket) =>
    slices.add(() => refuseGarbage(error, socket)),
  );
  const upgraded = trackUpgrades(
    server,
    { onUpgrade: options.onUpgrade, origins, slices, connections },
    stopping.signal,
  );
  let stopped: Promise<void> | undefined;
  return {
    server,
    refuseStreams: dispatch.refuseStreams,
    stop: () => {
      dispatch.refuseStreams();
      stopped ??= stop(server, upgraded, stopping, timeouts.grace);
      return stopped;
    },
  };
}

function limitsFor({
  maxStreams,
  streamsElsewhere = () => 0,
}: Pick<RequestOptions, 'maxStreams' | 'streamsElsewhere'>): RequestLimits {
  const stream = {
    get running() {
      return maxStreams - streamsElsewhere();
    },
    waiting: 0,
  };
  return {
    api: { running: 10, waiting: 20 },
    // Separate places for guests, because guests may not read their answers.
    page: { running: 50, waiting: 100 },
    checkpointing: { running: 100, waiting: 100 },
    stream,
    watching: { running: 20, waiting: 0 },
  };
}

/** Refuses bytes that are not HTTP, or are too many or too slow. A response that has begun is not changed. */
function refuseGarbage(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  endWithError(socket, garbage[error.code ?? ''] ?? noHttp);
}

const noHttp = new ServiceError('SVC_S2001', 'The request is not valid HTTP/1.1.');

const garbage: Readonly<Record<string, ServiceError>> = {
  HPE_HEADER_OVERFLOW: new ServiceError(
    'SVC_S2001',
    `The headers are larger than ${maxHeaderSize / 1024} KiB.`,
    { status: 431 },
  ),
  ERR_HTTP_REQUEST_TIMEOUT: new ServiceError('SVC_S2001', 'The request did not arrive in time.', {
    status: 408,
  }),
};

interface UpgradeOptions {
  readonly onUpgrade: Upgrade | undefined;
  readonly origins: Origins;
  readonly slices: Slices;
  readonly connections: Connections;
}

function trackUpgrades(
  server: Server,
  { onUpgrade, origins, slices, connections }: UpgradeOptions,
  stopping: AbortSignal,
): Set<Duplex> {
  const sockets = new Set<Duplex>();
  /** Its functions live as long as the socket, and do not refer to the request, whose headers would live as long. */
  const track = (socket: Duplex): UpgradeDoor => {
    sockets.add(socket);
    connections.beginStream(socket);
    socket.once('close', () => sockets.delete(socket));
    // A client that disconnects must not end the process.
    socket.on('error', () => socket.destroy());
    return {
      stopping,
      admit: (holder) => connections.admit(socket, holder),
      refuse: () => connections.refuse(socket),
    };
  };
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const door = track(socket);
    slices.add(() => {
      if (socket.destroyed) return;
      if (onUpgrade === undefined)
        endWithError(socket, new ServiceError('SVC_S2002', 'This port does not support WebSockets.'));
      else if (!isAllowedOrigin(request, origins))
        endWithError(socket, new ServiceError('SVC_S2107', onlyLoopback));
      else onUpgrade(request, socket, head, door);
    });
  });
  return sockets;
}

async function listen(server: Server, { portKey: key = 'port', ...place }: ServerOptions): Promise<void> {
  await listenAt(server, { ...place, key }, mostQueued).catch((error: Error) => {
    throw new ServiceError('SVC_S3201', error.message, { cause: error.cause });
  });
}

async function stop(
  server: Server,
  upgraded: ReadonlySet<Duplex>,
  stopping: AbortController,
  grace: number,
): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
  stopping.abort();
  server.closeIdleConnections();
  const late = setTimeout(() => server.closeAllConnections(), grace);
  await Promise.all([closed, ...[...upgraded].map((socket) => closeOf(socket as Socket, grace))]);
  clearTimeout(late);
}

function closeOf(socket: Socket, grace: number): Promise<void> {
  return new Promise((resolve) => {
    if (socket.destroyed) return resolve();
    const late = setTimeout(() => socket.destroy(), grace);
    socket.once('close', () => {
      clearTimeout(late);
      resolve();
    });
  });
}
