/** The words of each surface for each state of a service. No two surfaces may contradict each other. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Deployment, Diagnosis, ReportedError, TableStatus } from '../../../client/api/answers.ts';
import { shownState } from '../../../client/console/service/stateWords.ts';
import { diagnosisLines } from '../../../client/health/diagnosisLines.ts';
import { type Health, type HealthEvent, isLive, judge, next } from '../../../client/health/health.ts';
import { stateOf } from '../../../client/health/states.ts';
import { wordsFor } from '../../../client/health/words.ts';
import { type Node, nodesOf } from '../../../client/vscode/views/serviceNodes.ts';
import { root } from '../../../scripts/root.ts';

const now = Date.UTC(2026, 0, 1, 12);
const minute = 60_000;
const connected = { kind: 'connected', since: now } as const;

const lists = { schema: 'public', name: 'lists', keys: ['id'], storedRows: 2, errors: [] };
const deployed = (more: Partial<Deployment> = {}): Deployment => ({
  slot: 'slot_1',
  copied: true,
  keepaliveAt: now,
  tables: [lists],
  errors: [],
  ...more,
});
const source = (errors: readonly ReportedError[], connected = errors.length === 0) => [
  { id: 'default', connected, errors },
];
const error = (level: ReportedError['level'], message: string): ReportedError => ({ level, message });

const answers = {
  healthy: { active: deployed() },
  empty: {},
  'nothing deployed, and the source is silent': { sources: source([error('warning', 'Silent for 5 s.')]) },
  'the source is silent': {
    sources: source([error('warning', 'Silent for 5 s.')]),
    active: deployed({ tables: [{ ...lists, keys: [], errors: [error('warning', 'Silent for 5 s.')] }] }),
  },
  'the source is silent during a copy': {
    sources: source([error('warning', 'Silent for 5 s.')]),
    pending: deployed({ copied: false, keepaliveAt: undefined }),
  },
  'the source hangs': {
    sources: source([{ ...error('warning', 'It has not answered for 5 s.'), kind: 'silence' }], false),
    active: deployed(),
  },
  'the source does not answer about its tables': {
    active: deployed({
      tables: [
        { ...lists, keys: [], errors: [{ ...error('warning', 'No answer for 5 s.'), kind: 'silence' }] },
      ],
    }),
  },
  'the source is gone': { sources: source([error('fatal', 'Connection refused.')]), active: deployed() },
  'replication fails': { active: deployed({ errors: [error('fatal', 'The slot is lost.')] }) },
  stalled: { active: deployed({ keepaliveAt: now - 6 * minute }) },
  'just started': { active: deployed({ keepaliveAt: now - 6 * minute, isReplicating: true }) },
  copying: { pending: deployed({ copied: false, tables: [{ ...lists, copied: false, copiedRows: 7 }] }) },
  'a row was left out': { active: deployed({ errors: [error('warning', 'A row was left out.')] }) },
  'the disk is full': {
    sources: source([{ ...error('fatal', 'The disk is full.'), kind: 'full disk' }], true),
    active: deployed(),
  },
  'stalled while another config is copied': {
    active: deployed({ keepaliveAt: now - 6 * minute }),
    pending: deployed({ copied: false, tables: [{ ...lists, copied: false, copiedRows: 7 }] }),
  },
  'a table is missing': {
    active: deployed({
      tables: [{ ...lists, keys: [], errors: [{ level: 'warning', kind: 'missing', message: 'No lists.' }] }],
    }),
  },
} satisfies Readonly<Record<string, { [Key in keyof Diagnosis]?: Diagnosis[Key] | undefined }>>;

/** The text in the status bar, the title in the console, and the icon of the config in the tree. */
const said: Readonly<Record<keyof typeof answers, readonly [string, string, string | undefined]>> = {
  healthy: ['in sync', 'In sync', 'pass'],
  empty: ['nothing deployed', 'Nothing deployed', undefined],
  'nothing deployed, and the source is silent': [
    'waiting for the source',
    'Waiting for the source',
    undefined,
  ],
  'the source is silent': ['waiting for the source', 'Waiting for the source', 'question'],
  'the source is silent during a copy': ['waiting for the source', 'Waiting for the source', 'question'],
  'the source hangs': ['source does not answer', 'Source does not answer', 'question'],
  'the source does not answer about its tables': [
    'source does not answer',
    'Source does not answer',
    'question',
  ],
  'the source is gone': ['source not reachable', 'Source not reachable', 'question'],
  'replication fails': ['replication is failing', 'Replication is failing', 'error'],
  stalled: ['no progress for 6 min', 'No progress for 6 min', 'warning'],
  'just started': ['catching up', 'Catching up', 'sync'],
  copying: ['copying, 7 rows', 'Copying, 7 rows', 'sync'],
  'a row was left out': ['in sync, but 1 problem', 'In sync, but 1 problem', 'pass'],
  'the disk is full': ['disk full', 'Disk full', 'error'],
  'stalled while another config is copied': ['copying, 7 rows', 'Copying, 7 rows', 'warning'],
  'a table is missing': ['no table lists', 'No table lists', 'warning'],
};

const healthOf = (state: keyof typeof answers): Health => {
  const diagnosis = { at: now, sources: source([]), ...answers[state] } as Diagnosis;
  return next({ kind: 'unknown' }, { kind: 'answered', diagnosis });
};

const iconOf = (health: Health): string | undefined => {
  if (!('diagnosis' in health)) return undefined;
  const nodes = nodesOf(health, { name: 'local', url: undefined, local: undefined });
  return nodes.find(({ label }) => ['Active config', 'Being copied'].includes(label))?.icon;
};

