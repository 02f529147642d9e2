/** A project for the tools for agents, and calls of each tool. */
import { expect } from 'vitest';

export const config = `config:
  edition: 3
streams:
  lists:
    auto_subscribe: true
    query: SELECT * FROM lists WHERE owner_id = auth.user_id()
`;

export const project = {
  'sync.yaml': config,
  'schema.sql': 'create table lists (id uuid primary key, owner_id text, name text);\n',
  'rooms.sync-test.yaml': `config: sync.yaml
users: { ada: { id: ada }, eve: { id: eve } }
rows: { lists: [{ id: '1', owner_id: ada }] }
tests:
  - name: everybody gets their own
    expect: { ada: { lists: all }, eve: nothing }
`,
};

export const oldConfig = 'bucket_definitions:\n  all:\n    data: [SELECT * FROM lists]\n';

/** Calls of each tool that succeed without a service, and a part of each answer. */
export const calls: readonly (readonly [name: string, input: object, part: object])[] = [
  ['validate_config', {}, { errors: 0, findings: [] }],
  [
    'validate_config',
    { text: config.replace('lists WHERE', 'list WHERE') },
    {
      warnings: 1,
      findings: [
        {
          code: 'unknown-table',
          from: '6:26',
          to: '6:30',
          fixes: [{ title: 'Write lists', edits: [{ from: '6:26', to: '6:30', text: 'lists' }] }],
        },
      ],
    },
  ],
  [
    'fix_config',
    { text: config.replace('streams', 'stremas') },
    { repaired: { 'unknown-key': 1 }, errors: 0, left: [], lines: config.split('\n') },
  ],
  ['explain_code', { code: 'unknown-function' }, { code: 'unknown-function' }],
  ['explain_code', { code: 'SVC_S0001' }, { code: 'SVC_S0001' }],
  ['describe_schema', {}, { tables: ['lists(id uuid, owner_id text, name text)'] }],
  ['describe_schema', { tables: ['nothing'] }, { tables: [] }],
  [
    'describe_config',
    {},
    {
      streams: [
        {
          name: 'lists',
          about: expect.stringMatching(
            /^stream, no subscription required, priority 3\n\nEach user gets rows of lists\./,
          ),
        },
      ],
    },
  ],
  [
    'describe_config',
    { text: config.replace('owner_id = auth.user_id()', "auth.parameter('role') = 'admin'") },
    {
      streams: [
        { about: expect.stringMatching(/Users \(only if auth.*\) get .*shared by all clients that get it/s) },
      ],
    },
  ],
  [
    'explain_row',
    { table: 'lists', row: { id: '1', owner_id: 'ada' } },
    { yes: true, lines: ['lists sync.yaml:6:26', expect.stringContaining('goes to bucket lists|0["ada"]')] },
  ],
  [
    'preview_user',
    { user: 'ada', rows: { lists: [{ id: '1', owner_id: 'ada' }] } },
    { yes: true, lines: [expect.stringContaining('lists|0["ada"]'), expect.stringContaining('"id":"1"')] },
  ],
  ['run_access_tests', {}, { yes: true }],
  ['find_counterexample', { table: 'lists', holds: 'owner_id = auth.user_id()', seconds: 1 }, { yes: true }],
  ['find_counterexample', { table: 'lists', holds: "name = 'mine'", seconds: 1 }, { yes: false }],
  [
    'find_counterexample',
    { text: config.replace(/ WHERE.*/, ''), table: 'lists', holds: 'owner_id = auth.user_id()', seconds: 1 },
    { yes: false },
  ],
  [
    'describe_config',
    { text: config },
    { streams: [{ about: expect.stringContaining('Checks:\n- `owner_id = auth.user_id()`') }] },
  ],
  ['diff_access', { before: 'sync.yaml', text: config, seconds: 1 }, { yes: true }],
  [
    'diff_access',
    { before_text: config, text: config.replace(/ WHERE.*/, ''), seconds: 1 },
    { yes: false, lines: expect.arrayContaining([expect.stringContaining('gained')]) },
  ],
  ['migrate_config', { text: oldConfig }, { yes: true, lines: expect.arrayContaining(['streams:']) }],
  [
    'generate_schema',
    { language: 'kotlin' },
    { yes: true, lines: expect.arrayContaining([expect.stringContaining('import com.powersync')]) },
  ],
];
