import { basename } from 'node:path';
import { expect, test } from 'vitest';
import { worldOfCommand } from '../../../server/service/commands/run.ts';
import { loadSettings } from '../../../server/service/config/load.ts';

const servers = {
  'an embedded database': 'type: embedded\n      password: sesame-4711',
  'a PostgreSQL server': 'type: postgresql\n      uri: postgresql://ada:sesame-4711@db/app',
};

test.each(Object.entries(servers))('the password of %s never reaches the log', (_, connection) => {
  const file = new TextEncoder().encode(`replication:
  connections:
    - ${connection}
api: { tokens: [hunter2-hunter2] }
`);
  const { settings } = loadSettings(
    { configPath: 'service.yaml' },
    {
      env: {},
      folder: '/app',
      readFile: (path) => (basename(path) === 'service.yaml' ? file : undefined),
      exists: () => true,
      real: (path) => path,
      firstLinkIn: () => undefined,
    },
  );
  const lines: string[] = [];
  const { log } = worldOfCommand(settings, { env: {}, complain: (line) => lines.push(line) });
  log.write('error', 'It was refused', { error: 'password sesame-4711, token hunter2-hunter2' });
  expect(lines.join('\n')).toMatch(/It was refused/);
  expect(lines.join('\n')).not.toMatch(/sesame|hunter2/);
});
