import type { Api } from '../../api/api.ts';
import { type Answer, type Call, command } from '../command.ts';
import { type DeployCall, deployFile, readDeployable } from '../deployFile.ts';
import {
  answerOf,
  isConfigured,
  timeoutOf,
  untilActive,
  untilAnswering,
  untilTaken,
  waitOptions,
} from '../deployment.ts';
import { CliFailure } from '../failure.ts';
import {
  aboutToken,
  announce,
  findInstance,
  type Instance,
  instanceOptions,
  withService,
} from '../instance.ts';
import { secretsOrigin } from '../project/running.ts';
import { resetLines } from '../serve/resetWords.ts';
import type { CheckedFile } from '../validate/checkText.ts';
import type { World } from '../world.ts';

export const reset = command({
  name: 'reset',
  summary: 'Restart a service and deploy the sync config',
  about: `Restarts the service of headwater dev or serve in this folder, so that it reads its service config again, and deploys the
sync config. With --compose, it stops a compose deployment, starts it again and waits until it is healthy; volumes are
kept. If the sync config has errors, nothing is restarted.

With --database, the embedded database is dropped and created again from the scripts listed under \`schema\` in the
service config. Rows that were written to it are lost. Other databases are refused.

Exit code: the exit code of docker compose if it fails, otherwise that of headwater deploy.

With --compose: ${aboutToken}`,
  words: { names: '[FILE]', least: 0, most: 1 },
  options: {
    compose: { summary: 'Restart a compose deployment' },
    'compose-file': {
      value: 'FILE',
      summary: 'The compose file (default: powersync/docker/docker-compose.yaml, or the one in this folder)',
    },
    database: { summary: 'Drop the embedded database and run its scripts again' },
    seed: { summary: 'With --database: also run the scripts with seed data' },
    ...instanceOptions,
    ...waitOptions,
    force: { alias: '-f', summary: 'Deploy even if there are errors, or if nothing has changed' },
  },
  examples: ['reset', 'reset --database --seed', 'reset --compose sync.yaml'],
  run: async (call) => {
    if (call.has('seed') && !call.has('database'))
      throw new CliFailure('--seed requires --database, because only a new database has no rows.');
    const file = await readDeployable(call);
    // The instance is found before anything is stopped, because the user may refuse consent.
    const linked = call.has('compose') ? await findInstance(call) : undefined;
    if (linked !== undefined) await restartCompose(call);
    const instance = linked ?? (await restartHere(call));
    const timeout = timeoutOf(call);
    await withService(call, (api) => untilAnswering(api, { world: call.world, timeout }), instance);
    if (call.has('database')) await withService(call, (api) => resetDatabase(api, call), instance);
    return deployFile(call, file, instance).catch((error: unknown) => followOwn(call, file, instance, error));
  },
});

type ResetCall = Pick<Call<'compose-file'>, 'world' | 'progress' | 'text' | 'has'>;

async function restartHere(call: ResetCall): Promise<Instance> {
  const { world, progress } = call;
  progress.show('Restarting the service …');
  const reply = await world.resets.ask();
  if (reply === undefined)
    throw new CliFailure(
      'Neither headwater dev nor serve is running in this folder. Start one of them, or use --compose to restart a compose deployment.',
    );
  const { url, token } = reply;
  if (url === undefined)
    throw new CliFailure(
      'The service did not start again. The output of headwater dev or serve shows the reason.',
      1,
    );
  const instance = { url, token, tokenOrigin: await secretsOrigin(world) };
  announce(instance, call);
  return instance;
}

async function resetDatabase(
  api: Api,
  { world, progress, has }: Pick<Call<'seed'>, 'world' | 'progress' | 'has'>,
): Promise<void> {
  progress.show('Creating the database again …');
  const report = await api.resetDatabase(has('seed') ? 'seeds' : 'none', world.signal);
  progress.end();
  for (const line of resetLines(report)) world.complain(line);
}

async function restartCompose({ world, progress, text }: ResetCall): Promise<void> {
  const file = findComposeFile(text('compose-file'), world);
  for (const [what, ...args] of [
    ['Stopping the deployment …', 'down'],
    ['Starting the deployment …', 'up', '-d', '--wait'],
  ] as const) {
    progress.show(what);
    progress.end();
    await compose(file, args, world);
  }
}

/** Follows a service that loads its sync config from its own file, because it has read this file at the restart. */
async function followOwn(
  call: DeployCall,
  { text }: CheckedFile,
  instance: Instance,
  refused: unknown,
): Promise<Answer> {
  if (!isConfigured(refused)) throw refused;
  const { world, progress } = call;
  const timeout = timeoutOf(call);
  const follow = async (api: Api): Promise<Answer> => {
    const taken = await untilTaken(api, text, world);
    // The service loads a different file.
    if (taken === undefined) throw refused;
    return answerOf(await untilActive(api, taken, { world, progress, timeout }), timeout);
  };
  return withService(call, follow, instance);
}

const files = [
  'powersync/docker/docker-compose.yaml',
  ...['compose.yaml', 'compose.yml', 'docker-compose.yaml', 'docker-compose.yml'],
];

function findComposeFile(named: string | undefined, world: World): string {
  const found = named ?? files.find((path) => world.files.exists(path));
  if (found === undefined)
    throw new CliFailure('No compose file found here. Specify it with --compose-file FILE.');
  if (!world.files.exists(found)) throw new CliFailure(`There is no file ${found}.`);
  return found;
}

/** Runs docker compose. Its output is progress, not our answer. */
async function compose(file: string, args: readonly string[], world: World): Promise<void> {
  const running = world.startProgram('docker', ['compose', '-f', file, ...args], { onLine: world.complain });
  world.signal.addEventListener('abort', running.stop);
  const code = await running.ended;
  world.signal.throwIfAborted();
  if (code === 127) throw new CliFailure('The docker command was not found on this machine.');
  if (code !== 0)
    throw new CliFailure(`docker compose ${args.join(' ')} failed with exit code ${code}.`, code);
}
