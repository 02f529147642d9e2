/**
 * Dispatches requests. It checks path and method, origin, token, body, parameters and the room in the group, in this order, and
 * only then calls the route. The reference service reads and checks the body before the token. Here, a client without a token
 * causes no work apart from reading the headers. A route is independent of sockets, limits and tokens.
 */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { ServiceError, toKnownError } from '../ground/errors.ts';
import { logFailure } from '../ground/log.ts';
import { capReasons } from '../ground/reasons.ts';
import { createSemaphore, type Semaphore, type SemaphoreLimit } from '../ground/semaphore.ts';
import type { Slices } from '../ground/slices.ts';
import { startAlone } from '../ground/unattended.ts';
import type { World } from '../ground/world.ts';
import { type Body, discardRest, holdBody, mostRefusedBodies, noBody, readBody } from './body.ts';
import { admin, type Connections, holderOf } from './connections.ts';
import { answerOptions, corsHead } from './cors.ts';
import { createLobby, type Lobby } from './lobby.ts';
import { isAllowedOrigin, isLocal, type Origins } from './origins.ts';
import { writeError, writeReply } from './reply.ts';
import type { Call, Head, Parameters, Reply, Route, User } from './route.ts';

/** The maximum numbers of running and waiting requests of each kind. */
export interface RequestLimits {
  readonly api: SemaphoreLimit;
  readonly page: SemaphoreLimit;
  readonly checkpointing: SemaphoreLimit;
  readonly stream: SemaphoreLimit;
  readonly watching: SemaphoreLimit;
}

/** Checks the `Authorization` header. Throws a {@link ServiceError} with status 401 if it is not valid. */
export interface Access {
  readonly admin: (authorization: string | undefined) => void;
  readonly user: (authorization: string | undefined) => Promise<User>;
  /** Present if there is a console: checks whether a signed-in page of it sent the request, and whether a code is valid. */
  readonly console?: {
    readonly isSignedIn: (request: IncomingMessage) => boolean;
    readonly checkCode: (authorization: string | undefined) => void;
  };
}

interface DispatchOptions {
  readonly routes: readonly Route[];
  readonly access: Access;
  readonly limits: RequestLimits;
  readonly origins: Origins;
  readonly connections: Pick<Connections, 'admit' | 'beginStream'>;
  /** Forwards requests that match no route to another process, which has more routes. */
  readonly forward?: Forward;
  /** Called when an answer is over. */
  readonly onLeft: () => void;
  /**
   * The queue in which requests wait, except for probes: a monitor must get the state of the process even if there are many
   * requests.
   */
  readonly slices: Slices;
  readonly world: Pick<World, 'clock' | 'log'>;
}

/** @param admit called if the token or the session is valid */
export type Forward = (request: IncomingMessage, response: ServerResponse, admit: () => void) => void;

interface Dispatch {
  readonly answer: (request: IncomingMessage, response: ServerResponse) => void;
  readonly refuseStreams: () => void;
  /** Aborts the signals of all running calls. */
  readonly endCalls: () => void;
}

interface Desk extends DispatchOptions {
  readonly table: ReadonlyMap<string, Route>;
  readonly groups: Readonly<Record<Exclude<Route['group'], 'probe'>, Semaphore>>;
  /** The bodies that are being read. */
  readonly bodies: Lobby;
  /** The requests whose bodies are only read to be discarded. */
  readonly discarding: Semaphore;
  readonly visits: Set<AbortController>;
  refusesStreams: boolean;
}

/** The maximum number of bodies in memory. A body can have a mebibyte, rarely more. */
const mostBodies = 64;

interface Visit {
  readonly id: string;
  readonly path: string;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly head: Head;
  /** Aborted when the client is gone or the service stops. */
  readonly signal: AbortSignal;
  /**
   * Passes the place in the group to the next request. Called after the last byte, which for a stream is long after its
   * beginning.
   */
  leaveGroup: () => void;
}

