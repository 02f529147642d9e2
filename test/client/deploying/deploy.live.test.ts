import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Api, openApi } from '../../../client/api/api.ts';
import { ApiFailure } from '../../../client/api/failure.ts';
import {
  type DeployParts,
  deployConfig,
  type Outcome,
  type Question,
  type SourceCheck,
} from '../../../client/deploying/flow.ts';
import { pageOf } from '../../../client/deploying/page.ts';
import { explainFailure, summaryOf } from '../../../client/deploying/reviewWords.ts';
import type { ReviewResult } from '../../../server/protocol.ts';
import {
  deploy as deployThere,
  type ForeignService,
  foreignToken,
  openForeignService,
} from '../../support/processes/foreignService.ts';

const config = 'streams:\n  lists:\n    query: SELECT * FROM lists\n';
const good: ReviewResult = {
  isSyncConfig: true,
  errors: 0,
  warnings: 1,
  playedDown: [],
  streams: [
    { name: 'lists', change: 'rows', tables: ['lists'] },
    { name: 'old', change: 'gone', tables: [] },
  ],
  streamCount: 4,
  dropped: [{ table: 'old' }, { table: 'lists', column: 'colour' }],
};

const nothingWrong: SourceCheck = { missing: [], warnings: [] };
const lacking: SourceCheck = {
  missing: [
    { table: 'todos', readBy: ['mine', 'ours'] },
    { table: 'lists', column: 'size', readBy: ['mine'] },
  ],
  warnings: ['[SVC_S1145] Row level security is enabled on "public"."lists".'],
};

let service: ForeignService;
let api: Api;
let questions: Question[];

beforeEach(async () => {
  service = await openForeignService();
  api = openApi({ url: service.url, token: foreignToken });
  questions = [];
});

afterEach(async () => {
  await api.close();
  await service.close();
});

/** Deploys to a service that activates the deployment during the first pause. */
function run(parts: Partial<DeployParts> = {}): Promise<Outcome> {
  return deployConfig({
    api,
    content: config,
    review: async () => good,
    lastContent: undefined,
    confirm: async (question) => {
      questions.push(question);
      return true;
    },
    onStage: () => {},
    policy: { same: 'leave', end: 'active' },
    limits: { pause: { first: 1, longest: 1, growth: 1 }, mostFailures: 3, mostSilences: 30 },
    asks: {},
    hasTime: () => true,
    pause: async () => service.activate(),
    following: new AbortController().signal,
    ...parts,
  });
}

test('A cancelled deploy asks no question and sends nothing', async () => {
  const controller = new AbortController();
  const check = async () => {
    controller.abort();
    return nothingWrong;
  };
  expect(await run({ check, preparing: controller.signal })).toEqual({ kind: 'declined' });
  expect(questions).toEqual([]);
  expect(deploys()).toBe(0);
  await expect(run({ preparing: controller.signal })).rejects.toMatchObject({ kind: 'cancelled' });
});

const deploys = () => service.requests.filter((request) => request.endsWith('/deploy')).length;

describe('A deploy', () => {
  test('is followed until it is active', async () => {
    const stages: string[] = [];
    let looks = 0;
    const outcome = await run({
      onStage: ({ kind }) => stages.push(kind),
      pause: async () => {
        looks += 1;
        if (looks === 3) service.activate();
      },
    });
    expect(outcome).toMatchObject({
      kind: 'active',
      sent: { slot: 'powersync_1_a1b2', configNumber: 1 },
      review: good,
    });
    expect(stages).toEqual(['sent', 'copying', 'copying']);
    expect(service.state.active?.content).toBe(config);
    expect(questions).toEqual([
      {
        review: good,
        source: { missing: undefined, warnings: [] },
        changedElsewhere: false,
        replacesPending: false,
        hasDeployed: false,
      },
    ]);
  });

  test.each([
    ['foreign', { ...good, isSyncConfig: false }],
    ['blocked', { ...good, errors: 2 }],
  ] as const)('of a file that is %s asks no question and sends nothing', async (kind, review) => {
    expect((await run({ review: async () => review })).kind).toBe(kind);
    expect([questions, deploys()]).toEqual([[], 0]);
  });

  test('of a config that the service already has sends nothing', async () => {
    service.state.active = { slot: 'powersync_4_x', content: config };
    expect(await run()).toMatchObject({ kind: 'unchanged', pending: false });
    service.state.pending = { slot: 'powersync_5_x', content: config };
    expect(await run()).toMatchObject({ kind: 'unchanged', pending: true });
    expect(deploys()).toBe(0);
  });

  test('that the user declines sends nothing', async () => {
    expect((await run({ confirm: async () => false })).kind).toBe('declined');
    expect(deploys()).toBe(0);
  });

  test('warns in its question about deploys by other users', async () => {
    service.state.active = { slot: 'powersync_4_x', content: 'streams: {}' };
    service.state.pending = { slot: 'powersync_5_x', content: 'streams:' };
    await run({ lastContent: 'streams: {}' });
    expect(questions[0]).toMatchObject({ changedElsewhere: true, replacesPending: true });
    // The same warning appears if another user has deployed a config into the same deployment.
    service.state.pending = undefined;
    service.state.active = { slot: 'powersync_4_x', content: 'streams: # theirs' };
    await run({ lastContent: 'streams: {}' });
    expect(questions[1]).toMatchObject({ changedElsewhere: true });
    service.state.active = { slot: 'powersync_6_x', content: 'streams: {}' };
    await run({ lastContent: 'streams: {}' });
    expect(questions[2]).toMatchObject({ changedElsewhere: false });
  });

  test('works without a language server', async () => {
    expect(await run({ review: async () => undefined })).toMatchObject({ kind: 'active' });
  });

  test('that makes no progress reports why', async () => {
    service.state.error = { message: 'no replication id', ts: new Date().toISOString() };
    expect(await run({ pause: async () => {} })).toMatchObject({
      kind: 'failed',
      errors: [{ message: 'no replication id' }],
    });
  });

  test('is no longer followed after another deploy replaces it', async () => {
    expect(await run({ pause: async () => void deployThere(service.state, 'streams: {}') })).toMatchObject({
      kind: 'replaced',
    });
  });

  test('is not cancelled when the user stops following it', async () => {
    const following = new AbortController();
    const outcome = await run({
      onStage: ({ kind }) => {
        if (kind === 'sent') following.abort();
      },
      following: following.signal,
    });
    expect(outcome).toMatchObject({
      kind: 'unfollowed',
      sent: { slot: 'powersync_1_a1b2', configNumber: 1 },
      why: 'stopped',
    });
  });

  test('continues when the service is briefly unreachable', async () => {
    let looks = 0;
    const answer = api.diagnose;
    const unsteady = {
      ...api,
      diagnose: async (...asked: Parameters<typeof answer>) => {
        looks += 1;
        if (looks > 1 && looks < 6) throw new ApiFailure('unreachable', 'Gone.');
        return answer(...asked);
      },
    };
    expect(await run({ api: unsteady })).toMatchObject({ kind: 'active' });
  });
});

