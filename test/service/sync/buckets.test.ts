import { describe, expect, test } from 'vitest';
import type {
  BoundedAnswer,
  GivenBucket,
  Reason,
  RequestEvaluation,
  RequestResult,
  SyncRequest,
} from '../../../server/engine/plan/evaluate/requests.ts';
import { requestDocument } from '../../../server/engine/plan/evaluate/scope.ts';
import type { SqlValue } from '../../../server/engine/plan/values/value.ts';
import { ServiceError } from '../../../server/service/ground/errors.ts';
import { giveBuckets } from '../../../server/service/sync/buckets.ts';
import type { Limits } from '../../../server/service/sync/overLimit.ts';

const limits: Limits = { maxBucketsPerConnection: 4, maxParameterQueryResults: 5, overLimit: 'client' };

interface Situation {
  readonly limits?: Partial<Limits>;
  /** The keys that the evaluation reads, by step. */
  readonly steps?: readonly (readonly string[])[];
  /** The number of values of each key. */
  readonly values?: Readonly<Record<string, number>>;
  /** The names of the buckets that the evaluation returns. */
  readonly buckets?: readonly string[];
  /** Whether these buckets come from lookups. */
  readonly lookedUp?: boolean;
  /** The number of buckets of a request for one of these streams only. Such a request reads the key with the stream's name. */
  readonly streams?: Readonly<Record<string, number>>;
  readonly failures?: RequestResult['failures'];
  /** The reasons why the evaluation returns these buckets. */
  readonly reasons?: readonly Reason[];
}

const reason = { stream: 's', subscription: 'default' as const };
const plans = [
  { name: 's', isDefault: true },
  { name: 't', isDefault: true },
  { name: 'u', isDefault: false },
  { name: 'v', isDefault: false },
];

/**
 * Runs a scripted evaluation. Returns the requests that were evaluated, the reads, the answers that the evaluation got, and the
 * client's buckets or refusal.
 */
async function give(
  {
    steps = [],
    values = {},
    buckets = [],
    reasons = [reason],
    lookedUp = false,
    streams = {},
    failures = [],
    limits: changed,
  }: Situation,
  asking: Partial<SyncRequest> = {},
) {
  const reads: string[] = [];
  const answers: string[] = [];
  const asked: string[] = [];
  const bucketsNamed = (names: readonly string[]) =>
    names.map((bucket): GivenBucket => ({ bucket, priority: 3, reasons, lookedUp }));
  const request = {
    claims: requestDocument('{}'),
    connection: requestDocument('{}'),
    subscriptions: [],
    includeDefaults: true,
    ...asking,
  };
  function* evaluation({ includeDefaults, subscriptions }: SyncRequest): RequestEvaluation {
    const names = subscriptions.map(({ stream }) => stream);
    asked.push([...(includeDefaults ? ['defaults'] : []), ...names].join(' '));
    const count = includeDefaults ? undefined : streams[names[0] ?? ''];
    if (count !== undefined) {
      yield names;
      return { buckets: bucketsNamed(Array.from({ length: count }, String)), failures: [], lookups: [] };
    }
    for (const keys of steps) answers.push(described(yield keys));
    return { buckets: bucketsNamed(buckets), failures, lookups: steps.flat() };
  }
  const lookups = async (_at: number, keys: readonly string[], most = Number.POSITIVE_INFINITY) => {
    reads.push(`${keys.join(' ')} up to ${most}`);
    let left = most + 1;
    const found = new Map<string, readonly (readonly SqlValue[])[]>();
    // One value more than the limit shows the caller that there are too many.
    for (const key of keys) {
      const count = Math.min(left, values[key] ?? 0);
      left -= count;
      found.set(
        key,
        Array.from({ length: count }, (_, index) => [BigInt(index)]),
      );
    }
    return found;
  };
  const grant = giveBuckets(
    { deployment: 1, revision: 1, plans, evaluator: { request: evaluation } },
    request,
    {
      reader: { lookups },
      at: 1,
      limits: { ...limits, ...changed },
    },
  );
  const refusal = await grant.then(
    () => undefined,
    (error: unknown) => (error instanceof ServiceError ? `${error.code}: ${error.details}` : String(error)),
  );
  return { asked, reads, answers, refusal, grant: refusal === undefined ? await grant : undefined };
}