test.each(Object.entries(said))('%s', (state, [short, title, icon]) => {
  const health = healthOf(state as keyof typeof answers);
  if (icon === 'question') expect(isLive(health)).toBe(false);
  expect([stateOf(health).title, shownState(connected, health, 0).title, iconOf(health)]).toEqual([
    short,
    title,
    icon,
  ]);
});

test.each(Object.keys(said))(
  '%s is shown as a past state on each surface while an answer is overdue',
  (state) => {
    const late: HealthEvent = { kind: 'overdue', age: 7_000 };
    const health = next(healthOf(state as keyof typeof answers), late);
    expect(isLive(health)).toBe(false);
    expect(wordsFor({ name: 'local', health })).toMatchObject({
      icon: 'question',
      text: 'local: last known 7 s ago',
    });
    expect(shownState(connected, health, 0).title).toBe('Last known 7 s ago');
    expect([undefined, 'question']).toContain(iconOf(health));
  },
);

test.each(Object.entries(said))('%s is explained in docs/OPERATE.md', (_, [short, title]) => {
  const lines = readFileSync(join(root, 'docs/OPERATE.md'), 'utf8').split('\n');
  expect(lines.filter((line) => line.includes(`\`${short}\``) && line.includes(`| ${title} |`))).toHaveLength(
    1,
  );
});

test('An error with progress after it is shown as an earlier one, also in the terminal', () => {
  const errors = [{ ...error('fatal', 'The slot was lost.'), at: now - 2 * minute }];
  const diagnosis = { at: now, sources: source([]), active: deployed({ errors }) };
  const health = next({ kind: 'unknown' }, { kind: 'answered', diagnosis });
  const plain = (text: string) => text;
  const lines = [
    ...diagnosisLines(diagnosis, { red: plain, yellow: plain, green: plain, bold: plain, plain }),
  ];
  const earlier = '2 min ago, with progress since then: The slot was lost.';
  expect(stateOf(health).title).toBe('in sync');
  expect(lines).toEqual(expect.arrayContaining(['  Last progress: 0 s ago', `  Earlier: ${earlier}`]));
  expect(wordsFor({ name: 'local', health }).explanation).toContain(earlier);
});

test.each([
  ['2 rows', lists],
  ['being copied: 7 of about 41,200 rows', { ...lists, copied: false, copiedRows: 7, estimatedRows: 41_200 }],
  ['being copied', { ...lists, copied: false }],
  ['state unknown', { ...lists, keys: [], errors: [error('warning', 'It was not asked.')] }],
  [
    undefined,
    {
      ...lists,
      storedRows: undefined,
      copied: false,
      errors: [{ ...error('warning', 'No.'), kind: 'missing' }],
    },
  ],
] as const)('A table is described as %s in the tree and in the terminal', (words, table) => {
  const diagnosis = { at: now, sources: source([]), active: deployed({ tables: [table as TableStatus] }) };
  const [node] = nodesOf(judge(diagnosis), { name: 'local', url: undefined, local: undefined })
    .flatMap(({ inner = [] }) => inner)
    .filter(({ role }) => role === 'table');
  expect(node?.description).toBe(words ?? '');
  const plain = (text: string) => text;
  const lines = [
    ...diagnosisLines(diagnosis, { red: plain, yellow: plain, green: plain, bold: plain, plain }),
  ];
  expect(lines).toContain(`  Table public.lists${words === undefined ? '' : `: ${words}`}`);
});

test('A warning about the text of the config is listed, but says nothing about the state of the service', () => {
  const finding = { ...error('warning', 'Everyone gets these rows.'), location: { start: 0, end: 1 } };
  const diagnosis = { at: now, sources: source([]), active: deployed({ errors: [finding] }) };
  const health = next({ kind: 'unknown' }, { kind: 'answered', diagnosis });
  expect(wordsFor({ name: 'local', health })).toMatchObject({ tone: 'good', text: 'local' });
  expect(shownState(connected, health, 0).title).toBe('In sync');
  expect(stateOf(health).details).toContain(finding.message);
});

test('A file that is not deployed is named before problems that are only counted, and after a missing table', () => {
  const textOf = (state: keyof typeof answers) =>
    wordsFor({ name: 'local', health: healthOf(state), isDeployed: false }).text;
  expect(textOf('healthy')).toBe('local: not deployed');
  expect(textOf('a row was left out')).toBe('local: not deployed');
  expect(textOf('a table is missing')).toBe('local: no table lists');
});

test('A silent source is reported once on each surface, not again for each table', () => {
  const health = healthOf('the source is silent');
  if (!('diagnosis' in health)) throw new Error('There is no diagnosis.');
  const labelsOf = ({ label, inner = [] }: Node): readonly string[] => [label, ...inner.flatMap(labelsOf)];
  const labels = nodesOf(health, { name: 'local', url: undefined, local: undefined }).flatMap(labelsOf);
  for (const sentences of [
    labels,
    wordsFor({ name: 'local', health }).explanation,
    shownState(connected, health, 0).details,
  ])
    expect(sentences.filter((sentence) => sentence === 'Silent for 5 s.')).toHaveLength(1);
});

test('A copy does not hide that the active config makes no progress', () => {
  expect(isLive(healthOf('copying'))).toBe(true);
  expect(isLive(healthOf('stalled while another config is copied'))).toBe(false);
});

test('Only a live state has a check mark or a green card', () => {
  for (const state of Object.keys(said) as (keyof typeof answers)[]) {
    const health = healthOf(state);
    if (isLive(health)) continue;
    expect([state, wordsFor({ name: 'local', health }).icon]).not.toContain('pass');
    expect([state, shownState(connected, health, 0).tone]).not.toContain('good');
    expect([state, iconOf(health)]).not.toEqual([state, 'pass']);
  }
});
