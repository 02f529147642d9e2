import type { Api } from '../../api/api.ts';
import type { Amounts, ClientGroup, Forecast } from '../../api/forecast.ts';
import { harmless, type Paint } from '../colours.ts';
import { type Answer, type Call, command } from '../command.ts';
import { aboutToken, instanceOptions, withService } from '../instance.ts';

export const limits = command({
  name: 'limits',
  summary: 'Show how close clients are to the limits of a service',
  about: `A client may have 1,000 buckets, and its lookups may read 1,000 values, unless the service is set up otherwise. This
says how many the clients of the active config get: of each stream, for each user that the data knows, with the users who
get the most. Nobody has to be connected.

A value that several rows give counts once as a bucket. It counts several times as a result: so PowerSync's service counts,
which refuses a client that has more. Here, only what does not fit is left out.

Exit code 0: everyone is below the limits; 1: somebody is above; 2: the service cannot be asked. From 80 %, there is a
warning.

${aboutToken}`,
  options: instanceOptions,
  examples: ['limits', 'limits --json'],
  run: (call) => withService(call, (api) => forecast(call, api)),
});

async function forecast({ world, paint, progress }: Call<never>, api: Api): Promise<Answer> {
  progress.show('Counting what clients get …');
  const found = await api.forecast(world.signal);
  const worst = Math.max(0, ...found.groups.map((group) => largestShare(group, found)));
  return {
    code: worst > 1 ? 1 : 0,
    json: found,
    lines: [...linesOf(found, paint)],
    advice:
      worst < near
        ? []
        : ['Select by something with fewer different values, or subscribe only to what is on the screen.'],
  };
}

/** Share of a limit from which there is a warning. */
const near = 0.8;

function largestShare({ buckets, results }: ClientGroup, found: Forecast): number {
  return shareOf({ buckets: buckets.most, results: results.most }, found);
}

function shareOf({ buckets, results }: Amounts, { limits: most }: Forecast): number {
  return Math.max(buckets / most.buckets, results / most.results);
}

function* linesOf(found: Forecast, paint: Paint): Generator<string> {
  const { buckets, results } = found.limits;
  yield `One client may have ${amount(buckets, 'bucket')} and ${amount(results, 'result')}.`;
  for (const group of found.groups) yield* groupLines(group, found, paint);
  for (const { stream, reason } of found.unknown)
    yield paint.yellow(`${harmless(stream)}: not known, ${reasons[reason] ?? 'for a reason that is new'}`);
}

const reasons: Readonly<Record<string, string>> = {
  list: 'because the token or the client brings a list of any length',
  whole: 'because a whole token or all parameters are read as one value',
  subscription: 'because what the client subscribes to decides',
  several: 'because it depends on several values that no row brings together',
};

function* groupLines(group: ClientGroup, found: Forecast, paint: Paint): Generator<string> {
  const { by, clients, evaluated, streams, buckets, results, most } = group;
  const share = largestShare(group, found);
  const colour = share > 1 ? paint.red : share >= near ? paint.yellow : paint.green;
  const who = by.length === 0 ? 'Everyone' : `By ${harmless(by.join(' and '))}, ${amount(clients, 'value')}`;
  const among = evaluated < clients ? ` (of the ${number(evaluated)} with the most rows)` : '';
  yield '';
  yield `${who}: ${colour(`at most ${amount(buckets.most, 'bucket')} and ${amount(results.most, 'result')}`)}${among}`;
  if (by.length > 0) yield `  99 % have at most ${number(buckets.p99)} and ${number(results.p99)}`;
  for (const { name, ...spread } of streams)
    yield `  ${harmless(name)}: at most ${amount(spread.most, 'bucket')}${by.length === 0 ? '' : `, 99 % at most ${number(spread.p99)}`}`;
  if (by.length === 0) return;
  const above = most.filter((each) => shareOf(each, found) >= near);
  for (const each of above.length > 0 ? above : most.slice(0, 3))
    yield `    ${harmless(each.values.map((value) => JSON.stringify(value)).join(', '))}: ${amount(each.buckets, 'bucket')}, ${amount(each.results, 'result')}`;
}

function amount(count: number, what: string): string {
  return `${number(count)} ${what}${count === 1 ? '' : 's'}`;
}

function number(count: number): string {
  return count.toLocaleString('en');
}
