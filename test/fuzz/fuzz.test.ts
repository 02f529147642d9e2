/**
 * Runs the stored inputs and some thousand new ones against the targets without sockets, and checks that the fuzzer itself
 * finds mistakes.
 */
import { describe, expect, test } from 'vitest';
import { casesOf } from '../support/house/share.ts';
import { judgeAnswer } from './answers.ts';
import { changeBytes } from './bytes.ts';
import { fuzz } from './fuzz.ts';
import { explainFailure } from './main.ts';
import { budget, judge, type Target } from './target.ts';
import { pureTargets, targets } from './targets.ts';

test.each(pureTargets)('%s handles any input', async (name) => {
  const target = await targets[name]();
  const cases = casesOf(name === 'service-config' ? 200 : 1_500);
  const { failures } = await fuzz(target, { lasts: { cases }, seed: 1 });
  expect(failures.map((failure) => explainFailure(name, failure))).toEqual([]);
});

describe('the fuzzer', () => {
  const sample = (attempt: Target['attempt']): Target => ({
    name: 'sample',
    seeds: [Buffer.from('one two three four five six seven')],
    mutate: changeBytes,
    attempt,
  });

  test('finds a mistake, shrinks its input, and finds the same input again with the same seed', async () => {
    const target = sample((input) => {
      if (input.includes('four') && input.some((byte) => byte > 0x7f)) throw new RangeError('four and more');
      return { feature: String(input.length % 7) };
    });
    const settings = { lasts: { cases: 1_000 }, seed: 3 };
    const { failures } = await fuzz(target, settings);
    expect(failures).toHaveLength(1);
    expect(failures[0]?.input).toHaveLength(5);
    const again = await fuzz(target, settings);
    expect(again.failures.map(({ input }) => input)).toEqual(failures.map(({ input }) => input));
  });

  test('reports attempts that take too much time or memory, and resources that are not released', async () => {
    const held: Buffer[] = [];
    const hold = () => {
      held.push(Buffer.alloc(budget.bytes + 2 ** 26, 1));
      return { feature: 'memory' };
    };
    // Filling that much memory may also take too long, if the machine is busy.
    expect((await judge(sample(hold), Buffer.alloc(0))).failure).toMatch(/ \d+ MiB$/);
    held.length = 0;
    const used = (milliseconds: number) => {
      const readings = [0, milliseconds];
      return () => ({ milliseconds: readings.shift() ?? 0, bytes: 0 });
    };
    const quick = sample(() => ({ feature: 'same' }));
    expect(await judge(quick, Buffer.alloc(0), used(budget.milliseconds))).toEqual({ feature: 'same' });
    expect((await judge(quick, Buffer.alloc(0), used(budget.milliseconds + 1))).failure).toBe(
      `it took ${budget.milliseconds + 1} ms`,
    );
    const target = { ...sample(() => ({ feature: 'same' })), leftovers: async () => '7 × TCPSocketWrap' };
    const { failures } = await fuzz(target, { lasts: { cases: 10 }, seed: 1 });
    expect(failures.map(({ what }) => what)).toEqual(['7 × TCPSocketWrap']);
  });
});

describe('an answer over HTTP', () => {
  const answer = (head: string, body: string, more: object = {}) =>
    judgeAnswer({
      bytes: Buffer.from(`HTTP/1.1 ${head}\r\n\r\n${body}`),
      end: 'closed',
      sent: 100,
      hasToken: true,
      ...more,
    }).failure;
  const error = (code: string, status: number) => JSON.stringify({ error: { code, status } });

  test.each([
    ['a failure of the service', answer('500 x', error('SVC_S2001', 500)), /^the status is 500/],
    ['an error in HTML', answer('404 x', '<html>'), /not JSON/],
    ['an error without a code', answer('400 x', '{"error":{"status":400}}'), /without its code/],
    ['an error of an unknown code', answer('400 x', error('SVC_S9999', 400)), /without its code/],
    [
      'an error with another status than its own',
      answer('400 x', error('SVC_S2001', 401)),
      /without its code/,
    ],
    ['a large error', answer('400 x', 'x'.repeat(70_000)), /^the answer has/],
    [
      'far more bytes than the request has, without a token',
      answer('200 x', 'x'.repeat(9_000), { hasToken: false }),
      /without a token/,
    ],
    ['anything other than HTTP', answer('abc', ''), /^no answer of HTTP/],
    ['nothing at all', answer('', '', { bytes: Buffer.alloc(0), end: 'late' }), /^there is no answer/],
  ])('must not be %s', (_, failure, expected) => {
    expect(failure).toMatch(expected);
  });

  test.each([
    ['an error of the catalogue', answer('400 x', error('SVC_S2001', 400))],
    ['a refusal of HTTP itself', answer('400 x\r\ntransfer-encoding: chunked', '0\r\n\r\n')],
    ['a stream', answer('200 x\r\ntransfer-encoding: chunked', '5\r\nabcde')],
  ])('may be %s', (_, failure) => {
    expect(failure).toBeUndefined();
  });
});
