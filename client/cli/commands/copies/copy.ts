import type { CopyOutcome } from '../../../api/answers.ts';
import type { CopyRequest } from '../../../api/api.ts';
import { nameAtStart } from '../../../api/deployedConfig.ts';
import { isFailure } from '../../../api/failure.ts';
import { type Answer, command } from '../../command.ts';
import { rateRange } from '../../deployment.ts';
import { CliFailure } from '../../failure.ts';
import { aboutToken, instanceOptions, withService } from '../../instance.ts';

const actions = ['pause', 'resume', 'rate', 'give-up'] as const;

export const copy = command({
  name: 'copy',
  summary: 'Pause, resume, slow down or give up the copy in progress',
  about: `A deploy copies rows, and the previous config is served until all rows are copied. This command controls that copy.

\`pause\` stops the copy until \`resume\`, even after a restart of the service. The active config continues to follow the source.
\`resume\` continues where the copy stopped; a table without a single-column key starts again with its first row. \`rate ROWS\`
copies at most this many rows per second, on average, and \`rate none\` removes this limit. \`give-up\` deletes the copied rows;
the previous config stays active.

\`headwater status\` shows the progress of the copy and the remaining time. A copy of all tables has its own replication slot, for
which the source keeps its log even while the copy is paused.

Exit code 0: done; 1: nothing is being copied, or the service refused; 2: the service did not answer.

${aboutToken}`,
  words: {
    names: 'pause|resume|rate|give-up [ROWS]',
    least: 1,
    most: 2,
    missing: 'Specify an action: pause, resume, rate or give-up.',
    choices: actions,
  },
  options: instanceOptions,
  examples: ['copy pause', 'copy rate 2000', 'copy rate none', 'copy give-up'],
  run: (call) => {
    const order = readOrder(call.words);
    return withService(call, async (api) => {
      try {
        return answerOf(order, await api.controlCopy(order, call.world.signal));
      } catch (error) {
        if (isFailure(error, 'refused') && error.facts.code === 'S4110')
          throw new CliFailure('Nothing is being copied. `headwater status` shows the active config.', 1, {
            cause: error,
          });
        if (isFailure(error) && error.facts.status === 404)
          throw new CliFailure(
            'This service cannot pause, slow down or give up a copy. Only a Headwater service can.',
            1,
            {
              cause: error,
            },
          );
        throw error;
      }
    });
  },
});

function readOrder([word, rate]: readonly string[]): CopyRequest {
  const action = actions.find((each) => each === word);
  if (action === undefined)
    throw new CliFailure(`Unknown action: ${word ?? 'none'}. Specify one of these: ${actions.join(', ')}.`);
  if (action !== 'rate') {
    if (rate !== undefined) throw new CliFailure(`\`headwater copy ${action}\` takes no number.`);
    return { action };
  }
  if (rate === 'none') return { action, rowsPerSecond: null };
  const [least, most] = rateRange;
  const rows = Number(rate ?? '');
  if (rate === undefined || !Number.isSafeInteger(rows) || rows < least || rows > most)
    throw new CliFailure(
      `\`headwater copy rate\` needs a whole number of rows per second, from ${least} to ${most}, or \`none\`.`,
    );
  return { action, rowsPerSecond: rows };
}

function answerOf(order: CopyRequest, outcome: CopyOutcome): Answer {
  return { code: 0, json: outcome, lines: [sentenceOf(order, outcome)] };
}

function sentenceOf({ action }: CopyRequest, outcome: CopyOutcome): string {
  if (outcome.kind === 'given up')
    return 'The copy was given up. The rows that it has stored are being deleted.';
  const { kind, limit } = outcome;
  const name = nameAtStart(outcome);
  const isPaused = kind === 'paused';
  if (action === 'rate' && isPaused)
    return limit === undefined
      ? `The copy no longer has a rate. ${name} is still paused.`
      : `The rate is now at most ${limit} rows per second. ${name} is still paused.`;
  const rate = limit === undefined ? '' : `, with at most ${limit} rows per second`;
  return isPaused ? `${name} is paused${rate}.` : `${name} is being copied${rate}.`;
}
