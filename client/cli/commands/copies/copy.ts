import type { CopyOutcome } from '../../../api/answers.ts';
import type { CopyRequest } from '../../../api/api.ts';
import { isFailure } from '../../../api/failure.ts';
import { type Answer, command } from '../../command.ts';
import { rateRange } from '../../deployment.ts';
import { CliFailure } from '../../failure.ts';
import { aboutToken, instanceOptions, withService } from '../../instance.ts';

const actions = ['pause', 'resume', 'rate', 'give-up'] as const;

export const copy = command({
  name: 'copy',
  summary: 'Pause, resume, slow or give up what is being copied',
  about: `A deploy copies rows, and the former config is served until all are there. This command controls that copy.

\`pause\` reads nothing more from the source until \`resume\`, also after a restart of the service. The active config continues
to follow the source. \`resume\` continues where the copy was; a table without a single-column key starts with its first row
again. \`rate ROWS\` copies at most so many rows in a second, on average, and \`rate none\` as fast as possible again. \`give-up\`
deletes what is copied; the former config stays.

\`headwater status\` shows how far the copy is and how long it takes. A copy of everything has a replication slot of its own, for
which the source keeps its log, also while the copy is paused.

Exit code 0: done; 1: nothing is being copied, or refused; 2: the service did not answer.

${aboutToken}`,
  words: {
    names: 'pause|resume|rate|give-up [ROWS]',
    least: 1,
    most: 2,
    missing: 'what to do: pause, resume, rate or give-up',
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
          throw new CliFailure('Nothing is being copied: `headwater status` shows what is active.', 1, {
            cause: error,
          });
        if (isFailure(error) && error.facts.status === 404)
          throw new CliFailure('This service cannot pause, slow or give up a copy: only Headwater can.', 1, {
            cause: error,
          });
        throw error;
      }
    });
  },
});

function readOrder([word, rate]: readonly string[]): CopyRequest {
  const action = actions.find((each) => each === word);
  if (action === undefined)
    throw new CliFailure(`\`headwater copy\` can ${actions.join(', ')}, and not ${word ?? 'nothing'}.`);
  if (action !== 'rate') {
    if (rate !== undefined) throw new CliFailure(`\`headwater copy ${action}\` takes no number.`);
    return { action };
  }
  if (rate === 'none') return { action, rowsPerSecond: null };
  const [least, most] = rateRange;
  const rows = Number(rate ?? '');
  if (rate === undefined || !Number.isSafeInteger(rows) || rows < least || rows > most)
    throw new CliFailure(
      `\`headwater copy rate\` needs a whole number of rows in a second, from ${least} to ${most}, or \`none\`.`,
    );
  return { action, rowsPerSecond: rows };
}

function answerOf(order: CopyRequest, outcome: CopyOutcome): Answer {
  return { code: 0, json: outcome, lines: [sentenceOf(order, outcome)] };
}

function sentenceOf({ action }: CopyRequest, outcome: CopyOutcome): string {
  if (outcome.kind === 'given up') return 'The copy is given up, and what it has stored is being deleted.';
  const { kind, slot, limit } = outcome;
  const isPaused = kind === 'paused';
  if (action === 'rate' && isPaused)
    return limit === undefined
      ? `The copy has no rate any more. ${slot} is still paused.`
      : `The rate is set: at most ${limit} rows in a second. ${slot} is still paused.`;
  const rate = limit === undefined ? '' : `, with at most ${limit} rows in a second`;
  return isPaused ? `${slot} is paused${rate}.` : `${slot} is being copied${rate}.`;
}
