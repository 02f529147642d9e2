import { nameAtStart } from '../../../api/deployedConfig.ts';
import { reprocessOnce } from '../../../deploying/once.ts';
import { command } from '../../command.ts';
import { answerOf, timeoutOf, untilActive, waitOptions } from '../../deployment.ts';
import { aboutToken, instanceOptions, withService } from '../../instance.ts';

export const reprocess = command({
  name: 'reprocess',
  summary: 'Copy all rows again, with the active config',
  about: `Makes the service copy all rows from its source again, with the active config. The old copy is served until the new one is
complete. With --stream, only the rows of that stream are copied, and clients download only these rows again.

Exit code 0: the new copy is active; 1: the request was refused or failed; 2: the new copy was not active in time, or the
service did not answer.

${aboutToken}`,
  options: {
    ...instanceOptions,
    ...waitOptions,
    stream: { value: 'NAME', many: true, summary: 'Copy only this stream; can be specified several times' },
  },
  examples: ['reprocess --no-wait', 'reprocess --stream lists'],
  run: async (call) => {
    const { world, progress } = call;
    const timeout = timeoutOf(call);
    return withService(call, async (api) => {
      const before = await api.diagnose({}, world.signal);
      const streams = call.texts('stream');
      const sent = await reprocessOnce(api, before, world, streams.length > 0 ? streams : undefined);
      if (call.has('no-wait'))
        return answerOf({ kind: 'unfollowed', why: 'unasked', sent }, timeout, 'is being copied again');
      progress.show(`${nameAtStart(sent)} is being copied again …`);
      return answerOf(await untilActive(api, sent, { world, progress, timeout }), timeout);
    });
  },
});
