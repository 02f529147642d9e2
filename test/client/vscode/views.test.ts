import { describe, expect, test } from 'vitest';
import type { Deployment, Diagnosis, ReportedError } from '../../../client/api/answers.ts';
import type { ScriptReport } from '../../../client/api/reports/scripts.ts';
import { type AnsweredHealth, next } from '../../../client/health/health.ts';
import { menuOf, stopDeploy } from '../../../client/vscode/views/menu.ts';
import { type Node, nodesOf, spokenText } from '../../../client/vscode/views/serviceNodes.ts';

const at = Date.UTC(2026, 0, 1);

const active: Deployment = {
  slot: 'slot_1',
  copied: true,
  keepaliveAt: at,
  tables: [
    { schema: 'public', name: 'lists', keys: ['id'], errors: [] },
    { schema: 'app', name: 'todos', keys: [], errors: [{ level: 'fatal', message: 'No key.' }] },
  ],
  errors: [],
};

const answered = (diagnosis: Diagnosis): AnsweredHealth =>
  next({ kind: 'unknown' }, { kind: 'answered', diagnosis }) as AnsweredHealth;

const ours: Diagnosis = {
  at,
  sources: [{ id: 'default', uri: 'postgresql://db', connected: true, errors: [] }],
  active: {
    ...active,
    streams: [{ name: 'lists', buckets: 1200 }, { name: 'one', buckets: 1 }, { name: 'huge' }],
  },
  pending: {
    slot: 'slot_2',
    copied: false,
    tables: [
      {
        schema: 'public',
        name: 'a',
        keys: [],
        copied: false,
        copiedRows: 41_200,
        estimatedRows: 80_000,
        errors: [],
      },
      { schema: 'public', name: 'b', keys: [], copied: false, errors: [] },
      { schema: 'public', name: 'c', keys: [], copied: true, copiedRows: 7, errors: [] },
    ],
    streams: [],
    errors: [],
  },
  clients: [{ user: 'ada', client: 'c1', buckets: ['1#lists|0["ada"]'] }],
};

const other = { name: 'staging', url: 'https://sync.example.com', local: undefined };
const shown = (local: Parameters<typeof nodesOf>[1]['local']) => ({
  name: 'local',
  url: 'http://127.0.0.1:8080',
  local,
});

/** Draws each node as an indented line: `icon label: description`. */
function drawn(nodes: readonly Node[], depth = ''): readonly string[] {
  return nodes.flatMap(({ icon, label, description, inner = [] }) => [
    `${depth}${icon} ${label}${description ? `: ${description}` : ''}`,
    ...drawn(inner, `${depth}  `),
  ]);
}

test('Our service is shown with its streams, tables and clients', () => {
  expect(drawn(nodesOf(answered(ours), other))).toEqual([
    'server staging: https://sync.example.com',
    'database Source default: postgresql://db',
    'warning Active config: slot_1',
    '  layers Streams: 3',
    '    symbol-namespace lists: 1,200 buckets',
    '    symbol-namespace one: 1 bucket',
    '    symbol-namespace huge: too many buckets to count',
    '  table lists',
    '  error app.todos',
    '    error No key.',
    'sync Being copied: slot_2',
    '  layers Streams: 0',
    '  sync a: being copied: 41,200 of about 80,000 rows',
    '  sync b: being copied',
    '  table c: 7 rows copied',
    'plug Clients: 1',
    '  account ada: 1 bucket',
  ]);
});

test('Each sentence of an error has a row of its own, but quoted settings are not split', () => {
  const message =
    'Every client can choose `a: b`, at 10:30; none decides. Accept it with `accept_potentially_dangerous_queries: true`. See 1.5 `open';
  const errors: ReportedError[] = [{ level: 'warning', message }];
  const { sources } = ours;
  expect(
    drawn(nodesOf(answered({ at, sources, active: { ...active, tables: [], errors } }), other)).slice(3, -2),
  ).toEqual([
    '  warning Every client can choose `a: b`, at 10:30;',
    '    blank none decides.',
    '    blank Accept it with `accept_potentially_dangerous_queries: true`.',
    '    blank See 1.5 `open',
  ]);
});

test('Facts that another service does not report are not shown as none', () => {
  const { sources } = ours;
  expect(
    drawn(nodesOf(answered({ at, sources, active: { ...active, tables: [] } }), other)).slice(2),
  ).toEqual([
    'pass Active config: slot_1',
    '  question Streams: not reported by this service',
    'question Clients: not reported by this service',
  ]);
});

test('Only the local service has a check box for deploying on save', () => {
  const box = (deploysOnSave: boolean) =>
    nodesOf(answered(ours), shown({ deploysOnSave, ownsDatabase: true, scripts: undefined })).flatMap(
      ({ box }) => box ?? [],
    );
  expect(nodesOf(answered(ours), other).flatMap(({ box }) => box ?? [])).toEqual([]);
  expect(box(false)).toEqual([{ name: 'deployOnSave', isChecked: false }]);
  expect(box(true)).toEqual([{ name: 'deployOnSave', isChecked: true }]);
});

