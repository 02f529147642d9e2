/** The console in a browser: its files, the link that signs in, and what an admin asks for one by. */
import type { Route } from '../http/route.ts';
import { pageRoutes } from './page.ts';
import type { Sessions } from './sessions.ts';

interface ConsoleParts {
  /** The folder of its files. */
  readonly folder: string;
  readonly sessions: Sessions;
}

export function consoleRoutes({ folder, sessions }: ConsoleParts): readonly Route[] {
  return [
    ...pageRoutes(folder),
    {
      method: 'POST',
      path: '/console/sign-in',
      access: 'link',
      group: 'api',
      body: 'none',
      answer: async ({ request }) => {
        const cookie = sessions.signIn(request.headers.authorization, request);
        return { data: {}, headers: { 'Set-Cookie': cookie, 'Cache-Control': 'no-store' } };
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
