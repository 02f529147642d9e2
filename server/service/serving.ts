/** What listens: the main port with all routes of the role, and the port of the metrics. */
import type { ServiceSettings } from './config/settings.ts';
import { createAccess } from './http/auth/access.ts';
import { openUserTokens } from './http/auth/userTokens.ts';
import type { Route } from './http/route.ts';
import { type RunningServer, startServer } from './http/server.ts';
import type { Opened } from './opened.ts';
import { metricsOf, probesOf, type RouteParts, routesOf } from './routes.ts';

/** Undefined when nothing listens on the main port: a process that only replicates, and shows its health in files. */
export async function serve(
  settings: ServiceSettings,
  parts: RouteParts,
  opened: Opened,
): Promise<RunningServer | undefined> {
  const { world } = parts;
  const access = createAccess(settings.api.tokens, openUserTokens(settings.clientAuth, world));
  const listen = async (port: number, routes: readonly Route[]): Promise<RunningServer> => {
    const maxStreams = settings.api.maxConcurrentConnections;
    const server = await startServer({ host: settings.host, port, routes, access, maxStreams }, world);
    opened.add(`the HTTP server on port ${server.port}`, server.stop);
    return server;
  };
  if (settings.metricsPort !== undefined) await listen(settings.metricsPort, metricsOf(parts));
  const routes = mainRoutes(settings, parts);
  return routes.length === 0 ? undefined : listen(settings.port, routes);
}

function mainRoutes({ role, probes }: ServiceSettings, parts: RouteParts): readonly Route[] {
  const health = probes.http ? probesOf(parts) : [];
  return role === 'sync' ? health : [...health, ...routesOf(parts)];
}