test('The source is checked before the user is asked', async () => {
  const order: string[] = [];
  await run({
    check: async () => {
      order.push('check');
      return lacking;
    },
    confirm: async ({ source }) => {
      order.push('question');
      expect(source).toEqual(lacking);
      return true;
    },
  });
  expect(order).toEqual(['check', 'question']);
});

test('The question is asked again if the service has another config when it is answered', async () => {
  const { state } = service;
  await run({
    isSlowToConfirm: true,
    confirm: async (question) => {
      questions.push(question);
      if (questions.length === 1) deployThere(state, 'streams: {}');
      return questions.length < 3;
    },
  });
  expect(questions.map(({ hasDeployed, replacesPending }) => [hasDeployed, replacesPending])).toEqual([
    [false, false],
    [true, true],
  ]);
});

describe('The messages of a deploy', () => {
  const outcomes: Readonly<Record<Outcome['kind'], [Outcome, string]>> = {
    foreign: [{ kind: 'foreign' }, 'This is not a sync config.'],
    blocked: [{ kind: 'blocked', errors: 2, playedDown: [] }, 'Not deployed: the file has 2 errors.'],
    unchanged: [
      { kind: 'unchanged', sent: { slot: 'a' }, pending: false, source: nothingWrong },
      'staging already has exactly this config.',
    ],
    declined: [{ kind: 'declined' }, 'Not deployed.'],
    active: [
      { kind: 'active', sent: { slot: 'a' }, review: good, source: nothingWrong },
      'Deployed to staging: 4 streams replicating. Clients no longer have the stream old, the table old, the column colour of lists.',
    ],
    failed: [
      {
        kind: 'failed',
        sent: { slot: 'a' },
        review: good,
        source: nothingWrong,
        errors: [{ level: 'fatal', message: 'No key.' }],
      },
      'staging accepted the config, but cannot copy: No key.',
    ],
    replaced: [
      { kind: 'replaced', sent: { slot: 'a' }, review: good, source: nothingWrong },
      'staging accepted the config, but another deploy replaced it.',
    ],
    unfollowed: [
      { kind: 'unfollowed', sent: { slot: 'a' }, review: good, source: nothingWrong, why: 'silence' },
      'staging accepted the config. It is not known yet whether it is active.',
    ],
  };

  test.each(Object.entries(outcomes))('%s', (_, [outcome, sentence]) => {
    expect(summaryOf(outcome, 'staging')).toBe(sentence);
  });

  test('name the tables and columns that the source lacks, before and after the deploy', () => {
    const problems = [
      'There is no table todos, which mine, ours read.',
      'There is no column size in the table lists, which mine reads.',
      '[SVC_S1145] Row level security is enabled on "public"."lists".',
    ];
    const facts = { changedElsewhere: false, replacesPending: false, hasDeployed: true };
    expect(pageOf({ review: good, source: lacking, ...facts }).blocks).toEqual(problems);
    const active: Outcome = { kind: 'active', sent: { slot: 'a' }, review: good, source: lacking };
    expect(summaryOf(active, 'staging')).toMatch(/^Deployed to staging: .*todos, which mine, ours read/);
    const unchanged: Outcome = { kind: 'unchanged', sent: { slot: 'a' }, pending: false, source: lacking };
    expect(summaryOf(unchanged, 'local')).toContain(problems.join(' '));
  });

  test('name the errors whose severity the settings lower', () => {
    const outcome: Outcome = { kind: 'blocked', errors: 1, playedDown: ['unknown-key: `streems` …'] };
    expect(summaryOf(outcome, 'staging').split('\n')).toEqual([
      'Not deployed: the file has 1 error.',
      'The setting headwater.diagnostics.severity changes the severity of these errors:',
      '  unknown-key: `streems` …',
    ]);
  });

  test('report that a deploy continues after the user stops following it', () => {
    expect(
      summaryOf(
        { kind: 'unfollowed', sent: { slot: 'a' }, review: good, source: nothingWrong, why: 'stopped' },
        'staging',
      ),
    ).toBe(
      'staging accepted the config and continues to deploy it. Its progress is no longer followed here.',
    );
  });

  test.each(['S4105', 'S4106', 'S4104'])('explain the code %s', (code) => {
    const failure = new ApiFailure('refused', 'no', { code, details: 'see config/service.yaml' });
    expect(explainFailure(failure)).toMatch(
      code === 'S4105' ? /part of the service config.*see config/ : /there/,
    );
  });
});
