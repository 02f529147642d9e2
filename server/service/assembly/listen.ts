/** What listens: the main port with all routes of the role, and the port of the metrics. */
import type { ApiSettings, ClientAuthSettings, ServiceSettings } from '../config/settings.ts';
import type { Access } from '../http/dispatch.ts';
import { isPublished, type Origins } from '../http/origins.ts';
import { type RunningServer, type ServerOptions, startServer } from '../http/server.ts';
import type { Opened } from './closeInOrder.ts';
import { metricsOf, probesOf, type RouteParts, routesOf } from './routes.ts';

/** Undefined when nothing listens on the main port: a process that only replicates, and shows its health in files. */
export async function listen(
  { role, host, port, metricsPort, api, clientAuth, probes }: ServiceSettings,
  parts: RouteParts,
  access: Access,
  opened: Opened,
): Promise<RunningServer | undefined> {
  const origins = originsFor(api, clientAuth);
  const start = async (
    options: Pick<ServerOptions, 'port' | 'routes' | 'onUpgrade'>,
  ): Promise<RunningServer> => {
    const server = await startServer(
      { host, access, origins, maxStreams: api.maxConcurrentConnections, ...options },
      parts.world,
    );
    opened.add(`the HTTP server on port ${server.port}`, server.stop);
    return server;
  };
  if (metricsPort !== undefined) await start({ port: metricsPort, routes: metricsOf(parts) });
  const health = probes.http ? probesOf(parts) : [];
  if (role !== 'sync')
    return start({ port, routes: [...health, ...routesOf(parts)], onUpgrade: parts.sync.upgrade });
  return health.length === 0 ? undefined : start({ port, routes: health });
}

function originsFor({ tokens }: ApiSettings, { keys, supabase }: ClientAuthSettings): Origins {
  const secrets = keys.flatMap(({ k }) => (typeof k === 'string' ? [Buffer.from(k, 'base64url')] : []));
  const isKnown = [...tokens, ...secrets, supabase?.secret ?? ''].some(isPublished);
  return isKnown ? 'loopback' : 'any';
}