function described(answer: BoundedAnswer): string {
  return [...answer]
    .map(([key, found]) => `${key} ${found === 'too-many' ? found : found.length}`)
    .join(', ');
}

test('A bucket names the default streams and the subscriptions that it belongs to', async () => {
  const reasons: readonly Reason[] = [
    { stream: 't', subscription: 'default' },
    { stream: 'u', subscription: 0 },
  ];
  const { grant } = await give({ buckets: ['a'], reasons }, { subscriptions: [{ stream: 'u' }] });
  expect(grant?.buckets).toEqual([{ bucket: 'a', priority: 3, subscriptions: [{ default: 1 }, { sub: 0 }] }]);
  expect(grant?.streams.map(({ name }) => name)).toEqual(['s', 't', 'u']);
});

test('A client without the default streams has only the streams of its subscriptions', async () => {
  const { grant } = await give({}, { includeDefaults: false, subscriptions: [{ stream: 'u' }] });
  expect(grant?.streams).toEqual([{ name: 'u', is_default: false, errors: [] }]);
});

describe('a client whose entire request is refused above the limit', () => {
  test('gets as many buckets as the limit allows', async () => {
    const { grant } = await give({ buckets: ['a', 'b', 'c', 'd'] });
    expect(grant?.buckets).toHaveLength(4);
  });

  test('is refused with one more bucket, and the refusal names the streams with the most buckets', async () => {
    const { refusal } = await give({ buckets: ['a', 'b', 'c', 'd', 'e'] });
    expect(refusal).toMatch(
      /^SVC_S2305: It would have 5 buckets.* is 4\. Buckets by stream: s \(5\), t \(5\)\./,
    );
  });

  test('may have more buckets from lookups than the limit of values, because only values count', async () => {
    const limits = { maxParameterQueryResults: 2 };
    const { grant } = await give({ limits, buckets: ['a', 'b', 'c'], lookedUp: true });
    expect(grant).toMatchObject({ buckets: { length: 3 }, refusals: [] });
  });

  test('is refused if one of its streams looks up too much, and not because of another failure', async () => {
    const refused = await give({ failures: [{ reason, code: 'too-many-results', routes: [] }] });
    expect(refused.refusal).toMatch(/^SVC_S2305: /);
    const { grant } = await give({ failures: [{ reason, code: 'invalid-json', routes: [] }] });
    expect(grant?.streams[0]).toMatchObject({ name: 's', errors: [{ subscription: 'default' }] });
  });

  test('gets a refusal that names its three largest streams, the worst first', async () => {
    const streams = { s: 1, t: 2, u: 0, v: 3 };
    const subscriptions = ['u', 'v', 's'].map((stream) => ({ stream }));
    const { asked, refusal } = await give(
      { buckets: ['a', 'b', 'c', 'd', 'e'], streams, values: { u: 6 } },
      { subscriptions },
    );
    expect(asked).toEqual(['defaults u v s', 's s', 't', 'u', 'v']);
    expect(refusal).toMatch(/ Buckets by stream: u \(too many to count\), v \(3\), t \(2\)\. /);
  });

  test('may look up as many values as the limit allows, in all steps together', async () => {
    const { grant, reads } = await give({
      steps: [['l[1]', 'l[2]'], ['m[1]']],
      values: { 'l[1]': 2, 'm[1]': 3 },
    });
    expect(reads).toEqual(['l[1] l[2] up to 5', 'm[1] up to 3']);
    expect(grant).toBeDefined();
  });

  test('is refused with one more value', async () => {
    const { refusal } = await give({ steps: [['l[1]'], ['m[1]']], values: { 'l[1]': 2, 'm[1]': 4 } });
    expect(refusal).toMatch(
      /^SVC_S2305: Its streams look up more than 5 values.*: s \(too many to count\), t/,
    );
  });

  test.each([
    [5, 'l[1] l[2] l[3] l[4] l[5] up to 5'],
    [6, undefined],
  ])('with %d keys reads %s', async (count, read) => {
    const keys = Array.from({ length: count }, (_, index) => `l[${index + 1}]`);
    const { reads, refusal } = await give({ steps: [keys] });
    expect(reads[0]).toBe(read);
    expect(refusal === undefined).toBe(read !== undefined);
  });

  test('gets a refusal that names only its own streams', async () => {
    const buckets = ['a', 'b', 'c', 'd', 'e'];
    const asking = { includeDefaults: false, subscriptions: [{ stream: 'u' }] };
    expect((await give({ buckets }, asking)).refusal).toMatch(/Buckets by stream: u \(5\)\./);
  });
});