export function createDispatch(options: DispatchOptions): Dispatch {
  const { api, page, checkpointing, stream, watching } = options.limits;
  const desk: Desk = {
    ...options,
    table: new Map(options.routes.map((route) => [`${route.method} ${route.path}`, route])),
    groups: {
      api: createSemaphore(api),
      page: createSemaphore(page),
      checkpointing: createSemaphore(checkpointing),
      stream: createSemaphore(stream),
      watching: createSemaphore(watching),
    },
    bodies: createLobby(mostBodies),
    discarding: createSemaphore({ running: mostRefusedBodies, waiting: 0 }),
    visits: new Set(),
    refusesStreams: false,
  };
  return {
    answer: (request, response) => {
      const { forward, connections, onLeft } = options;
      if (forward !== undefined && request.method !== 'OPTIONS' && routeOf(desk, request) === undefined) {
        const { socket } = request;
        response.once('close', onLeft);
        return forward(request, response, () => connections.admit(socket, admin));
      }
      holdBody(request);
      const begin = (): void => startAlone('A request', () => answer(desk, request, response));
      if (routeOf(desk, request)?.group === 'probe') begin();
      else desk.slices.add(begin);
    },
    refuseStreams: () => {
      desk.refusesStreams = true;
    },
    endCalls: () => {
      for (const visit of desk.visits) visit.abort();
    },
  };
}

/** The reason of an abort, which is never read. Without a reason, an exception would be created for each request. */
const gone = 'The answer is over.';

async function answer(desk: Desk, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const end = new AbortController();
  desk.visits.add(end);
  const id = idOf(request);
  const visit: Visit = {
    id,
    path: pathOf(request),
    request,
    response,
    head: { 'X-Request-Id': id, ...corsHead(request, desk.origins) },
    signal: end.signal,
    leaveGroup: nothing,
  };
  const begun = desk.world.clock.steady();
  // A broken connection is reported by `close`. Without a listener, `error` would end the process.
  request.on('error', nothing);
  response.on('error', nothing);
  const leave = (): void => {
    desk.visits.delete(end);
    end.abort(gone);
    visit.leaveGroup();
    noteAccess(desk, visit, begun);
    desk.onLeft();
  };
  // The client has disconnected while other requests were answered.
  if (response.destroyed) return leave();
  response.once('close', leave);
  try {
    const reply = await visitRoute(desk, visit);
    if (reply === undefined || 'written' in reply) return;
    if ('begin' in reply) reply.begin((error) => fail(desk, visit, error));
    else writeReply(response, reply, visit.head);
  } catch (error) {
    fail(desk, visit, error);
  }
}

const nothing = (): void => {};

