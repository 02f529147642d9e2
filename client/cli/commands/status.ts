import type { Deployment, Diagnosis } from '../../api/answers.ts';
import type { Api } from '../../api/api.ts';
import { unlessFailed } from '../../api/failure.ts';
import { describeMissing } from '../../api/missing.ts';
import { diagnosisLines } from '../../health/diagnosisLines.ts';
import { healthOfServing, isHeard, judge } from '../../health/health.ts';
import { listProblems } from '../../health/problems.ts';
import { diagnoseInTime } from '../../health/signOfLife.ts';
import { stateOf } from '../../health/states.ts';
import { harmless } from '../colours.ts';
import { command } from '../command.ts';
import { aboutToken, instanceOptions, withService } from '../instance.ts';
import { missingOnService } from '../project/missing.ts';
import type { World } from '../world.ts';

export const status = command({
  name: 'status',
  summary: 'Show the state of a service',
  about: `Shows a summary of the state, then the source database, the active sync config, the config that is being copied, and all
problems.

Exit code 0: the service answered, even if there are problems; 1: with --check, there are problems; 2: the service did not
answer.

${aboutToken}`,
  options: {
    ...instanceOptions,
    check: {
      summary:
        'Exit with 1 unless a config is active and making progress, without fatal errors or missing tables and columns',
    },
  },
  examples: ['status', 'status --check --quiet'],
  run: async (call) => {
    const { diagnosis, missing, scripts } = await withService(call, (api) =>
      look(api, call.has('check'), call.world),
    );
    const health = judge(diagnosis);
    const { title, tone } = stateOf(health, { missing, ...(scripts && { scripts }) });
    const { kind } = healthOfServing(health);
    // A service that has just started is still catching up.
    const isWell =
      (kind === 'healthy' || kind === 'resuming') &&
      missing.length === 0 &&
      listProblems(diagnosis).every(({ level }) => level !== 'fatal');
    const colour = tone === 'bad' ? 'red' : isWell && tone !== 'warning' ? 'green' : 'yellow';
    return {
      code: call.has('check') && !isWell ? 1 : 0,
      json: { health: health.kind, state: title, ...diagnosis, missing },
      lines: [
        `State: ${call.paint[colour](harmless(title))}`,
        ...diagnosisLines(diagnosis, { ...call.paint, plain: harmless }),
        ...describeMissing(missing).map((line) => `${call.paint.yellow('Warning:')} ${harmless(line)}`),
      ],
    };
  },
});

/** Returns the state, the missing tables and columns of the active config, and the scripts if they differ from the files. */
async function look(api: Api, isCheck: boolean, world: World) {
  // A check does not show the numbers of rows, which take the service some time to count.
  const asks = { clients: true, content: true, buckets: !isCheck };
  const asked = await diagnoseInTime(api, asks, world.signal);
  const { content, ...active } = asked.active ?? {};
  const differs = asked.sources.some(({ errors }) => errors.some(({ kind }) => kind === 'scripts'));
  const scripts = differs ? await unlessFailed(api.scripts(world.signal)) : undefined;
  // A source that does not answer has no known tables.
  const missing =
    content === undefined || !isHeard(asked)
      ? []
      : await missingOnService(api, { path: 'sync.yaml', text: content }, world);
  const diagnosis: Diagnosis = asked.active ? { ...asked, active: active as Deployment } : asked;
  return { diagnosis, missing, scripts };
}
