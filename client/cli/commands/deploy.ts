import type { Api } from '../../api/api.ts';
import { paintFor } from '../colours.ts';
import { type Answer, type Call, command } from '../command.ts';
import { answerOf, send, untilActive, waitOptions } from '../deployment.ts';
import { CliFailure } from '../failure.ts';
import { aboutToken, type Instance, instanceOptions, withService } from '../instance.ts';
import { findSyncConfig, readText } from '../read.ts';
import { type CheckedFile, checkText, count } from '../validate/check.ts';
import { askedService } from '../validate/service.ts';
import { textLines } from '../validate/text.ts';

export const deploy = command({
  name: 'deploy',
  summary: 'Hand a sync config to a service, and wait until it is active',
  about: `Checks a sync config, lets the service check it, deploys it, and waits until all of it is copied and active. What
served before goes on serving until then. If the service has the very same config already, nothing is done.

Exit code 0: active; 1: refused or failed; 2: not active in time, or the service cannot be asked.
${aboutToken}`,
  words: { names: '[FILE]', least: 0, most: 1 },
  options: {
    ...instanceOptions,
    ...waitOptions,
    force: { alias: '-f', summary: 'Deploy although there are errors, or although nothing has changed' },
  },
  examples: ['deploy', 'deploy sync.yaml --service https://sync.example.com --timeout 600'],
  run: async (call) => deployFile(call, await readDeployable(call)),
});

export type DeployCall = Call<'service' | 'directory' | 'no-wait' | 'timeout' | 'force'>;

/** Sure to be a sync config, and without errors of its own, unless they are to be ignored. */
export async function readDeployable({
  words,
  world,
  has,
  text,
  progress,
}: DeployCall): Promise<CheckedFile> {
  const path = findSyncConfig(words[0], world.files, text('directory'));
  const checked = checkText(path, await readText(path, world.files), undefined, world);
  if (checked.kind !== 'sync') throw new CliFailure(`${path} is no sync config.`);
  if (!has('force')) refuseErrors(checked, { world, progress });
  return checked;
}

type Telling = Pick<DeployCall, 'world' | 'progress'>;

function refuseErrors(checked: CheckedFile, call: Telling): void {
  if (count([checked], 'error') === 0) return;
  showFindings(checked, call);
  throw new CliFailure(`${checked.path} has errors, so it is not deployed.`, 1);
}

/** On standard error: they are not the answer. */
function showFindings(checked: CheckedFile, { world, progress }: Telling): void {
  progress.end();
  const paint = paintFor(world.terminal.errors, world.env);
  for (const line of textLines([checked], paint, true)) world.complain(line);
}

/** @param instance instead of the one that the command line and its surroundings name */
export async function deployFile(call: DeployCall, own: CheckedFile, instance?: Instance): Promise<Answer> {
  const { world, progress, has } = call;
  const { text } = own;
  const timeout = call.number('timeout') ?? 300;
  const deploySafely = async (api: Api): Promise<Answer> => {
    progress.show('Checking …');
    const [checked = own] = await askedService(api, [own], world);
    if (!has('force')) refuseErrors(checked, call);
    // A service may know of what we cannot see: tables without a publication, for example.
    if (!has('quiet')) showFindings(checked, call);
    const before = await api.diagnose({ content: true }, world.signal);
    const { active, pending } = before;
    if (active?.content === text && pending === undefined && !has('force'))
      return {
        code: 0,
        json: { kind: 'unchanged', slot: active.slot },
        lines: [`${active.slot} is active, with this very config: nothing to deploy.`],
      };
    const isSent = pending?.content === text && !has('force');
    const slot = isSent ? pending.slot : await send(api, text, before, world);
    if (has('no-wait')) return { code: 0, json: { kind: 'sent', slot }, lines: [`${slot} is deployed.`] };
    progress.show(`${slot} is deployed. Waiting until it is active …`);
    return answerOf(await untilActive(api, slot, { world, progress, timeout }), timeout);
  };
  return withService(call, deploySafely, instance);
}
