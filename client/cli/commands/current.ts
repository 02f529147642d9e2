import { command } from '../command.ts';
import { CliFailure } from '../failure.ts';
import { aboutToken, instanceOptions, withService } from '../instance.ts';

export const current = command({
  name: 'current',
  summary: 'Show the sync config that a service runs',
  about: `Prints the sync config that is active, as it was deployed.

Exit code 1: there is none.

${aboutToken}`,
  options: { ...instanceOptions, pending: { summary: 'The one that is being copied instead' } },
  examples: ['current > deployed.yaml'],
  run: async (call) => {
    const which = call.has('pending') ? 'pending' : 'active';
    const diagnosis = await withService(call, (api) => api.diagnose({ content: true }, call.world.signal));
    const deployed = diagnosis[which];
    if (deployed?.content === undefined) throw new CliFailure(`No sync config is ${which}.`, 1);
    const { slot, content } = deployed;
    return { code: 0, json: { slot, content }, lines: [content.replace(/\n$/, '')] };
  },
});
