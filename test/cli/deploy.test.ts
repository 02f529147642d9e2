import { describe, expect, test } from 'vitest';
import type { AffectedUsers } from '../../client/api/affectedUsers.ts';
import type { Deployment, Diagnosis } from '../../client/api/answers.ts';
import type { Api } from '../../client/api/api.ts';
import { ApiFailure } from '../../client/api/failure.ts';
import type { DeployPlan } from '../../client/api/plan.ts';
import { headwater } from '../support/cli/cliWorld.ts';
import { forecastWith } from '../support/cli/forecast.ts';

const content = 'config: { edition: 3 }\nstreams:\n  a: { query: SELECT id FROM lists }\n';
const files = { 'sync.yaml': content };

function deployed(slot: string, more: Partial<Deployment> = {}): Deployment {
  return { slot, copied: true, tables: [], errors: [], ...more };
}

/** A service that returns these answers one after another, and then repeats the last one. */
function service(answers: readonly Partial<Diagnosis>[], more: Partial<Api> = {}): Partial<Api> {
  let at = 0;
  return {
    validate: async () => [],
    plan: async () => undefined,
    affectedUsers: async () => undefined,
    schema: async () => undefined,
    forecastOf: async () => undefined,
    deploy: async () => ({ slot: 'new' }),
    diagnose: async () => {
      const answer = answers[Math.min(at, answers.length - 1)];
      at += 1;
      return { at: 0, sources: [], ...answer };
    },
    ...more,
  };
}

async function deploy(api: Partial<Api>, ...args: string[]) {
  let now = 0;
  const world = {
    now: () => now,
    pause: async (milliseconds: number) => {
      now += milliseconds;
    },
  };
  const { code, out, err } = await headwater(
    ['deploy', 'sync.yaml', '--service', 'http://127.0.0.1:1', ...args],
    { files, api, world },
  );
  return { code, out, err: err.slice(1) };
}

const before = { active: deployed('old', { content: 'other' }) };
const copying = { ...before, pending: deployed('new', { copied: false }) };
const broken = {
  ...before,
  pending: deployed('new', { errors: [{ level: 'fatal', message: 'No such table.' }] }),
};

const forecast = forecastWith([{ values: ['ada'], buckets: 295, results: 295, reference: 1_235 }]);

test('deploy lists the clients that would be over a limit before it sends a config', async () => {
  const sent: string[] = [];
  const api = service([before], {
    forecastOf: async (content) => {
      expect([content, sent]).toEqual([files['sync.yaml'], []]);
      return forecast;
    },
    deploy: async (content) => {
      sent.push(content);
      return { slot: 'new' };
    },
  });
  const { code, err } = await deploy(api, '--no-wait');
  expect([code, sent.length]).toEqual([0, 1]);
  expect(err.join('\n')).toContain('auth.user_id() = "ada": 1,235 of 1,000 results in PowerSync');
});

test('deploy continues if the service fails to forecast limits', async () => {
  const forecastOf = async () => {
    throw new ApiFailure('refused', 'no');
  };
  expect((await deploy(service([before], { forecastOf }), '--no-wait')).code).toBe(0);
});

describe('the report of gained and lost rows', () => {
  const own =
    'config: { edition: 3 }\nstreams:\n  a: { query: SELECT id FROM lists WHERE owner = auth.user_id() }\n';
  const api = (text: string) =>
    service([{ active: deployed('old', { content: text }) }], { schema: async () => ({}) });

  test('is printed before a config is sent', async () => {
    const { err } = await deploy(api(own), '--no-wait');
    expect(err.join('\n')).toContain(
      'For example: Anybody gets lists list-1 through the stream a, with lists: [{ id: list-1 }]',
    );
    expect((await deploy(api(own), '--no-wait', '--quiet')).err).toEqual([]);
  });

  test('is part of the JSON output, with an access test that shows each change', async () => {
    const { out, err } = await deploy(api(own), '--no-wait', '--json');
    expect(JSON.parse(out.join('\n')).access).toEqual({
      changes: [
        {
          kind: 'gained',
          stream: 'a',
          table: 'lists',
          test: { user: 'witness: {}', lines: expect.arrayContaining(['  lists: [{ id: list-1 }]']) },
        },
      ],
      verdict: 'refuted',
      notProvenBecauseOf: [],
      tried: expect.any(Number),
      exhausted: true,
    });
    expect(err.join('\n')).not.toContain('Anybody');
  });

  test('is not printed if no user gains or loses rows', async () => {
    const { err } = await deploy(api(content.replace('SELECT', 'select')), '--no-wait');
    expect(err.join('\n')).not.toContain('For example');
  });
});

