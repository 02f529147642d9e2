/** The console in a browser: its files, and the link for signing in. */
import type { Route } from '../http/route.ts';
import { type ConsoleHosts, refusalOf } from './hosts.ts';
import { pageRoutes } from './page.ts';
import type { Sessions } from './sessions.ts';

export interface ConsoleParts {
  /** The folder of the console's files. */
  readonly folder: string;
  readonly sessions: Sessions;
  readonly hosts: ConsoleHosts;
}

export function consoleRoutes({ folder, sessions, hosts }: ConsoleParts): readonly Route[] {
  return [
    ...pageRoutes(folder).map((route) => onOwnHosts(route, hosts)),
    {
      method: 'POST',
      path: '/console/sign-in',
      access: 'link',
      group: 'api',
      body: 'none',
      answer: async ({ request }) => {
        const { cookie, secret } = sessions.signIn(request.headers.authorization, request);
        return { data: { secret }, headers: { 'Set-Cookie': cookie, 'Cache-Control': 'no-store' } };
      },
    },
    {
      method: 'POST',
      path: '/api/admin/v1/console-link',
      access: 'admin',
      group: 'api',
      body: 'none',
      answer: async () => {
        const { code, expiresAt } = sessions.makeCode();
        return {
          data: { path: `/console/#sign-in=${code}`, expires_ts: new Date(expiresAt).toISOString() },
        };
      },
    },
  ];
}

function onOwnHosts(route: Route, { foreignHost }: ConsoleHosts): Route {
  return {
    ...route,
    answer: async (call) => {
      const foreign = foreignHost(call.request);
      if (foreign !== undefined) throw refusalOf(foreign);
      return route.answer(call);
    },
  };
}
