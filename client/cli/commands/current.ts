import { namesOf } from '../../api/deployedConfig.ts';
import { command } from '../command.ts';
import { CliFailure } from '../failure.ts';
import { aboutToken, instanceOptions, withService } from '../instance.ts';

export const current = command({
  name: 'current',
  summary: 'Show the active sync config of a service',
  about: `Prints the active sync config as it was deployed.

Exit code 1: no config is active.

${aboutToken}`,
  options: {
    ...instanceOptions,
    pending: { summary: 'Show the config that is being copied, instead of the active one' },
  },
  examples: ['current > deployed.yaml'],
  run: async (call) => {
    const which = call.has('pending') ? 'pending' : 'active';
    const diagnosis = await withService(call, (api) => api.diagnose({ content: true }, call.world.signal));
    const deployed = diagnosis[which];
    if (deployed?.content === undefined) throw new CliFailure(`No sync config is ${which}.`, 1);
    const { content } = deployed;
    return { code: 0, json: { ...namesOf(deployed), content }, lines: [content.replace(/\n$/, '')] };
  },
});
