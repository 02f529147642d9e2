/**
 * From a request to its answer, in the order in which the reference checks: path and method, room in the group,
 * body, parameters, token, and only then the route itself.
 */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { World } from '../world.ts';
import { noBody, readBody } from './body.ts';
import { answerOptions, putCorsHeaders } from './cors.ts';
import { ServiceError } from './errors.ts';
import { createGroup, type Group, type Limits } from './groups.ts';
import { writeError, writeReply } from './reply.ts';
import type { Parameters, Route, User } from './route.ts';

/** Checks the `Authorization` header; both throw a {@link ServiceError} with status 401. */
export interface Access {
  readonly admin: (authorization: string | undefined) => void;
  readonly user: (authorization: string | undefined) => Promise<User>;
}

export interface DispatchOptions {
  readonly routes: readonly Route[];
  readonly access: Access;
  readonly limits: Limits;
  readonly world: Pick<World, 'clock' | 'log'>;
}

export interface Dispatch {
  /** Never throws or rejects. */
  readonly answer: (request: IncomingMessage, response: ServerResponse) => void;
  readonly refuseStreams: () => void;
  /** Aborts the signals of all calls that run. */
  readonly endCalls: () => void;
}

interface Desk extends DispatchOptions {
  readonly table: ReadonlyMap<string, Route>;
  readonly groups: Readonly<Record<Exclude<Route['group'], 'probe'>, Group>>;
  readonly visits: Set<AbortController>;
  refusesStreams: boolean;
}

interface Visit {
  readonly id: string;
  readonly path: string;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Aborted when the client goes or the service stops. */
  readonly signal: AbortSignal;
}

export function createDispatch(options: DispatchOptions): Dispatch {
  const { api, checkpointing, stream } = options.limits;
  const desk: Desk = {
    ...options,
    table: new Map(options.routes.map((route) => [`${route.method} ${route.path}`, route])),
    groups: {
      api: createGroup(api),
      checkpointing: createGroup(checkpointing),
      stream: createGroup(stream),
    },
    visits: new Set(),
    refusesStreams: false,
  };
  return {
    answer: (request, response) => void answer(desk, request, response),
    refuseStreams: () => {
      desk.refusesStreams = true;
    },
    endCalls: () => {
      for (const visit of desk.visits) visit.abort();
    },
  };
}

async function answer(desk: Desk, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const end = new AbortController();
  desk.visits.add(end);
  const visit: Visit = {
    id: idOf(request),
    path: (request.url ?? '/').replace(/[?#].*$/s, ''),
    request,
    response,
    signal: end.signal,
  };
  const begun = desk.world.clock.now();
  // A broken connection is told by `close`; without a listener it would end the process.
  request.on('error', () => {});
  response.on('error', () => {});
  response.once('close', () => {
    desk.visits.delete(end);
    end.abort();
    noteAccess(desk, visit, begun);
  });
  response.setHeader('X-Request-Id', visit.id);
  putCorsHeaders(response);
  try {
    await visitRoute(desk, visit);
  } catch (error) {
    fail(desk, visit, error);
  }
}

/** One that a proxy gave is kept, if it can stand in a log. */
function idOf({ headers }: IncomingMessage): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && /^[\w.-]{1,64}$/.test(given) ? given : randomUUID();
}

async function visitRoute(desk: Desk, visit: Visit): Promise<void> {
  const { request, response, path } = visit;
  const method = request.method ?? '';
  if (method === 'OPTIONS') return answerOptions(request, response);
  const route = desk.table.get(`${method === 'HEAD' ? 'GET' : method} ${path}`);
  if (route === undefined) throw new ServiceError('SVC_S2002', explainUnknown(method, path));
  if (route.group === 'probe') return callRoute(desk, visit, route);
  if (desk.refusesStreams && route.access === 'user') throw new ServiceError('SVC_S2003');
  const leave = await desk.groups[route.group].enter(visit.signal);
  if (leave === undefined) {
    if (desk.refusesStreams) throw new ServiceError('SVC_S2003');
    return turnAway(response);
  }
  // The room is taken until the last byte is out, which for a stream is long after this function.
  if (response.closed) leave();
  else response.once('close', leave);
  return callRoute(desk, visit, route);
}

function explainUnknown(method: string, path: string): string {
  const shown = path.length > 200 ? `${path.slice(0, 200)}…` : path;
  return `The path ${method} ${JSON.stringify(shown)} does not exist on this server.`;
}

/** Without a body, as the reference does it: SDKs read the status only. */
function turnAway(response: ServerResponse): void {
  response.writeHead(429, { 'Content-Length': 0 }).end();
}

async function callRoute(desk: Desk, visit: Visit, route: Route): Promise<void> {
  const { request, response, signal } = visit;
  const body = route.method === 'POST' ? await readBody(request, route.body) : noBody;
  const { text } = body;
  const parameters = { ...queryOf(request), ...body.parameters };
  const problems = route.problemsIn?.(parameters) ?? [];
  if (problems.length > 0) throw new ServiceError('SVC_S2001', JSON.stringify(problems));
  const user = await admit(desk.access, route, request.headers.authorization);
  const reply = await route.answer({ parameters, text, request, response, signal, ...(user && { user }) });
  writeReply(response, reply);
}

async function admit(
  access: Access,
  route: Route,
  authorization: string | undefined,
): Promise<User | undefined> {
  if (route.access === 'user') return access.user(authorization);
  if (route.access === 'admin') access.admin(authorization);
  return undefined;
}

/** A key that is given more than once becomes a list, and then fails as text. */
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

function fail(desk: Desk, { id, request, response, path }: Visit, error: unknown): void {
  // The client went before its request was complete.
  if (response.destroyed || request.errored !== null) return;
  const known = error instanceof ServiceError ? error : unforeseen(id, error);
  if (known.status >= 500) {
    const { message, stack } = error instanceof Error ? error : { message: String(error), stack: undefined };
    desk.world.log.write('error', `A request failed: ${message}`, { id, path, code: known.code, stack });
  }
  // What has begun cannot become an error any more; a broken connection is understood by clients.
  if (response.headersSent) response.destroy();
  else writeError(response, known);
}

/** What an unknown error says may hold anything, so only the log gets it. */
function unforeseen(id: string, cause: unknown): ServiceError {
  const details = `The log of the service says more, under the id ${id}.`;
  return new ServiceError('SVC_S2001', details, { status: 500, cause });
}

/** The query is left out: it is the caller's, and may hold what a log must not. */
function noteAccess({ world, table }: Desk, { id, path, request, response }: Visit, begun: number): void {
  const method = request.method ?? '';
  const isProbe = table.get(`${method} ${path}`)?.group === 'probe';
  world.log.write(isProbe ? 'debug' : 'info', `${method} ${path.slice(0, 200)}`, {
    id,
    // Nothing was answered: the client went first.
    status: response.headersSent ? response.statusCode : 499,
    ms: world.clock.now() - begun,
  });
}
