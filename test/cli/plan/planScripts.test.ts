import { expect, test } from 'vitest';
import type { Api } from '../../../client/api/api.ts';
import type { Rehearsal, Rehearse } from '../../../server/shared/rehearsal.ts';
import { headwater } from '../../support/cli/cliWorld.ts';

const files = {
  'sync.yaml': 'config: { edition: 3 }\nstreams:\n  all: { query: SELECT * FROM lists }\n',
  'db/1.sql': 'CREATE TABLE lists (id text PRIMARY KEY);',
  'db/2.sql': 'ALTER TABLE lists ADD COLUMN done boolean DEFAULT false;',
};
const reason = '"done" was added, and existing rows have a value for it.';
const copied = { schema: 'public', name: 'lists', outcome: 'copied again', reason } as const;
const table = { schema: 'public', name: 'lists', keys: [], errors: [] };
const active = {
  slot: 's',
  errors: [],
  tables: [{ ...table, storedRows: 900, estimatedRows: 1_200 }],
};

async function plan(
  args: readonly string[],
  rehearsal: Partial<Rehearsal>,
  { api, env }: { readonly api?: Partial<Api>; readonly env?: Readonly<Record<string, string>> } = {},
) {
  const questions: Parameters<Rehearse>[0][] = [];
  const rehearse: Rehearse = async (question) => {
    questions.push(question);
    return { kind: 'judged', tables: [], remarks: [], ...rehearsal };
  };
  const world = { rehearse };
  const end = await headwater(['dev', ...args], {
    files,
    world,
    ...(api && { api }),
    ...(env && { env }),
  });
  return { ...end, questions };
}

test('A plan starts no service, and asks only for the named files and the tables of the config', async () => {
  const { code, out, questions, ...end } = await plan(['--plan', 'db/2.sql'], {
    tables: [{ schema: 'public', name: 'lists', outcome: 'nothing' }],
  });
  expect({ code, out }).toEqual({ code: 0, out: ['public.lists: nothing to do'] });
  expect(end.files).toEqual(files);
  expect(questions).toMatchObject([
    {
      schema: [{ path: '/project/db', name: 'db', folder: '/project' }],
      pending: [{ name: 'db/2.sql', text: files['db/2.sql'] }],
      patterns: [{ schema: { text: 'public' }, name: { text: 'lists' } }],
    },
  ]);
});

test('A plan has the approximate number of rows of the service', async () => {
  const api = { diagnose: async () => ({ active, errors: [], connections: [] }) } as unknown as Partial<Api>;
  const env = { POWERSYNC_URL: 'http://127.0.0.1:1' };
  const { code, out } = await plan(['--plan', 'db/2.sql'], { tables: [copied] }, { api, env });
  expect(code).toBe(0);
  expect(out).toEqual([`public.lists: copied again, about 1,200 rows, because ${reason.replace(/\.$/, '')}`]);
  const { out: json } = await plan(['--plan', 'db/2.sql', '--json'], { tables: [copied] }, { api, env });
  expect(JSON.parse(json.join('\n'))).toEqual({ tables: [{ ...copied, rows: 1_200 }], remarks: [] });
});

test('A plan reports that the number of rows is unknown if no service is known', async () => {
  const { code, out, err } = await plan(['--plan', 'db/2.sql'], { tables: [copied] });
  expect(code).toBe(0);
  expect(out[0]).toContain('copied again, an unknown number of rows');
  expect(err.join('\n')).toContain('The numbers of rows are unknown: No service specified.');
});

test.each([
  ['has stored none', { storedRows: 0, estimatedRows: 0 }],
  ['reports only the estimate of the first copy', { estimatedRows: 0 }],
  ['reports only the estimate of the first copy', { estimatedRows: 1_200 }],
  ['reports nothing', {}],
])('A plan claims no number of rows if the service %s', async (_, rows) => {
  const answer = { active: { ...active, tables: [{ ...table, ...rows }] }, errors: [], connections: [] };
  const asked: unknown[] = [];
  const diagnose = async (question: unknown) => {
    asked.push(question);
    return answer;
  };
  const env = { POWERSYNC_URL: 'http://127.0.0.1:1' };
  const api = { diagnose } as unknown as Partial<Api>;
  const { out } = await plan(['--plan', 'db/2.sql'], { tables: [copied] }, { api, env });
  expect(out[0]).toContain('copied again, an unknown number of rows');
  expect(asked).toEqual([{ buckets: true }]);
});

test('The service of --service knows the numbers of rows, and is only for a plan', async () => {
  const api = { diagnose: async () => ({ active, errors: [], connections: [] }) } as unknown as Partial<Api>;
  const args = ['--service', 'http://127.0.0.1:1'];
  const { out } = await plan([...args, '--plan', 'db/2.sql'], { tables: [copied] }, { api });
  expect(out[0]).toContain('about 1,200 rows');
  const { code, err } = await plan(args, {});
  expect({ code, err }).toEqual({ code: 2, err: ['--service works only with --plan.'] });
});

test('A plan without a prediction for every table ends with 1', async () => {
  const remarks = [
    { script: 'db/2.sql', line: 4, kind: 'not run', message: 'relation "x" does not exist.' },
    { script: 'db/2.sql', line: 7, kind: 'rows' },
  ] as const;
  const { code, out } = await plan(['--plan', 'db/2.sql'], {
    tables: [
      { schema: 'public', name: 'lists', outcome: 'unknown', reason: 'a statement was not run here.' },
      { schema: 'app', name: 'places', outcome: 'gone' },
    ],
    remarks,
  });
  expect(code).toBe(1);
  expect(out).toEqual([
    'app.places: no longer exists, so the config reads a missing table, and clients lose its rows',
    'public.lists: unknown, because a statement was not run here',
    'db/2.sql:4: could not be judged: relation "x" does not exist.',
    'db/2.sql:7: changes rows, which are sent individually as usual. Their number is unknown.',
  ]);
});

test.each([
  ['a file of another kind', ['--plan', 'sync.yaml'], '--plan takes SQL files, and sync.yaml is not one.'],
  ['a missing file', ['--plan', 'db/9.sql'], 'db/9.sql'],
])('A plan is refused for %s', async (_, args, message) => {
  const { code, err, questions } = await plan(args, {});
  expect(code).toBe(2);
  expect(err.join('\n')).toContain(message);
  expect(questions).toEqual([]);
});
