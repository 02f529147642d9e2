import { command } from './command.ts';
import { deployFile } from './deploy.ts';
import { waitOptions } from './deployment.ts';
import { CliFailure } from './failure.ts';
import { aboutToken, instanceOptions } from './instance.ts';
import type { World } from './world.ts';

export const reset = command({
  name: 'reset',
  summary: 'Restart the service of a compose deployment, and deploy the sync config',
  about: `Takes a compose deployment down, brings it up again, waits until it is healthy, and deploys the sync config. Volumes
stay as they are. A service of headwater dev or serve is restarted where it runs.

Exit code: that of docker compose if it fails; else that of headwater deploy.
${aboutToken}`,
  words: { names: '[FILE]', least: 0, most: 1 },
  options: {
    compose: { summary: 'Required: it is a compose deployment that is restarted' },
    'compose-file': {
      value: 'FILE',
      summary: 'Its file; usually powersync/docker/docker-compose.yaml, or the one in this folder',
    },
    ...instanceOptions,
    ...waitOptions,
    force: { alias: '-f', summary: 'Deploy although there are errors, or although nothing has changed' },
  },
  examples: ['reset --compose sync.yaml'],
  run: async (call) => {
    const { world, progress, has, text } = call;
    if (!has('compose'))
      throw new CliFailure(
        'Only a compose deployment can be restarted from here: write --compose. End headwater dev or serve with Ctrl-C where it runs, and start it again.',
      );
    const file = findComposeFile(text('compose-file'), world);
    for (const [what, ...args] of [
      ['Taking the deployment down …', 'down'],
      ['Bringing it up …', 'up', '-d', '--wait'],
    ] as const) {
      progress.show(what);
      progress.end();
      await compose(file, args, world);
    }
    return deployFile(call);
  },
});

const files = [
  'powersync/docker/docker-compose.yaml',
  ...['compose.yaml', 'compose.yml', 'docker-compose.yaml', 'docker-compose.yml'],
];

function findComposeFile(named: string | undefined, world: World): string {
  const found = named ?? files.find((path) => world.files.exists(path));
  if (found === undefined)
    throw new CliFailure('There is no compose file here. Name it with --compose-file FILE.');
  if (!world.files.exists(found)) throw new CliFailure(`There is no file ${found}.`);
  return found;
}

/** What it prints is news, not our answer. */
async function compose(file: string, args: readonly string[], world: World): Promise<void> {
  const running = world.startProgram('docker', ['compose', '-f', file, ...args], { onLine: world.complain });
  world.signal.addEventListener('abort', running.stop);
  const code = await running.ended;
  world.signal.throwIfAborted();
  if (code === 127) throw new CliFailure('There is no docker command on this machine.');
  if (code !== 0)
    throw new CliFailure(`docker compose ${args.join(' ')} has failed, with exit code ${code}.`, code);
}
