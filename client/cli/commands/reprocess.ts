import { reprocessOnce } from '../../deploying/once.ts';
import { command } from '../command.ts';
import { answerOf, timeoutOf, untilActive, waitOptions } from '../deployment.ts';
import { aboutToken, instanceOptions, withService } from '../instance.ts';

export const reprocess = command({
  name: 'reprocess',
  summary: 'Copy everything anew, with the config that is active',
  about: `Lets the service copy all rows anew from its source, with the config that is active. The old copy goes on
serving until the new one is complete.

Exit code 0: active; 1: refused or failed; 2: not active in time, or the service cannot be asked.

${aboutToken}`,
  options: { ...instanceOptions, ...waitOptions },
  examples: ['reprocess --no-wait'],
  run: async (call) => {
    const { world, progress } = call;
    const timeout = timeoutOf(call);
    return withService(call, async (api) => {
      const before = await api.diagnose({}, world.signal);
      const slot = await reprocessOnce(api, before, world);
      if (call.has('no-wait'))
        return answerOf({ kind: 'unfollowed', why: 'unasked', slot }, timeout, 'is being copied');
      progress.show(`${slot} is being copied …`);
      return answerOf(await untilActive(api, slot, { world, progress, timeout }), timeout);
    });
  },
});
