import type { Api } from '../../api/api.ts';
import type { Amounts, ClientGroup, Forecast, StreamAmounts } from '../../api/forecast.ts';
import { harmless, type Paint } from '../colours.ts';
import { type Answer, type Call, command } from '../command.ts';
import { aboutToken, instanceOptions, withService } from '../instance.ts';

export const limits = command({
  name: 'limits',
  summary: 'Show how close clients are to the limits of a service',
  about: `Unless the service is configured differently, a client may have 1,000 buckets and 1,000 lookup results. This command
shows how many the clients of the active config have, and lists the users with the most. No client has to be connected,
because the users are found in the stored lookups.

Results are counted in two ways. Headwater counts each value once, even if several rows contain it, and leaves out only the
streams that do not fit. PowerSync's service counts each row that it reads for a client, and refuses a client that has too
many.

The limits apply to all streams of a client together. If two streams depend on different values, and no stored row shows which
clients have both values, the maximum of the other stream is added. Such totals are marked with "may have".

Exit code 0: no user is definitely above a limit; 1: a user is, in Headwater or in PowerSync's service; 2: the service did not
answer. Warnings begin at 80 % of a limit.

${aboutToken}`,
  options: instanceOptions,
  examples: ['limits', 'limits --json'],
  run: (call) => withService(call, (api) => forecast(call, api)),
});

async function forecast({ world, paint, progress }: Call<never>, api: Api): Promise<Answer> {
  progress.show('Counting the buckets of clients …');
  const found = await api.forecast(world.signal);
  const sure = Math.max(0, ...found.groups.map((group) => shareOf(mostOf(group), found)));
  const possible = Math.max(sure, ...found.groups.map((group) => shareOf(totalOf(group), found)));
  return {
    code: sure > 1 ? 1 : 0,
    json: found,
    lines: [...linesOf(found, paint)],
    advice:
      possible < near
        ? []
        : [
            'Select rows by a column with fewer distinct values, or subscribe only to the data that is on the screen.',
          ],
  };
}

/** The share of a limit at which warnings begin. */
const near = 0.8;

function shareOf({ buckets, results, reference }: Amounts, { limits: most }: Forecast): number {
  return Math.max(
    shareIn(buckets, most.buckets),
    shareIn(results, most.results),
    shareIn(reference, most.results),
  );
}

/** Returns the used share of a limit. A count of zero never exceeds a limit, even a limit of zero. */
function shareIn(count: number, most: number): number {
  return count === 0 ? 0 : count / most;
}

/** Returns the largest amounts of the streams that depend on the values of the group. */
function mostOf({ buckets, results, reference }: ClientGroup): Amounts {
  return { buckets: buckets.most, results: results.most, reference: reference.most };
}

/** Returns the total, which includes the maximum amounts of all other streams. */
function totalOf(group: ClientGroup): Amounts {
  const { buckets, results, reference } = mostOf(group);
  const { others } = group;
  return {
    buckets: buckets + others.buckets,
    results: results + others.results,
    reference: reference + others.reference,
  };
}

function* linesOf(found: Forecast, paint: Paint): Generator<string> {
  const { buckets, results } = found.limits;
  yield `One client may have ${amount(buckets, 'bucket')} and ${amount(results, 'result')}.`;
  for (const group of found.groups) yield* groupLines(group, found, paint);
  const told = new Set(found.groups.flatMap(({ streams }) => streams.map(({ name }) => name)));
  const untold = found.streams.filter(({ name }) => !told.has(name));
  if (untold.length > 0) yield '';
  for (const stream of untold) yield paint.yellow(untoldLine(stream));
}

function untoldLine({
  name,
  fingerprint: _,
  perElement,
  atMost: __,
  surely: ___,
  ...amounts
}: StreamAmounts): string {
  // The answer does not contain whether clients subscribe to the stream, or get it without a subscription.
  const each = perElement ? 'each element of the list in the request' : 'each client or subscription';
  return `${harmless(name)}: ${each} may add ${inWords(amounts)}`;
}

function* groupLines(group: ClientGroup, found: Forecast, paint: Paint): Generator<string> {
  const { by, clients, streams, most, others } = group;
  const sure = mostOf(group);
  const isAlone = by.length === 0;
  const who = isAlone ? 'Everyone' : `By ${harmless(by.join(' and '))}, ${amount(clients, 'value')}`;
  yield '';
  yield `${who}: ${paintFor(sure, found, paint)(`at most ${inWords(sure)}`)}`;
  if (others.buckets + others.reference > 0)
    yield `  ${paintFor(totalOf(group), found, paint, 'may')(`may have ${inWords(totalOf(group))}`)} with ${harmless(others.streams.join(', '))}`;
  if (!isAlone)
    yield `  99 % have at most ${inWords({ buckets: group.buckets.p99, results: group.results.p99, reference: group.reference.p99 })}`;
  for (const { name, ...amounts } of streams) yield `  ${harmless(name)}: at most ${inWords(amounts)}`;
  if (isAlone) return;
  const above = most.filter((each) => shareOf(each, found) >= near);
  for (const { values, ...amounts } of above.length > 0 ? above : most.slice(0, 3))
    yield `    ${harmless(values.map((value) => JSON.stringify(value)).join(', '))}: ${inWords(amounts)}`;
}

function paintFor(amounts: Amounts, found: Forecast, paint: Paint, certainty: 'has' | 'may' = 'has') {
  const share = shareOf(amounts, found);
  if (share > 1 && certainty === 'has') return paint.red;
  return share >= near ? paint.yellow : paint.green;
}

function inWords({ buckets, reference }: Amounts): string {
  const there = reference > buckets ? ` (${amount(reference, 'result')} in PowerSync's service)` : '';
  return `${amount(buckets, 'bucket')}${there}`;
}

function amount(count: number, what: string): string {
  return `${number(count)} ${what}${count === 1 ? '' : 's'}`;
}

function number(count: number): string {
  return count.toLocaleString('en');
}
