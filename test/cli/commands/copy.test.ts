import { describe, expect, test } from 'vitest';
import type { CopyOutcome, CopyStatus, Deployment } from '../../../client/api/answers.ts';
import type { Api, CopyRequest } from '../../../client/api/api.ts';
import { ApiFailure } from '../../../client/api/failure.ts';
import { headwater } from '../../support/cli/cliWorld.ts';

const service = ['--service', 'http://127.0.0.1:1'];
const content = 'config: { edition: 3 }\nstreams:\n  a: { query: SELECT id FROM lists }\n';

async function copy(args: readonly string[], answer: CopyOutcome | ApiFailure = { kind: 'given up' }) {
  const orders: CopyRequest[] = [];
  const api = {
    controlCopy: async (order: CopyRequest) => {
      orders.push(order);
      if (answer instanceof ApiFailure) throw answer;
      return answer;
    },
  };
  const { code, out, err } = await headwater(['copy', ...args, ...service], { api });
  return { code, out, err, orders };
}

describe('copy', () => {
  test.each<[string, CopyRequest, CopyOutcome, string]>([
    ['pause', { action: 'pause' }, { kind: 'paused', slot: 's' }, 's is paused.'],
    [
      'resume',
      { action: 'resume' },
      { kind: 'copying', slot: 's', limit: 9 },
      's is being copied, with at most 9 rows per second.',
    ],
    [
      'rate 9',
      { action: 'rate', rowsPerSecond: 9 },
      { kind: 'copying', slot: 's', limit: 9 },
      's is being copied, with at most 9 rows per second.',
    ],
    [
      'rate none',
      { action: 'rate', rowsPerSecond: null },
      { kind: 'copying', slot: 's' },
      's is being copied.',
    ],
    [
      'rate 9',
      { action: 'rate', rowsPerSecond: 9 },
      { kind: 'paused', slot: 's', limit: 9 },
      'The rate is now at most 9 rows per second. s is still paused.',
    ],
    [
      'rate none',
      { action: 'rate', rowsPerSecond: null },
      { kind: 'paused', slot: 's' },
      'The copy no longer has a rate. s is still paused.',
    ],
    [
      'give-up',
      { action: 'give-up' },
      { kind: 'given up' },
      'The copy was given up. The rows that it has stored are being deleted.',
    ],
  ])('%s', async (line, order, outcome, sentence) => {
    expect(await copy(line.split(' '), outcome)).toMatchObject({ code: 0, out: [sentence], orders: [order] });
  });

  test.each([
    ['stop', 'Unknown action: stop. Specify one of these: pause, resume, rate, give-up.'],
    ['rate', 'needs a whole number'],
    ['rate 0', 'needs a whole number'],
    ['rate 1.5', 'needs a whole number'],
    ['rate fast', 'needs a whole number'],
    ['pause 7', 'takes no number'],
  ])('%s sends nothing, and explains why', async (line, sentence) => {
    const { code, err, orders } = await copy(line.split(' '));
    expect([code, orders]).toEqual([2, []]);
    expect(err.join('\n')).toContain(sentence);
  });

  test('fails with an explanation if nothing is being copied, or if another service is running', async () => {
    const none = new ApiFailure('refused', 'Nothing is being copied', { code: 'S4110', status: 409 });
    expect(await copy(['pause'], none)).toMatchObject({ code: 1 });
    expect((await copy(['pause'], none)).err.join('\n')).toContain('Nothing is being copied. ');
    const other = new ApiFailure('unsupported', 'No such path', { status: 404 });
    expect((await copy(['pause'], other)).err.join('\n')).toContain('Only a Headwater service can');
  });
});

describe('a deploy', () => {
  const old: Deployment = { slot: 'old', copied: true, tables: [], errors: [], content: 'other' };
  const pending = (status?: CopyStatus): Deployment => ({
    slot: 'new',
    copied: false,
    tables: [],
    errors: [],
    content,
    ...(status && { copy: status }),
  });

  async function deploy(looks: readonly (Deployment | undefined)[], ...args: readonly string[]) {
    let look = -1;
    const sent: unknown[] = [];
    const api: Partial<Api> = {
      validate: async () => [],
      forecastOf: async () => undefined,
      plan: async () => undefined,
      affectedUsers: async () => undefined,
      schema: async () => undefined,
      deploy: async () => {
        sent.push('fast');
        return { slot: 'new' };
      },
      deploySlowly: async (_, { rowsPerSecond }) => {
        sent.push(rowsPerSecond);
        return { slot: 'new' };
      },
      diagnose: async () => {
        look += 1;
        const now = looks[Math.min(look, looks.length - 1)];
        return {
          at: 0,
          sources: [],
          active: now === undefined && look > 0 ? { ...old, slot: 'new', content } : old,
          ...(now && { pending: now }),
        };
      },
    };
    let now = 0;
    const world = {
      now: () => now,
      pause: async (milliseconds: number) => {
        now += milliseconds;
      },
    };
    const files = { 'sync.yaml': content };
    const line = ['deploy', 'sync.yaml', ...service, ...args];
    const { code, err } = await headwater(line, { files, api, world });
    return { code, err: err.join('\n'), sent };
  }

  test('with --rate sends the rate, and shows the remaining time', async () => {
    const status = {
      isPaused: false,
      rows: 10,
      ofRows: 500,
      rowsPerSecond: 5,
      remainingSeconds: 98,
      limit: 5,
    };
    const { code, err, sent } = await deploy([undefined, pending(status), undefined], '--rate', '5');
    expect({ code, sent }).toEqual({ code: 0, sent: [5] });
    expect(err).toContain('Copying: 10 of about 500 rows, 5 a second, at most 5 a second, about 2 min left');
  });

  test('with --rate resends a config that is already being copied, to set the rate', async () => {
    expect((await deploy([pending(), undefined], '--rate', '5')).sent).toEqual([5]);
    expect((await deploy([pending(), undefined])).sent).toEqual([]);
  });

  test('that is paused says how to resume it', async () => {
    const { err } = await deploy([undefined, pending({ isPaused: true, rows: 10, ofRows: 500 }), undefined]);
    expect(err).toContain('Paused: headwater copy resume continues it. 10 of about 500 rows');
  });
});
