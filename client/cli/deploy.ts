import { paintFor } from './colours.ts';
import { type Answer, type Call, command } from './command.ts';
import { answerOf, send, untilActive, waitOptions } from './deployment.ts';
import { CliFailure } from './failure.ts';
import { aboutToken, instanceOptions, withService } from './instance.ts';
import { findSyncConfig, readText } from './read.ts';
import { checkText, count } from './validate/check.ts';
import { askedService } from './validate/service.ts';
import { textLines } from './validate/text.ts';

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
  run: (call) => deployFile(call),
});

type DeployCall = Call<'service' | 'directory' | 'no-wait' | 'timeout' | 'force'>;

export async function deployFile(call: DeployCall): Promise<Answer> {
  const { world, progress, has } = call;
  const path = findSyncConfig(call.words[0], world.files);
  const text = await readText(path, world.files);
  const own = checkText(path, text, undefined, world);
  if (own.kind !== 'sync') throw new CliFailure(`${path} is no sync config.`);
  const timeout = call.number('timeout') ?? 300;
  return withService(call, async (api) => {
    progress.show('Checking …');
    const [checked = own] = await askedService(api, [own], world);
    if (count([checked], 'error') > 0 && !has('force')) {
      progress.end();
      const paint = paintFor(world.terminal.errors, world.env);
      for (const line of textLines([checked], paint, true)) world.complain(line);
      throw new CliFailure(`${path} has errors, so it is not deployed.`, 1);
    }
    const before = await api.diagnose({ content: true }, world.signal);
    if (before.active?.content === text && before.pending === undefined && !has('force'))
      return {
        code: 0,
        json: { kind: 'unchanged', slot: before.active.slot },
        lines: [`${before.active.slot} is active, with this very config: nothing to deploy.`],
      };
    const slot = await send(api, text, before, world);
    if (has('no-wait')) return { code: 0, json: { kind: 'sent', slot }, lines: [`${slot} is deployed.`] };
    progress.show(`${slot} is deployed. Waiting until it is active …`);
    return answerOf(await untilActive(api, slot, { world, progress, timeout }), timeout);
  });
}
