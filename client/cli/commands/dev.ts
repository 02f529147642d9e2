import { command } from '../command.ts';
import { CliFailure } from '../failure.ts';
import { planScripts } from '../plan/planScripts.ts';
import { prepareDevelopment } from '../project/development.ts';
import { allowNamedPlaces } from '../project/places.ts';
import { locateSyncConfig } from '../project/syncConfig.ts';
import { develop } from '../serve/develop.ts';
import { logScreen } from '../serve/logScreen.ts';
import { serveOptions } from './serve.ts';

export const dev = command({
  name: 'dev',
  summary: 'Run the sync service for a project, and deploy its sync config whenever it is saved',
  about: `Runs the sync service for a project until Ctrl-C. It finds the sync config and the SQL, Prisma or Rails files that create
its tables, and creates a database from them. A new database also gets the rows of the SQL files with seed data, such as
supabase/seed.sql. It deploys the sync config, and deploys it again each time it is saved
without errors. Until then, the previous config stays active.

A service config created by headwater init is used as it is. If a service config was written for another machine or for
Docker, its connection, storage, port and tokens are replaced for this run; the file itself does not change. Data and secrets
are in .headwater.

With --plan, no service is started. The named SQL files run in a temporary database, after the other SQL files of the project, and
the command prints which tables a service would copy again because of them. The database of the project stays as it is. The
approximate numbers of rows come from a service. If the files are in the folder of a running headwater dev, it has already run them.

Exit code with --plan: 0: each table has a prediction; 1: for some tables, there is none; 2: there is no prediction at all.`,
  words: { names: '[FILE]', least: 0, most: 1 },
  options: {
    ...serveOptions,
    verbose: { summary: 'Also print the requests that the service answers' },
    seed: { summary: 'Run the SQL files with seed data once, even if the database already exists' },
    'no-seed': { summary: 'Leave a new database empty, even if there are SQL files with seed data' },
    plan: {
      value: 'FILE',
      many: true,
      summary: 'Only print which tables this SQL file would cause to be copied again, before it is run',
    },
    service: {
      value: 'URL',
      summary:
        'With --plan: the service that knows the numbers of rows (default: from cli.yaml or POWERSYNC_URL, or the running one)',
    },
    source: {
      value: 'DATABASE',
      summary:
        'The source, instead of the embedded database: postgresql://…, a variable that contains such an address, or `config`',
    },
  },
  examples: [
    'dev',
    'dev --no-seed',
    'dev sync.yaml --port 9000',
    'dev --source DATABASE_URL',
    'dev --plan supabase/migrations/3.sql',
  ],
  run: async (call) => {
    if (call.has('seed') && call.has('no-seed'))
      throw new CliFailure('Specify either --seed or --no-seed, not both.');
    await allowNamedPlaces(call.texts('allow'), call.world);
    const file = await locateSyncConfig(call.world, call.words[0], call.text('config'));
    const pending = call.texts('plan');
    if (pending.length > 0) return planScripts(call, file, pending);
    if (call.has('service')) throw new CliFailure('--service works only with --plan.');
    return develop(
      call,
      () =>
        prepareDevelopment(call, file, {
          source: call.text('source'),
          rows: call.has('seed') ? 'seeds' : call.has('no-seed') ? 'none' : 'seeds if new',
        }),
      logScreen(call),
    );
  },
});