describe('a deployment', () => {
  test('is waited for until it is active', async () => {
    const api = service([before, copying, copying, { active: deployed('new') }]);
    expect(await deploy(api)).toMatchObject({ code: 0, out: ['new is active.'] });
  });

  test('that is already being copied is waited for, and is not sent again', async () => {
    const same = { ...before, pending: deployed('same', { content, copied: false }) };
    const api = service([same, same, { active: deployed('same') }]);
    expect(await deploy(api)).toMatchObject({ code: 0, out: ['same is active.'] });
    expect(await deploy(service([same]), '--force', '--no-wait')).toMatchObject({
      out: ['new is deployed.'],
    });
  });

  test('is not waited for with --no-wait', async () => {
    expect(await deploy(service([before]), '--no-wait')).toMatchObject({
      code: 0,
      out: ['new is deployed.'],
    });
  });

  test('that does not become active is reported with its errors', async () => {
    expect(await deploy(service([before, broken]), '--quiet')).toEqual({
      code: 1,
      out: ['new has errors and is not active. The previous config stays active.', '  No such table.'],
      err: [],
    });
  });

  test('becomes active after a temporary error', async () => {
    const api = service([before, broken, copying, broken, copying, { active: deployed('new') }]);
    expect(await deploy(api)).toMatchObject({ code: 0 });
  });

  test('that takes too long ends the command with 2, but continues', async () => {
    expect(await deploy(service([before, copying]), '--timeout', '60', '--json')).toMatchObject({ code: 2 });
  });

  test('that another one replaces is reported as replaced', async () => {
    const api = service([before, { ...before, pending: deployed('newer') }]);
    expect(await deploy(api)).toMatchObject({
      code: 1,
      out: ['Another deployment has replaced new.'],
    });
  });

  test('of the active config is skipped', async () => {
    const api = service([{ active: deployed('old', { content }) }], {
      deploy: () => Promise.reject(new Error('it must not be deployed')),
    });
    expect(await deploy(api)).toMatchObject({ code: 0, out: [expect.stringContaining('nothing to deploy')] });
  });

  test('of a config that the service rejects is not started', async () => {
    const api = service([before], {
      validate: async () => [{ level: 'fatal', message: 'No connection configured' }],
      deploy: () => Promise.reject(new Error('it must not be deployed')),
    });
    const { code, err } = await deploy(api, '--quiet');
    expect(code).toBe(1);
    expect(err).toEqual([
      'sync.yaml error service No connection configured',
      'sync.yaml has errors, so it was not deployed.',
    ]);
  });

  test('shows the warnings of the service, and continues', async () => {
    const warning = { level: 'warning', message: 'No publication', location: { start: 0, end: 6 } } as const;
    const api = service([before], { validate: async () => [warning] });
    const { code, out, err } = await deploy(api, '--no-wait');
    expect({ code, out }).toEqual({ code: 0, out: ['new is deployed.'] });
    expect(err).toContain('sync.yaml:1:1 warning service No publication');
    expect((await deploy(api, '--no-wait', '--quiet')).err).toEqual([]);
  });

  test('to a service that reads its config from a file fails with an explanation', async () => {
    const api = service([before], {
      deploy: () => Promise.reject(new ApiFailure('refused', 'Sync config API disabled', { code: 'S4105' })),
    });
    const { code, err } = await deploy(api, '--quiet');
    expect(code).toBe(1);
    expect(err[0]).toMatch(/its own service config/);
  });
});

test('deploy waits for a service that restarts in the meantime', async () => {
  const answers = service([before, { active: deployed('new') }]);
  let calls = 0;
  const api = {
    ...answers,
    diagnose: async (...args: Parameters<Api['diagnose']>) => {
      calls += 1;
      if (calls === 2) throw new ApiFailure('unreachable', 'nothing listens there');
      return (answers.diagnose as Api['diagnose'])(...args);
    },
  };
  expect(await deploy(api)).toMatchObject({ code: 0 });
});

test('reprocess starts only one copy, even if the answer to its request is lost', async () => {
  const active = deployed('old', { content });
  let copies = 0;
  const api = {
    diagnose: async () => ({ at: 0, sources: [], active, ...(copies > 0 && { pending: deployed('copy') }) }),
    reprocess: async () => {
      copies += 1;
      throw new ApiFailure('lost', 'The connection broke.');
    },
  };
  const { code, out } = await headwater(['reprocess', '--no-wait', '--service', 'http://127.0.0.1:1'], {
    api,
  });
  expect({ code, out, copies }).toEqual({ code: 0, out: ['copy is being copied again.'], copies: 1 });
});