const scripts: ScriptReport = {
  isEmbedded: true,
  applied: 12,
  changed: ['supabase/migrations/1_init.sql'],
  removed: ['supabase/migrations/3_gone.sql'],
  problems: ['supabase/seed does not exist.'],
  skipped: [
    {
      script: 'supabase/migrations/2_more.sql',
      line: 7,
      statement: 'CREATE TABLE a (x nothing)',
      reason: 'failed',
      message: 'type "nothing" does not exist',
      tables: ['public.a'],
    },
    {
      script: 'supabase/migrations/2_more.sql',
      line: 9,
      statement: 'CREATE POLICY p ON a',
      reason: 'failed',
      message: 'no such thing',
      tables: [],
    },
  ],
};

test('Scripts are listed with line and reason, and can be opened, if the local database does not match them', () => {
  const local = { deploysOnSave: false, ownsDatabase: true, scripts };
  const [, source] = nodesOf(answered({ ...ours, pending: undefined } as Diagnosis), shown(local));
  expect(drawn(source ? [source] : [])).toEqual([
    'database Local database: postgresql://db',
    '  warning Migrations: 12 files run · does not match the files',
    '    warning supabase/migrations/2_more.sql:7: left out (affects public.a): type "nothing" does not exist',
    '    warning supabase/migrations/1_init.sql: changed after it was applied',
    '    warning supabase/migrations/3_gone.sql: was applied, but the file is gone',
    '    warning supabase/seed does not exist.',
    '    info Statements left out: 1: not about tables of the project',
    '      circle-outline supabase/migrations/2_more.sql:9: no such thing',
  ]);
  expect(source).toMatchObject({ role: 'ownDatabase', isOpen: true });
  const [failed, , removed] = source?.inner?.[0]?.inner ?? [];
  expect(failed?.opens).toEqual({ script: 'supabase/migrations/2_more.sql', line: 7 });
  expect(removed?.opens).toBeUndefined();
});

test('The service is listed first, with its full address', () => {
  const [own] = nodesOf(
    answered(ours),
    shown({ deploysOnSave: false, ownsDatabase: true, scripts: undefined }),
  );
  expect(own).toMatchObject({
    label: 'Local service',
    description: 'http://127.0.0.1:8080',
    role: 'localService',
  });
  const [remote] = nodesOf(answered(ours), { ...other, name: 'sync.example.com' });
  expect(remote).toMatchObject({ label: 'sync.example.com', description: '', role: 'remoteService' });
});

test('Nodes with menus have a role, and the arguments for the commands in these menus', () => {
  const all = (nodes: readonly Node[]): readonly Node[] =>
    nodes.flatMap((node) => [node, ...all(node.inner ?? [])]);
  const roles = all(nodesOf(answered(ours), other)).map(({ role, table, client }) => ({
    role,
    table,
    client,
  }));
  expect(roles).toContainEqual({ role: 'table', table: 'lists', client: undefined });
  expect(roles).toContainEqual({ role: 'table', table: 'app.todos', client: undefined });
  expect(roles).toContainEqual({ role: 'client', table: undefined, client: { user: 'ada' } });
});

