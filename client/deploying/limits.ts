/** Sentences about the clients that would be over a limit with a config. */
import type { Amounts, ClientGroup, Forecast } from '../api/forecast.ts';
import { t } from '../l10n.ts';

/** An amount of a client, and the exceeded limit. */
interface OverLimit {
  readonly of: keyof Amounts;
  /** The client. Absent if every client has this amount. */
  readonly who?: string;
  readonly count: number;
  readonly limit: number;
}

/** Returns the clients over a limit, the furthest first. */
export function overLimits({ groups, limits }: Forecast): readonly OverLimit[] {
  const found = groups.flatMap(({ by, most }) =>
    most.flatMap((client) => {
      const who = whoHas(by, client.values);
      const over = (of: keyof Amounts, limit: number): readonly OverLimit[] =>
        client[of] > limit ? [{ of, count: client[of], limit, ...(who !== undefined && { who }) }] : [];
      return [
        ...over('buckets', limits.buckets),
        ...over('results', limits.results),
        ...over('reference', limits.results),
      ];
    }),
  );
  return found.toSorted((a, b) => b.count / b.limit - a.count / a.limit);
}

/** Returns a text such as `auth.user_id() = "ada"`. */
function whoHas(by: ClientGroup['by'], values: readonly unknown[]): string | undefined {
  if (by.length === 0) return undefined;
  return by.map((name, index) => `${name} = ${JSON.stringify(values[index])}`).join(', ');
}

/** The maximum number of clients, so that they can be read at a glance. */
const mostShown = 4;

/** Returns lines about the clients over a limit. Empty if there are none. */
export function limitLines(forecast: Forecast): readonly string[] {
  const over = overLimits(forecast);
  if (over.length === 0) return [];
  const more = over.length - mostShown;
  return [
    t('Over the limit for one client after this deploy:'),
    ...over.slice(0, mostShown).map((each) => `  ${sentenceOf(each)}`),
    ...(more > 0 ? [`  ${t('{0} more', more)}`] : []),
  ];
}

function sentenceOf({ of, who = t('every client'), count, limit }: OverLimit): string {
  const [amount, most] = [count.toLocaleString('en'), limit.toLocaleString('en')];
  switch (of) {
    case 'buckets':
      return t('{0}: {1} of {2} buckets, so streams are left out', who, amount, most);
    case 'results':
      return t('{0}: {1} of {2} results, so streams are left out', who, amount, most);
    case 'reference':
      return t(
        "{0}: {1} of {2} results in PowerSync's service, which refuses this client",
        who,
        amount,
        most,
      );
  }
}
