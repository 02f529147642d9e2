/** Opens the ports: the main port with all routes of the role, and the metrics port, which also answers probes. */
import type { Duplex } from 'node:stream';
import type { ApiSettings, ClientAuthSettings, PortOrigin, ServiceSettings } from '../config/settings.ts';
import type { Access } from '../http/dispatch.ts';
import { isPublished, type Origins } from '../http/origins.ts';
import type { Route } from '../http/route.ts';
import { openInnerServer, type RunningServer, type ServerOptions, startServer } from '../http/server.ts';
import type { CrewClients } from '../workers/crew.ts';
import type { Tunnel } from '../workers/tunnels.ts';
import type { OpenParts } from './closeInOrder.ts';
import { metricsOf, probesOf, type RouteSources, routesOf } from './routes.ts';

/**
 * Opens the ports. Returns undefined if this process does not listen on the main port, because it only replicates and reports its
 * health in files, or because its workers listen there.
 */
export async function listen(
  { role, host, port, portFrom, metricsPort, api, clientAuth, probes }: ServiceSettings,
  parts: RouteSources,
  entrance: Pick<ServerOptions, 'access' | 'connections'>,
  opened: OpenParts,
): Promise<RunningServer | undefined> {
  const origins = originsFor(api, clientAuth);
  const start = async (
    options: Pick<ServerOptions, 'port' | 'portKey' | 'isProposed' | 'routes' | 'onUpgrade'>,
  ): Promise<RunningServer> => {
    const server = await startServer(
      { host, ...entrance, origins, maxStreams: api.maxConcurrentConnections, ...options },
      parts.world,
    );
    opened.add(`the HTTP server on port ${server.port}`, server.stop);
    return server;
  };
  const health = probes.http ? probesOf(parts) : [];
  if (metricsPort !== undefined)
    await start({
      port: metricsPort,
      portKey: 'telemetry.prometheus_port',
      routes: [...health, ...metricsOf(parts)],
    });
  if (parts.sync === undefined) return undefined;
  const main = { port, portKey: portKeyOf({ portFrom }), isProposed: portFrom === 'proposal' };
  if (role !== 'sync')
    return start({ ...main, routes: [...health, ...routesOf(parts)], onUpgrade: parts.sync.upgrade });
  return health.length === 0 ? undefined : start({ ...main, routes: health });
}

export function portKeyOf({ portFrom }: { readonly portFrom?: PortOrigin | undefined }): string {
  return portFrom === 'option' ? '--port' : 'port';
}

/** Opens the server for requests that workers do not answer themselves. */
export function openInside(
  { api, clientAuth, probes }: ServiceSettings,
  parts: RouteSources,
  access: Access,
  clients: CrewClients,
): InnerDoor {
  const admits = new WeakMap<Duplex, () => void>();
  const health = probes.http ? probesOf(parts) : [];
  const server = openInnerServer(
    {
      routes: [...health, ...afterReports(routesOf(parts), clients)],
      access,
      origins: originsFor(api, clientAuth),
      maxStreams: api.maxConcurrentConnections,
      onAdmitted: (socket) => admits.get(socket)?.(),
    },
    parts.world,
  );
  return {
    stop: server.stop,
    take: ({ socket }, address, admit) => {
      admits.set(socket, admit);
      server.take(Object.assign(socket, { remoteAddress: address }));
    },
  };
}

/** Makes routes wait for fresh reports, so that their answers show the current clients and numbers. */
function afterReports(routes: readonly Route[], { refresh }: CrewClients): readonly Route[] {
  return routes.map((route) =>
    route.access === 'admin' || route.access === 'local'
      ? { ...route, answer: (call) => refresh().then(() => route.answer(call)) }
      : route,
  );
}

export interface InnerDoor {
  readonly take: (tunnel: Tunnel, address: string, admit: () => void) => void;
  readonly stop: () => Promise<void>;
}

export function originsFor({ tokens }: ApiSettings, { keys, supabase }: ClientAuthSettings): Origins {
  const secrets = keys.flatMap(({ k }) => (typeof k === 'string' ? [Buffer.from(k, 'base64url')] : []));
  const isKnown = [...tokens, ...secrets, supabase?.secret ?? ''].some(isPublished);
  return isKnown ? 'loopback' : 'any';
}