test('The text for screen readers contains the meaning of each icon', () => {
  const all = (nodes: readonly Node[]): readonly Node[] =>
    nodes.flatMap((node) => [node, ...all(node.inner ?? [])]);
  const spoken = all(nodesOf(answered(ours), other)).map(spokenText);
  expect(spoken).toContain('Error, app.todos');
  expect(spoken).toContain('Error, No key.');
  expect(spoken).toContain('lists, 1,200 buckets');
  expect(spoken.filter((text) => /\$\(|undefined|^, |, $/.test(text))).toEqual([]);
});

test('A problem is shown only once, with a row for each sentence', () => {
  const missing =
    'Table "public"."a" not found. The statement that creates it was left out (db/2.sql:7): no type';
  const leftOut = { level: 'warning', kind: 'left out', message: missing } as const;
  const keyless = { level: 'warning', message: '[SVC_S1148] No key. Add one.' } as const;
  const table = (name: string, ...errors: readonly ReportedError[]) => ({
    schema: 'public',
    name,
    keys: [],
    errors,
  });
  const deployed = {
    ...active,
    errors: [leftOut, keyless],
    tables: [table('a', leftOut), table('b', keyless)],
  };
  const diagnosis = { at, sources: ours.sources, active: deployed };
  const configIn = (service: Parameters<typeof nodesOf>[1]) =>
    drawn(nodesOf(answered(diagnosis), service)).join('\n');
  expect(configIn(other)).toContain(`  warning a
    warning Table "public"."a" not found.
      blank The statement that creates it was left out (db/2.sql:7):
      blank no type
  warning b: state unknown
    warning [SVC_S1148] No key.
      blank Add one.`);
  const local = configIn(shown({ deploysOnSave: false, ownsDatabase: true, scripts }));
  expect(local).toContain('  warning a: a statement was left out\n  warning b: state unknown');
  for (const text of [configIn(other), local]) expect(text.match(/No key/g)).toHaveLength(1);
});

test('The number of rows is the number of stored rows, not of rows in the first copy', () => {
  const table = { schema: 'public', name: 'patients', keys: ['id'], copied: true, copiedRows: 0, errors: [] };
  const rows = (facts: object) =>
    drawn(
      nodesOf(answered({ at, sources: [], active: { ...active, tables: [{ ...table, ...facts }] } }), other),
    ).find((line) => line.includes('patients'));
  expect(rows({ storedRows: 300 })).toBe('  table patients: 300 rows');
  expect(rows({ storedRows: 1 })).toBe('  table patients: 1 row');
  // The service does not report the number of rows.
  expect(rows({})).toBe('  table patients: 0 rows copied');
  expect(rows({ copied: false, copiedRows: 7, storedRows: 9 })).toBe('  sync patients: being copied: 7 rows');
});

test('A client is previewed with its subscriptions', () => {
  const subscriptions = [{ stream: 'todos', parameters: { list: '1' } }];
  const clients = [{ user: 'ada', client: 'c1', buckets: [], subscriptions }];
  const [node] = nodesOf(answered({ at, sources: [], clients }), other).at(-1)?.inner ?? [];
  expect(node?.client).toEqual({ user: 'ada', subscriptions });
  expect(node?.tooltip).toContain('todos {"list":"1"}');
});

test('A source that has not answered yet is not shown as unreachable', () => {
  const source = (...levels: readonly ReportedError['level'][]) => {
    const errors = levels.map((level) => ({ level, message: 'No.' }));
    return drawn(nodesOf(answered({ at, sources: [{ id: 'a', connected: false, errors }] }), other))[1];
  };
  // The status bar also shows a source as unreachable if the service does not report why.
  expect(source()).toBe('error Source a: not reachable');
  expect(source('warning')).toBe('loading~spin Source a: does not answer yet');
  expect(source('fatal')).toBe('error Source a: not reachable');
});

describe('The status menu', () => {
  const situation = {
    health: { kind: 'healthy', diagnosis: ours, missed: 0, progressAt: at },
    local: { kind: 'running', url: '', crashes: 0 },
    ownsDatabase: true,
    shortfall: undefined,
    isDeployed: true,
    deploying: undefined,
  } as const;
  const commands = (facts: object = {}) =>
    menuOf({ ...situation, ...facts }).map(({ command }) => command.replace('headwater.', ''));

  test('starts with commands that fix the current problem', () => {
    const items = menuOf({ ...situation, shortfall: { missing: [], scripts } });
    expect(items.slice(0, 3)).toEqual([
      {
        command: 'headwater.openScript',
        label: '$(go-to-file) Open supabase/migrations/2_more.sql:7',
        detail: expect.stringContaining('does not exist'),
        argument: { script: 'supabase/migrations/2_more.sql', line: 7 },
      },
      {
        command: 'headwater.resetLocalDatabase',
        label: '$(discard) Reset Local Database',
        detail: expect.stringContaining('supabase/migrations/2_more.sql:7'),
      },
      expect.objectContaining({ argument: { script: 'supabase/migrations/1_init.sql', line: undefined } }),
    ]);
    expect(commands({ isDeployed: false })[0]).toBe('deploy');
    const missing = [{ table: 'a', readBy: [] }];
    expect(commands({ shortfall: { missing } })[0]).toBe('validateOnService');
  });

  test('starts with the command that ends a running deploy', () => {
    const first = (deploying: 'preparing' | 'following') => menuOf({ ...situation, deploying })[0];
    expect(first('preparing')).toEqual({
      command: 'headwater.deploy',
      label: '$(close) Cancel Deploy',
      argument: stopDeploy,
    });
    expect(first('following')).toMatchObject({ label: '$(close) Stop Following', argument: stopDeploy });
    expect(menuOf(situation).map(({ argument }) => argument)).not.toContain(stopDeploy);
  });

  test('ends with an entry that lists all commands', () => {
    for (const local of [{ kind: 'off' } as const, situation.local])
      expect(menuOf({ ...situation, local }).at(-1)).toMatchObject({ argument: '>Headwater: ' });
  });

  test('offers to enter a token if it is refused or absent, and to start a local service that is off', () => {
    const health = (why: string) => ({ kind: 'refused', why, sentence: 'No.' });
    expect(commands({ health: health('tokenless'), local: undefined })[0]).toBe('giveToken');
    expect(commands({ health: health('unauthorized'), local: undefined })[0]).toBe('giveToken');
    expect(commands({ health: health('foreign'), local: undefined })).not.toContain('giveToken');
    expect(commands({ local: { kind: 'off' } })[0]).toBe('startLocalService');
    expect(commands({ ownsDatabase: false, shortfall: { missing: [], scripts } })).not.toContain(
      'resetLocalDatabase',
    );
  });
});