describe('a table or column that the source lacks', () => {
  const schema = (...columns: string[]) => ({
    connections: [
      {
        schemas: [
          { name: 'public', tables: [{ name: 'lists', columns: columns.map((name) => ({ name })) }] },
        ],
      },
    ],
  });
  const columns = content.replace('SELECT id FROM lists', '"SELECT id, title FROM lists"');
  const services = (answer: unknown) => {
    const said: string[] = [];
    const api = service([before, { active: deployed('new') }], {
      schema: async () => answer,
      deploy: async () => {
        said.push('sent');
        return { slot: 'new' };
      },
    });
    return { said, api };
  };

  test.each([
    ['a column', schema('id'), 'unknown-column', 'There is no column title'],
    ['a table', { connections: [] }, 'unknown-table', 'There is no table lists'],
  ])('is reported before the deploy and after it: %s', async (_, answer, code, sentence) => {
    const { said, api } = services(answer);
    const complain = (line: string) => said.push(line);
    const { out } = await headwater(['deploy', 'sync.yaml', '--service', 'http://127.0.0.1:1'], {
      files: { 'sync.yaml': columns },
      api,
      world: { complain },
    });
    const at = said.findIndex((line) => line.includes(code));
    expect(at).toBeGreaterThan(-1);
    expect(at).toBeLessThan(said.indexOf('sent'));
    expect(out).toEqual(['new is active.', expect.stringContaining(`Warning: ${sentence}`)]);
  });

  test.each([
    [['--service', 'http://127.0.0.1:1']],
    [['--schema', 'service', '--service', 'http://127.0.0.1:1']],
  ])('is reported by validate %j', async (args) => {
    const { api } = services(schema('id'));
    const { out } = await headwater(['validate', 'sync.yaml', ...args], {
      files: { 'sync.yaml': columns },
      api,
    });
    expect(out.join('\n')).toContain('`lists` has no column `title`');
  });
});

describe('--plan', () => {
  const plan: DeployPlan = {
    outcome: 'copy',
    replacesPending: true,
    streams: [
      { name: 'a', change: 'rows', downloaded: true },
      { name: 'other', change: 'gone', downloaded: false },
    ],
    tables: [
      { schema: 'public', name: 'lists', rows: 1_234_567 },
      { schema: 'public', name: 'new' },
    ],
  };
  const never = async (): Promise<never> => {
    throw new Error('nothing is deployed');
  };
  const affected: AffectedUsers = {
    users: 2,
    streams: [
      {
        name: 'a',
        changes: [
          { kind: 'gained', table: 'lists', user: { id: 'b', name: 'Brian' }, rows: 1, example: 'l1' },
        ],
        more: 0,
        unknown: [],
      },
    ],
  };
  const old = deployed('old', {
    content: content.replace('SELECT id FROM lists', '"SELECT id, name FROM lists"'),
  });
  const planning = service([{ active: old }], { plan: async () => plan, deploy: never });

  test('shows the page before a deploy, and deploys nothing', async () => {
    const { code, out } = await deploy({ ...planning, affectedUsers: async () => affected }, '--plan');
    expect([code, out]).toEqual([
      0,
      [
        'The copy in progress will be dropped.',
        'Whether all tables and columns exist is unknown: the service does not report its tables.',
        '',
        'a: clients download it again',
        '  Columns lost      name of lists',
        '  Columns gained    none',
        '  Who gains         Brian gains rows of lists: 1 (such as l1)',
        expect.stringMatching(/^ {2}Who loses {9}none of the known users \(2\)$/),
        '  Rows to copy      about 1,234,567 (lists)',
        '  Clients download  all rows of this stream',
        '',
        'The whole deploy',
        '  Rows to copy  Copied tables: 2, rows: about 1,234,567, and an unknown number in 1 of the tables.',
        '  Time          unknown until the copy has begun',
      ],
    ]);
    const { out: json } = await deploy(planning, '--plan', '--json');
    expect(JSON.parse(json.join('\n'))).toEqual({ file: 'sync.yaml', plan });
    const withUsers = await deploy({ ...planning, affectedUsers: async () => affected }, '--plan', '--json');
    expect(JSON.parse(withUsers.out.join('\n'))).toMatchObject({ affectedUsers: affected });
  });

  test('shows which clients would be over a limit', async () => {
    const answers = { ...planning, forecastOf: async () => forecast };
    expect((await deploy(answers, '--plan')).out.join('\n')).toContain(
      `auth.user_id() = "ada": 1,235 of 1,000 results in PowerSync's service, which refuses this client`,
    );
    const { out } = await deploy(answers, '--plan', '--json');
    expect(JSON.parse(out.join('\n'))).toMatchObject({ overLimits: [{ of: 'reference', count: 1235 }] });
  });

  test('reports that other services do not support it', async () => {
    const { code, out } = await deploy({ ...planning, plan: async () => undefined }, '--plan');
    expect([code, out.join()]).toEqual([0, expect.stringMatching(/^This service does not report/)]);
  });
});
