import { command } from '../command.ts';
import { prepareDevelopment } from '../project/development.ts';
import { locateSyncConfig } from '../project/syncConfig.ts';
import { develop } from '../serve/develop.ts';
import { serveOptions } from './serve.ts';

export const dev = command({
  name: 'dev',
  summary: 'Run the sync service for a project, and deploy its sync config whenever it is saved',
  about: `Finds the sync config of a project and the SQL, Prisma or Rails files that make its tables, runs the sync service
with a database made of them until Ctrl-C, deploys the sync config, and deploys it again whenever it is saved and has no
error. What served before goes on serving until then.

A service config of headwater init runs as it is. One that is made for another machine or for Docker stays as it is,
too: its connection, storage, port and tokens are replaced for this run. Data and secrets are in .headwater.`,
  words: { names: '[FILE]', least: 0, most: 1 },
  options: {
    ...serveOptions,
    seed: { summary: 'Also run the SQL files that make rows to begin with, once' },
    source: {
      value: 'DATABASE',
      summary:
        'Instead of the embedded database: postgresql://…, a variable that holds such an address, or `config`',
    },
  },
  examples: ['dev', 'dev --seed', 'dev sync.yaml --port 9000', 'dev --source DATABASE_URL'],
  run: async (call) => {
    const file = await locateSyncConfig(call.world, call.words[0], call.text('config'));
    return develop(call, () =>
      prepareDevelopment(call, file, {
        source: call.text('source'),
        rows: call.has('seed') ? 'seeds' : 'none',
      }),
    );
  },
});
