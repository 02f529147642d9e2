/** Completes entire entries of maps whose keys the user chooses, and entire files. */
import type { FileKind } from '../../engine/index.ts';
import type { WordPlace } from '../../engine/yaml/outline/outline.ts';
import type { Completion, Insert } from './item.ts';

interface Entry {
  /** The keys above the entry. */
  readonly path: string;
  readonly label: string;
  readonly detail: string;
  readonly insert: Insert;
}

const cte: Omit<Entry, 'path'> = {
  label: 'CTE',
  detail: 'a named SELECT',
  insert: [
    { stop: 'my_lists' },
    ': SELECT id FROM ',
    { stop: 'lists' },
    ' WHERE ',
    { stop: 'owner_id' },
    ' = auth.user_id()',
  ],
};

const entries: readonly Entry[] = [
  {
    path: '',
    label: 'sync config',
    detail: 'a config with one stream',
    insert: [
      'config:\n  edition: 3\n\nstreams:\n  ',
      { stop: 'my_tasks' },
      ':\n    auto_subscribe: true\n    query: |\n      SELECT * FROM ',
      { stop: 'tasks' },
      ' WHERE ',
      { stop: 'owner_id' },
      ' = auth.user_id()\n',
    ],
  },
  {
    path: 'streams',
    label: 'stream',
    detail: 'rows of one user',
    insert: [
      { stop: 'my_tasks' },
      ':\n  query: |\n    SELECT * FROM ',
      { stop: 'tasks' },
      ' WHERE ',
      { stop: 'owner_id' },
      ' = auth.user_id()',
    ],
  },
  {
    path: 'streams',
    label: 'stream for everyone',
    detail: 'rows that all clients get',
    insert: [
      { stop: 'categories' },
      ':\n  auto_subscribe: true\n  query: SELECT * FROM ',
      { stop: 'categories' },
    ],
  },
  {
    path: 'streams',
    label: 'stream with a parameter',
    detail: 'rows that a client asks for',
    insert: [
      { stop: 'list' },
      ':\n  query: |\n    SELECT * FROM ',
      { stop: 'tasks' },
      ' WHERE ',
      { stop: 'list_id' },
      " = subscription.parameter('",
      { stop: 'list_id' },
      "')",
    ],
  },
  { path: 'with', ...cte },
  { path: 'streams/*/with', ...cte },
  {
    path: 'bucket_definitions',
    label: 'bucket definition',
    detail: 'parameters and data',
    insert: [
      { stop: 'by_user' },
      ':\n  parameters: SELECT request.user_id() AS user_id\n  data:\n    - SELECT * FROM ',
      { stop: 'tasks' },
      ' WHERE ',
      { stop: 'owner_id' },
      ' = bucket.user_id',
    ],
  },
  {
    path: 'event_definitions',
    label: 'event',
    detail: 'raised for changed rows',
    insert: [{ stop: 'task_changed' }, ':\n  payloads:\n    - SELECT id FROM ', { stop: 'tasks' }],
  },
];

/** Entries in braces, where a comma or bracket would end an unquoted string. */
const flowEntries: readonly Entry[] = [
  {
    path: 'streams',
    label: 'stream',
    detail: 'rows of one user',
    insert: [
      { stop: 'my_tasks' },
      ': { query: "SELECT * FROM ',
      { stop: 'tasks' },
      ' WHERE ',
      { stop: 'owner_id' },
      ' = auth.user_id()" }',
    ],
  },
  {
    path: 'streams',
    label: 'stream for everyone',
    detail: 'rows that all clients get',
    insert: [
      { stop: 'categories' },
      ': { auto_subscribe: true, query: "SELECT * FROM ',
      { stop: 'categories' },
      '" }',
    ],
  },
];

/** Returns an entire access test file for the config at this path. */
export function wholeTests(config: string): Insert {
  return [
    `config: ${config}\nusers:\n  `,
    { stop: 'ada' },
    ':\n    id: ',
    { stop: 'u1' },
    '\nrows:\n  ',
    { stop: 'tasks' },
    ':\n    - { id: ',
    { stop: 't1' },
    ', ',
    { stop: 'owner_id' },
    ': ',
    { stop: 'u1', again: true },
    ' }\ntests:\n  - name: ',
    { stop: 'Who gets what' },
    '\n    expect:\n      ',
    { stop: 'ada', again: true },
    ':\n        ',
    { stop: 'tasks', again: true },
    ': [',
    { stop: 't1', again: true },
    ']\n',
  ];
}

export function namedEntries(
  { path, word, flow, siblings }: WordPlace,
  kind: FileKind,
): readonly Completion[] {
  // A file of tests that contains a sync config would become a sync config.
  if (kind === 'tests') return [];
  const form = path.map(({ key }, index) => (index === 1 ? '*' : (key ?? '-'))).join('/');
  return (flow ? flowEntries : entries)
    .filter((entry) => entry.path === form && (form !== '' || siblings().size === 0))
    .map(({ label, detail, insert }) => ({ label, kind: 'snippet', detail, insert, span: word, rank: 0 }));
}