describe('a client of which only single streams are refused above the limit', () => {
  const stream = { overLimit: 'stream' } as const;
  /** Twenty times the limit. */
  const most = 100;

  test('gets all buckets if they are within the limit', async () => {
    const { grant } = await give({ limits: stream, buckets: ['a', 'b', 'c', 'd'] });
    expect(grant).toMatchObject({ refusals: [], streams: [{ name: 's', errors: [] }, { name: 't' }] });
    expect(grant?.buckets).toHaveLength(4);
  });

  test('gets an error for a stream that exceeds the limit', async () => {
    const { grant } = await give({ limits: stream, buckets: ['a', 'b', 'c', 'd', 'e'] });
    expect(grant?.buckets).toEqual([]);
    expect(grant?.refusals).toEqual([{ reason, buckets: 5, limit: 'buckets', most: 4 }]);
    expect(grant?.streams).toMatchObject([
      { name: 's', errors: [{ subscription: 'default' }] },
      { name: 't', errors: [] },
    ]);
  });

  test('may read twenty times the limit in one step', async () => {
    const values = { 'l[1]': 60, 'l[2]': 40 };
    const { reads, answers } = await give({ limits: stream, steps: [['l[1]', 'l[2]'], ['m[1]']], values });
    expect(reads).toEqual([`l[1] l[2] up to ${most}`, 'm[1] up to 0']);
    expect(answers).toEqual(['l[1] 60, l[2] 40', 'm[1] 0']);
  });

  test('reads keys one by one if together they have too many values, and only keys over the limit fail', async () => {
    const values = { 'l[1]': 101, 'l[2]': 30, 'l[3]': 70, 'l[4]': 1, 'm[1]': 1 };
    const steps = [['l[1]', 'l[2]', 'l[3]', 'l[4]'], ['m[1]']];
    const { reads, answers } = await give({ limits: stream, steps, values });
    expect(reads).toEqual([
      'l[1] l[2] l[3] l[4] up to 100',
      'l[1] up to 100',
      'l[2] up to 100',
      'l[3] up to 70',
      'l[4] up to 0',
      'm[1] up to 0',
      'm[1] up to 0',
    ]);
    expect(answers).toEqual(['l[1] too-many, l[2] 30, l[3] 70, l[4] too-many', 'm[1] too-many']);
  });

  test('reads only the lookups with the fewest keys if there are too many keys', async () => {
    const keysOf = (lookup: string, count: number) =>
      Array.from({ length: count }, (_, index) => `${lookup}["[${index}]"]`);
    const { answers, reads } = await give({
      limits: stream,
      steps: [[...keysOf('l', 60), ...keysOf('m', 40), ...keysOf('n', 1)]],
    });
    const read = answers[0]?.split(', ').filter((each) => !each.endsWith('too-many')) ?? [];
    expect(read).toEqual([...keysOf('m', 40), ...keysOf('n', 1)].map((key) => `${key} 0`));
    expect(reads[0]).toBe(`${[...keysOf('n', 1), ...keysOf('m', 40)].join(' ')} up to ${most}`);
  });

  test('reads as many keys as the limit allows', async () => {
    const keys = Array.from({ length: most }, (_, index) => `l[${index}]`);
    const { answers } = await give({ limits: stream, steps: [keys] });
    expect(answers[0]).not.toMatch('too-many');
    const more = await give({ limits: stream, steps: [[...keys, 'm[1]']] });
    expect(more.answers[0]?.match(/too-many/g)).toHaveLength(most);
  });

  test('reads several lookups whose keys together reach the limit', async () => {
    const keysOf = (lookup: string, count: number) =>
      Array.from({ length: count }, (_, index) => `${lookup}[${index}]`);
    const { answers } = await give({
      limits: stream,
      steps: [[...keysOf('l', 60), ...keysOf('m', 40), ...keysOf('n', 61)]],
    });
    expect(answers[0]?.match(/too-many/g)).toHaveLength(61);
  });
});
