/** Runs `examples/team-chat` as described on its page: `headwater dev` in a copy of it, and devices of its users. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type RunningProcess, startProcess, until } from '../../test/support/processes/runningProcess.ts';
import { beforeTheEnd } from '../rigs/process.ts';
import { temporaryFolder } from '../rigs/temporary.ts';
import { root } from '../root.ts';

export interface TeamChat {
  /** Returns a link that signs a browser in to the console. */
  readonly link: () => string;
  readonly sql: (statement: string) => void;
  readonly stop: () => Promise<void>;
}

const cli = join(root, 'dist/cli.js');

/** The messages that the pictures show. */
const talk = `
INSERT INTO channels (id, name) VALUES ('design', 'Design'), ('support', 'Support');
INSERT INTO members (id, channel_id, user_id, role) VALUES
  ('m4', 'design', 'grace', 'moderator'), ('m5', 'design', 'linus', 'member'), ('m6', 'general', 'linus', 'member'),
  ('m7', 'support', 'mary', 'moderator'), ('m8', 'general', 'mary', 'member'), ('m9', 'design', 'ada', 'member');
INSERT INTO messages (channel_id, author_id, body, sent_at) VALUES
  ('general', 'grace', 'Good morning. The build is green again.', '2026-03-02 08:01Z'),
  ('general', 'linus', 'Which change was it?', '2026-03-02 08:03Z'),
  ('general', 'grace', 'The one with the two indexes.', '2026-03-02 08:04Z'),
  ('general', 'mary', 'Support has three new tickets on slow lists.', '2026-03-02 08:10Z'),
  ('general', 'ada', 'I look at them after lunch.', '2026-03-02 08:12Z'),
  ('general', 'linus', 'They come from the same customer.', '2026-03-02 08:15Z'),
  ('design', 'grace', 'New sketches of the start page are in the folder.', '2026-03-02 09:00Z'),
  ('design', 'linus', 'The second one is clearer.', '2026-03-02 09:20Z'),
  ('design', 'ada', 'Agreed. What happens in a narrow window?', '2026-03-02 09:25Z'),
  ('support', 'mary', 'Ticket 4711: lists are empty after signing in.', '2026-03-02 09:30Z'),
  ('board', 'ada', 'The numbers of February are ready.', '2026-03-02 10:00Z');
INSERT INTO reports (channel_id, reason) VALUES ('design', 'A link that leads nowhere.'), ('support', 'The same ticket twice.');
`;

/** The users, with the channel that the screen of each one shows. */
const devices = { ada: 'general', grace: 'design', linus: 'general', mary: 'support' };

export async function startTeamChat(): Promise<TeamChat> {
  const folder = join(temporaryFolder('pictures'), 'team-chat');
  cpSync(join(root, 'examples/team-chat'), folder, { recursive: true });
  const config = join(folder, 'service.yaml');
  // Another service may be running on this machine. The console explains rows of the source only if the service may return them.
  const text = readFileSync(config, 'utf8')
    .replace(/^port: .*/m, 'port: 0')
    .replace(/^ +port: .*\n/m, '');
  writeFileSync(config, text.replace(/^( +)schema: schema.sql\n/m, '$&$1debug_api: true\n'));
  const env = { PATH: process.env.PATH };
  const headwater = (...args: readonly string[]): string =>
    execFileSync(process.execPath, [cli, ...args], { cwd: folder, encoding: 'utf8', env }).trim();
  const running: RunningProcess[] = [];
  const start = (args: readonly string[], own: string, more: Readonly<Record<string, string>> = {}) => {
    const started = startProcess(process.execPath, args, { cwd: own, env: { ...env, ...more } });
    running.push(started);
    return started;
  };
  const stop = async (): Promise<void> => {
    for (const { child, ended } of running.splice(0).toReversed()) {
      child.kill('SIGTERM');
      await ended;
    }
  };
  beforeTheEnd(stop);
  const service = start([cli, 'dev'], folder);
  await until(service, () => service.out().includes('is active'));
  const url = /http:\/\/127\.0\.0\.1:\d+/.exec(service.out())?.[0] ?? '';
  const sql = (statement: string): void => void headwater('sql', statement);
  sql(talk);
  for (const [user, channel] of Object.entries(devices)) {
    const own = join(folder, `client-${user}`);
    mkdirSync(own);
    const token = headwater('generate', 'token', '--subject', user);
    const app = start([join(root, 'examples/team-chat/client.mjs'), channel], own, {
      SYNC_URL: url,
      SYNC_TOKEN: token,
    });
    await until(app, () => app.out() !== '');
  }
  return { link: () => headwater('console'), sql, stop };
}