function pathOf({ url = '/' }: IncomingMessage): string {
  return url.replace(/[?#].*$/s, '');
}

function routeOf({ table }: Desk, request: IncomingMessage): Route | undefined {
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  return table.get(`${method} ${pathOf(request)}`);
}

/** Returns the id from a proxy, if a log line can contain it, or else a new id. */
function idOf({ headers }: IncomingMessage): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && /^[\w.-]{1,64}$/.test(given) ? given : flat(randomUUID());
}

/** Returns the same text in one piece. Node joins a UUID from 36 pieces, which would stay in memory as long as the text is used. */
function flat(text: string): string {
  return Buffer.from(text, 'latin1').toString('latin1');
}

/** Returns undefined if there is nothing left to answer. */
async function visitRoute(desk: Desk, visit: Visit): Promise<Reply | undefined> {
  const { request, response, path, head } = visit;
  const method = request.method ?? '';
  if (method === 'OPTIONS') {
    answerOptions(request, response, head);
    return undefined;
  }
  const route = routeOf(desk, request);
  if (route === undefined) throw new ServiceError('SVC_S2002', explainUnknown(method, path));
  if (desk.refusesStreams && route.access === 'user') throw new ServiceError('SVC_S2003');
  if (route.access !== 'public' && !isAllowedOrigin(request, desk.origins))
    throw new ServiceError('SVC_S2107', onlyLoopback);
  const user = await admit(desk, route, request);
  const body = await readParameters(desk, visit, route, user);
  if (visit.signal.aborted) return undefined;
  if (route.group !== 'probe') {
    const leave = await desk.groups[route.group].enter(visit.signal);
    if (leave === undefined) {
      if (desk.refusesStreams) throw new ServiceError('SVC_S2003');
      turnAway(response, head);
      return undefined;
    }
    if (response.closed) leave();
    else visit.leaveGroup = leave;
  }
  if (route.group === 'stream' || route.group === 'watching') desk.connections.beginStream(request.socket);
  const { signal } = visit;
  const mayStay = (): boolean => request.headers.authorization !== undefined || isInConsole(desk, request);
  return route.answer({ ...body, request, response, head, signal, mayStay, ...(user && { user }) });
}

export const onlyLoopback =
  'This service accepts a publicly known example secret, so only pages of this machine may call it. Open the ' +
  'app at http://localhost, or write your own secrets to .env.';

function explainUnknown(method: string, path: string): string {
  const shown = path.length > 200 ? `${path.slice(0, 200)}…` : path;
  return `The path ${method} ${JSON.stringify(shown)} does not exist on this server.`;
}

/** Answers without a body, as the reference service does, because SDKs only read the status. */
function turnAway(response: ServerResponse, head: Head): void {
  response.writeHead(429, { ...head, 'Content-Length': 0 }).end();
}

/** Whether the request comes from a session of the console. */
function isInConsole({ access }: Desk, request: IncomingMessage): boolean {
  return access.console?.isSignedIn(request) === true;
}

async function admit(
  { access, connections }: Desk,
  route: Route,
  request: IncomingMessage,
): Promise<User | undefined> {
  const { authorization } = request.headers;
  if (route.access === 'public' || (route.access === 'local' && isLocal(request))) return undefined;
  const user = route.access === 'user' ? await access.user(authorization) : undefined;
  if (user === undefined) admitAdmin(access, route, request);
  connections.admit(request.socket, user === undefined ? admin : holderOf(user));
  return user;
}

/**
 * Admits an admin by a token or a session. The token has precedence over the cookie, because a caller that sends a token wants to
 * be identified by it.
 */
function admitAdmin(access: Access, { access: needed }: Route, request: IncomingMessage): void {
  const { authorization } = request.headers;
  if (needed === 'link' && access.console !== undefined) access.console.checkCode(authorization);
  else if (authorization !== undefined || !access.console?.isSignedIn(request)) access.admin(authorization);
}

async function readParameters(
  { bodies }: Desk,
  { request }: Visit,
  route: Route,
  user: User | undefined,
): Promise<Pick<Call, 'parameters' | 'text'>> {
  const body = route.method === 'POST' ? await readInLobby(bodies, request, route, user) : noBody;
  const parameters = { ...queryOf(request), ...body.parameters };
  const problems = capReasons(route.problemsIn?.(parameters) ?? []);
  if (problems.length > 0) throw new ServiceError('SVC_S2001', JSON.stringify(problems));
  return { parameters, text: body.text };
}

async function readInLobby(
  bodies: Lobby,
  request: IncomingMessage,
  route: Route,
  user: User | undefined,
): Promise<Body> {
  // A complete request does not need a place, so none of thousands of clients that connect at once is turned away.
  if (request.complete) return readBody(request, route.body);
  const leave = bodies.enter(user === undefined ? admin : holderOf(user), () => request.destroy());
  try {
    return await readBody(request, route.body);
  } finally {
    leave();
  }
}

/** Returns the parameters of the query. A repeated key becomes a list, which is then refused because it is not a string. */
function queryOf({ url = '' }: IncomingMessage): Parameters {
  const start = url.indexOf('?');
  if (start === -1) return {};
  const values = new Map<string, string | string[]>();
  for (const [key, value] of new URLSearchParams(url.slice(start + 1))) {
    const before = values.get(key);
    if (before === undefined) values.set(key, value);
    else if (Array.isArray(before)) before.push(value);
    else values.set(key, [before, value]);
  }
  return Object.fromEntries(values);
}

function fail(desk: Desk, { id, request, response, head, path }: Visit, error: unknown): void {
  // The client has disconnected before its request was complete.
  if (response.destroyed || request.errored !== null) return;
  const known = toKnownError(error) ?? unforeseen(id, error);
  if (known.status >= 500) logFailure(desk.world.log, 'A request', error, { id, path, code: known.code });
  // An answer that has begun can no longer become an error, so the connection is closed. Clients understand that.
  if (response.headersSent) return void response.destroy();
  writeError(response, known, head);
  discardRest(request, desk.discarding, desk.world.clock);
}

/** Returns an error without details. The message of an unknown error may contain anything, so it is only logged. */
function unforeseen(id: string, cause: unknown): ServiceError {
  const details = `The log of the service has details under the id ${id}.`;
  return new ServiceError('SVC_S2001', details, { status: 500, cause });
}

/** Logs a request, without its query, which may contain secrets of the caller. */
function noteAccess(desk: Desk, { id, path, request, response }: Visit, begun: number): void {
  const method = request.method ?? '';
  const route = routeOf(desk, request);
  const isRoutine = route?.group === 'probe' || (route?.isPolled === true && response.statusCode < 400);
  desk.world.log.write(isRoutine ? 'debug' : 'info', `${method} ${path.slice(0, 200)}`, {
    id,
    // If nothing was answered, the client has disconnected first.
    status: response.headersSent ? response.statusCode : 499,
    ms: desk.world.clock.steady() - begun,
  });
}
