import { describe, expect, test } from 'vitest';
import type { Deployment, Diagnosis } from '../../../client/api/answers.ts';
import type { ScriptReport } from '../../../client/api/reports/scripts.ts';
import { age } from '../../../client/health/amounts.ts';
import { type Health, type HealthEvent, longestPause, next } from '../../../client/health/health.ts';
import { type StatusWords, spokenWords, wordsFor } from '../../../client/health/words.ts';

const now = Date.UTC(2026, 0, 1, 12);
const minute = 60_000;

function deployed(facts: Partial<Deployment> = {}): Deployment {
  return { slot: 'one', copied: true, tables: [], errors: [], ...facts };
}

function diagnosis(facts: Partial<Diagnosis> = {}): Diagnosis {
  return { at: now, sources: [{ id: 'default', connected: true, errors: [] }], ...facts };
}

const rowsOf = (copiedRows?: number) => [
  {
    schema: 'public',
    name: 'lists',
    keys: ['id'],
    errors: [],
    ...(copiedRows !== undefined && { copiedRows }),
  },
];

const answers = {
  // The database of the service is just being started.
  waiting: diagnosis({
    sources: [
      {
        id: 'default',
        connected: false,
        errors: [{ level: 'warning', message: 'The source has not answered for 5 s.' }],
      },
    ],
    active: deployed({
      keepaliveAt: now - minute,
      tables: [
        {
          schema: 'public',
          name: 'lists',
          keys: [],
          errors: [{ level: 'warning', message: 'The source has not answered for 5 s.' }],
        },
      ],
    }),
  }),
  empty: diagnosis(),
  copying: diagnosis({ pending: deployed({ copied: false, tables: rowsOf(41_200) }) }),
  healthy: diagnosis({ active: deployed({ keepaliveAt: now - minute, lagBytes: 36_528 }) }),
  incomplete: diagnosis({
    active: deployed({
      keepaliveAt: now - minute,
      tables: [
        {
          schema: 'public',
          name: 'gone',
          keys: [],
          errors: [{ level: 'warning', kind: 'missing', message: 'Table "public"."gone" not found.' }],
        },
        // This table exists despite its warning, so the warning does not affect the state.
        {
          schema: 'public',
          name: 'lists',
          keys: ['id'],
          errors: [{ level: 'warning', message: 'RLS' }],
        },
      ],
    }),
  }),
  stalled: diagnosis({ active: deployed({ checkpointAt: now - 6 * minute }) }),
  // The service was off for six minutes.
  resuming: diagnosis({ active: deployed({ checkpointAt: now - 6 * minute, isReplicating: true }) }),
  failing: diagnosis({ sources: [{ id: 'default', connected: false, errors: [] }], active: deployed() }),
} as const;

type Answer = keyof typeof answers;

const answered = (answer: Answer): HealthEvent => ({ kind: 'answered', diagnosis: answers[answer] });
const failed = (why: Extract<HealthEvent, { kind: 'failed' }>['why']): HealthEvent => ({
  kind: 'failed',
  why,
  sentence: 'Why.',
  age: 12_000,
});

const events = {
  retargeted: { kind: 'retargeted' },
  waiting: answered('waiting'),
  empty: answered('empty'),
  copying: answered('copying'),
  healthy: answered('healthy'),
  incomplete: answered('incomplete'),
  stalled: answered('stalled'),
  failing: answered('failing'),
  resuming: answered('resuming'),
  nothingListens: failed('unreachable'),
  noAnswer: failed('slow'),
  brokenAnswer: failed('lost'),
  busy: failed('busy'),
  wrongToken: failed('unauthorized'),
  noToken: failed('tokenless'),
  webPage: failed('foreign'),
  old: failed('unsupported'),
  badTls: failed('untrusted'),
  ownError: failed('failed'),
  refusal: failed('refused'),
  cancelled: failed('cancelled'),
  late: { kind: 'overdue', age: 6_500 },
} satisfies Record<string, HealthEvent>;

type EventName = keyof typeof events;

const unknown: Health = { kind: 'unknown' };

/** Draws the item in the status bar: its icon and its text. */
const drawn = ({ icon, text }: StatusWords): string => `$(${icon}) ${text}`;
const states: Readonly<Record<Health['kind'], Health>> = {
  unknown,
  off: next(unknown, events.nothingListens),
  silent: next(unknown, events.noAnswer),
  refused: next(unknown, events.wrongToken),
  waiting: next(unknown, events.waiting),
  empty: next(unknown, events.empty),
  copying: next(unknown, events.copying),
  healthy: next(unknown, events.healthy),
  incomplete: next(unknown, events.incomplete),
  stalled: next(unknown, events.stalled),
  resuming: next(unknown, events.resuming),
  failing: next(unknown, events.failing),
};

/** Events that determine the next state regardless of the former one. */
const decided = {
  retargeted: 'unknown',
  waiting: 'waiting',
  empty: 'empty',
  copying: 'copying',
  healthy: 'healthy',
  incomplete: 'incomplete',
  stalled: 'stalled',
  failing: 'failing',
  nothingListens: 'off',
  resuming: 'resuming',
  wrongToken: 'refused',
  noToken: 'refused',
  webPage: 'refused',
  old: 'refused',
  badTls: 'refused',
  ownError: 'refused',
  refusal: 'refused',
} as const;

/** The last known state is kept if there is no new answer. If there has been no answer at all, the service is silent. */
const doubted = (kind: Health['kind']) => ({
  noAnswer: kind,
  brokenAnswer: kind,
  busy: kind,
  cancelled: kind,
  late: kind,
});
const still = (kind: Health['kind']) =>
  ({ noAnswer: 'silent', brokenAnswer: 'silent', busy: 'silent', cancelled: kind, late: kind }) as const;

const table: Readonly<Record<Health['kind'], Readonly<Record<EventName, Health['kind']>>>> = {
  unknown: { ...decided, ...still('unknown') },
  off: { ...decided, ...still('off') },
  silent: { ...decided, ...still('silent') },
  refused: { ...decided, ...still('refused') },
  waiting: { ...decided, ...doubted('waiting') },
  empty: { ...decided, ...doubted('empty') },
  copying: { ...decided, ...doubted('copying') },
  healthy: { ...decided, ...doubted('healthy') },
  incomplete: { ...decided, ...doubted('incomplete') },
  stalled: { ...decided, ...doubted('stalled') },
  resuming: { ...decided, ...doubted('resuming') },
  failing: { ...decided, ...doubted('failing') },
};

describe('Health', () => {
  const cells = Object.entries(table).flatMap(([from, row]) =>
    Object.entries(row).map(([event, to]) => [from, event, to] as const),
  );

  test.each(cells)('%s, then %s: %s', (from, event, to) => {
    const state = states[from as Health['kind']];
    expect(state.kind).toBe(from);
    expect(next(state, events[event as EventName]).kind).toBe(to);
  });

  const answeredKinds = [
    'waiting',
    'empty',
    'copying',
    'healthy',
    'incomplete',
    'stalled',
    'resuming',
    'failing',
  ] as const;
  test.each(answeredKinds)('%s is not shown as current while an answer is overdue', (kind) => {
    const late = next(states[kind], events.late);
    expect(late).toMatchObject({ kind, overdue: { age: 6_500 } });
    const failing = next(late, events.noAnswer);
    expect(failing).toMatchObject({ kind, overdue: { age: 12_000, sentence: 'Why.' } });
    expect(next(failing, { kind: 'overdue', age: 20_000 })).toMatchObject({
      overdue: { age: 20_000, sentence: 'Why.' },
    });
    expect(next(failing, events.healthy)).not.toHaveProperty('overdue');
    // Neither the text nor the tone repeats the former state.
    expect(wordsFor({ name: 'local', health: late })).toMatchObject({
      icon: 'question',
      text: 'local: last known 7 s ago',
      tone: 'idle',
    });
    expect(wordsFor({ name: 'local', health: failing })).toMatchObject({
      icon: 'question',
      text: 'local: no answer for 12 s',
      tone: 'warning',
    });
  });

  const judge = (facts: Partial<Diagnosis>, before: Health = unknown) =>
    next(before, { kind: 'answered', diagnosis: diagnosis(facts) });

  test('depends on the age of the last progress, on the clock of the service', () => {
    const at = now + 3 * 3600_000;
    const old = deployed({ keepaliveAt: at - longestPause });
    expect(judge({ at, active: old }).kind).toBe('healthy');
    expect(judge({ at: at + 1, active: old })).toMatchObject({ kind: 'stalled', since: at - longestPause });
  });

  test('does not count the time in which the service was off, but waits for progress after the restart', () => {
    const off = { checkpointAt: now - 60 * minute, isReplicating: true } as const;
    const first = judge({ active: deployed(off) });
    expect(first.kind).toBe('resuming');
    expect(judge({ at: now + minute, active: deployed({ ...off, progressAt: now }) }, first).kind).toBe(
      'healthy',
    );
    const later = judge({ at: now + longestPause, active: deployed(off) }, first);
    expect(later.kind).toBe('resuming');
    const stuck = judge({ at: now + longestPause + 1, active: deployed(off) }, later);
    expect(stuck).toMatchObject({ kind: 'stalled', since: now - 60 * minute });
    // If a deployment is not replicating, or does not report whether it is, only the age of its last progress counts.
    expect(judge({ active: deployed({ ...off, isReplicating: false }) }).kind).toBe('stalled');
  });

  test('is stalled without any proof of progress', () => {
    expect(judge({ active: deployed() })).toMatchObject({ kind: 'stalled' });
  });

  test('counts an error only until progress is made', () => {
    const error = { level: 'fatal', message: 'slot lost', at: now - 2 * minute } as const;
    expect(judge({ active: deployed({ errors: [error], keepaliveAt: now - 3 * minute }) })).toMatchObject({
      kind: 'failing',
      errors: [error],
    });
    expect(judge({ active: deployed({ errors: [error], keepaliveAt: now - minute }) }).kind).toBe('healthy');
  });

  test('contains an error only once if several parts of the service report it', () => {
    const [short, long] = ['Nothing listens.', 'The source cannot be reached: Nothing listens.'];
    const sources = [
      { id: 'default', connected: false, errors: [{ level: 'fatal', message: short }] },
    ] as const;
    const active = deployed({ errors: [long, short].map((message) => ({ level: 'fatal', message })) });
    expect(judge({ sources, active })).toMatchObject({ errors: [{ message: long }] });
  });

  test('is not failing because of a warning or an error about silence', () => {
    const warning = { level: 'warning', message: 'RLS' } as const;
    const silence = { level: 'fatal', kind: 'silence', message: 'Nothing was heard.' } as const;
    const active = deployed({ errors: [warning, silence], keepaliveAt: now });
    expect(judge({ active }).kind).toBe('healthy');
  });

  test('is copying while a copy is paused, and a slow copy has more time before it is stalled', () => {
    const look = (copy: Deployment['copy'], at: number, before: Health): Health =>
      next(before, {
        kind: 'answered',
        diagnosis: diagnosis({ at, pending: deployed({ copied: false, ...(copy && { copy }) }) }),
      });
    const paused = { isPaused: true, rows: 3_000, ofRows: 9_000 };
    const first = look(paused, now, { kind: 'unknown' });
    const later = look(paused, now + 600 * minute, first);
    expect(later).toMatchObject({ kind: 'copying', copy: { isPaused: true, rows: 3_000 } });
    expect(drawn(wordsFor({ name: 'local', health: later }))).toBe('$(debug-pause) local: copy paused');
    const slow = { isPaused: false, rows: 3_000, ofRows: 9_000, limit: 10 };
    const begun = look(slow, now, { kind: 'unknown' });
    expect(look(slow, now + 10 * minute, begun).kind).toBe('copying');
    expect(look(slow, now + 20 * minute, begun).kind).toBe('stalled');
  });

  test('shows the remaining time of a copy if the service reports it', () => {
    const copy = { isPaused: false, rows: 3_000, ofRows: 9_000, rowsPerSecond: 50, remainingSeconds: 120 };
    const health = next(
      { kind: 'unknown' },
      { kind: 'answered', diagnosis: diagnosis({ pending: deployed({ copied: false, copy }) }) },
    );
    const words = wordsFor({ name: 'local', health });
    expect(drawn(words)).toBe('$(sync~spin) local: copying, 2 min left');
    expect(words.explanation).toContain(
      'Copied so far: 3,000 of about 9,000 rows, 50 a second, about 2 min left.',
    );
  });

  test('is copying while the old config is still active', () => {
    const active = deployed({ keepaliveAt: now });
    expect(judge({ active, pending: deployed({ slot: 'two' }) })).toMatchObject({
      kind: 'copying',
      copy: { slot: 'two' },
    });
  });

  test('contains the rate of a copy, and the time since which no row was copied', () => {
    const copied = (rows: number, at: number, before: Health) =>
      judge({ at, pending: deployed({ copied: false, tables: rowsOf(rows) }) }, before);
    const first = copied(1_000, now, unknown);
    const second = copied(3_000, now + 2_000, first);
    expect(second).toMatchObject({ copy: { rows: 3_000, rowsPerSecond: 1_000, changedAt: now + 2_000 } });
    const stuck = copied(3_000, now + 2_001 + longestPause, second);
    expect(stuck).toMatchObject({ kind: 'stalled', since: now + 2_000 });
    expect(copied(3_000, now + 9 * minute, stuck)).toMatchObject({ kind: 'stalled', since: now + 2_000 });
    expect(copied(3_001, now + 10 * minute, stuck).kind).toBe('copying');
  });

  test('does not treat a copy as stalled if the service does not count rows', () => {
    const silent = (at: number, before: Health) =>
      judge({ at, pending: deployed({ copied: false, tables: rowsOf() }) }, before);
    expect(silent(now + 60 * minute, silent(now, unknown)).kind).toBe('copying');
  });
});

describe('The status bar', () => {
  const say = (health: Health, more: object = {}) => drawn(wordsFor({ name: 'local', health, ...more }));

  test.each([
    ['$(question) local', states.unknown],
    ['$(circle-slash) local: off', states.off],
    ['$(question) local: no answer', states.silent],
    ['$(key) local: token refused', states.refused],
    ['$(key) local: no token', next(unknown, events.noToken)],
    ['$(sync~spin) local: catching up', states.resuming],
    ['$(loading~spin) local: waiting for the source', states.waiting],
    ['$(warning) local: no sync service', next(unknown, events.webPage)],
    ['$(warning) local: too old', next(unknown, events.old)],
    ['$(warning) local: not trusted', next(unknown, events.badTls)],
    ['$(circle-outline) local: nothing deployed', states.empty],
    ['$(sync~spin) local: copying, 41,200 rows', states.copying],
    ['$(pass) local', states.healthy],
    ['$(warning) local: no table gone, and 1 more problem', states.incomplete],
    ['$(warning) local: no progress for 6 min', states.stalled],
    ['$(error) local: source not reachable', states.failing],
  ])('%s', (text, health) => {
    expect(say(health)).toBe(text);
  });

  const scripts = {
    isEmbedded: true,
    applied: 3,
    changed: [],
    removed: [],
    problems: [],
    skipped: [],
  } satisfies ScriptReport;
  const failed = {
    script: 'db/migrations/2.sql',
    line: 7,
    statement: 'CREATE TABLE todos (x nothing)',
    reason: 'failed',
    message: 'type "nothing" does not exist',
  };

  test.each([
    ['$(warning) local: no table todos', { missing: [{ table: 'todos', readBy: ['mine'] }] }],
    [
      '$(warning) local: no column todos.done',
      { missing: [{ table: 'todos', column: 'done', readBy: ['a'] }] },
    ],
    [
      '$(warning) local: no table a, and 1 more problem',
      { missing: ['a', 'b'].map((table) => ({ table, readBy: [] })) },
    ],
    [
      '$(warning) local: 2.sql changed after it was applied',
      { scripts: { ...scripts, changed: ['db/2.sql'] } },
    ],
    [
      '$(warning) local: 2.sql was applied, but the file is gone',
      { scripts: { ...scripts, removed: ['db/2.sql'] } },
    ],
    [
      '$(warning) local: 2.sql changed after it was applied, and 1 more problem',
      { scripts: { ...scripts, changed: ['db/2.sql'], removed: ['db/1.sql'] } },
    ],
    ['$(pass) local', { scripts: { ...scripts, skipped: [{ ...failed, tables: [] }] } }],
    ['$(pass) local', {}],
  ])('is %s although replication continues', (text, shortfall) => {
    expect(say(states.healthy, { shortfall: { missing: [], ...shortfall } })).toBe(text);
  });

  test('explains missing tables with code, table, stream, file and line', () => {
    const shortfall = {
      missing: [{ table: 'notes', readBy: ['mine'] }],
      scripts: {
        ...scripts,
        changed: ['db/migrations/1.sql'],
        skipped: [{ ...failed, tables: ['public.todos'] }],
      },
    };
    const leftOut = 'Table "public"."todos" not found. The statement that creates it was left out.';
    const tables = [
      {
        schema: 'public',
        name: 'todos',
        keys: [],
        errors: [{ level: 'warning', code: 'SVC_S1152', kind: 'left out', message: leftOut }],
      },
      {
        schema: 'public',
        name: 'notes',
        keys: [],
        errors: [{ level: 'warning', kind: 'missing', message: 'Table "public"."notes" not found.' }],
      },
    ] as const;
    const active = deployed({ keepaliveAt: now, tables });
    const health = next(unknown, { kind: 'answered', diagnosis: diagnosis({ active }) });
    expect(wordsFor({ name: 'local', health, shortfall })).toMatchObject({
      icon: 'warning',
      text: 'local: no table notes, and 2 more problems',
      tone: 'warning',
      explanation: [
        'unknown-table: There is no table notes, which mine reads.',
        `SVC_S1152: ${leftOut}`,
        'db/migrations/1.sql changed after it was applied',
        'Last progress 0 s ago.',
        'Active: one.',
      ],
    });
  });

  test('shows that it is waiting for the source, instead of that nothing is deployed', () => {
    const sources = [
      { id: 'default', connected: false, errors: [{ level: 'warning', message: 'Wait.' }] },
    ] as const;
    const health = next(unknown, { kind: 'answered', diagnosis: diagnosis({ sources }) });
    expect(say(health)).toBe('$(loading~spin) local: waiting for the source');
  });

  test('shows when the file differs from the deployed config', () => {
    expect(say(states.healthy, { isDeployed: false })).toBe('$(git-compare) local: not deployed');
    expect(say(states.healthy, { isDeployed: true })).toBe('$(pass) local');
  });

  test('explains what a copy is waiting for, and that it is a copy of the file', () => {
    const pending = deployed({ copied: false, phase: 'preparing' });
    const health = next(unknown, { kind: 'answered', diagnosis: diagnosis({ pending }) });
    expect(wordsFor({ name: 'local', health, isDeployed: true })).toMatchObject({
      icon: 'sync~spin',
      text: 'local: copying',
      explanation: [
        'The copy is ready to start and is waiting for the open transactions of the source to end.',
        'Being copied: one. No config is active until then.',
        'The file is being copied.',
      ],
    });
  });

  test('shows the state of the local process before the health of the service', () => {
    expect(say(states.healthy, { local: { kind: 'starting', crashes: 0 } })).toBe(
      '$(loading~spin) local: starting',
    );
    expect(say(states.healthy, { local: { kind: 'off' } })).toBe('$(circle-slash) local: off');
    expect(say(states.off, { local: { kind: 'failed', sentence: 'Why.' } })).toBe(
      '$(error) local: not running',
    );
    expect(say(states.healthy, { local: { kind: 'running', url: '', crashes: 0 } })).toBe('$(pass) local');
  });

  test('explains that the service runs a different file from the one in the editor', () => {
    const loads = { config: 'service.yaml', file: 'config/sync.yaml' };
    const { explanation } = wordsFor({ name: 'local', health: unknown, loads });
    expect(explanation.at(-1)).toBe('service.yaml is running config/sync.yaml, not the file in the editor.');
  });

  test('explains the state with ages', () => {
    const error = { level: 'fatal', message: 'slot lost', at: now - 2 * minute } as const;
    const health = next(unknown, {
      kind: 'answered',
      diagnosis: diagnosis({
        active: deployed({ errors: [error], keepaliveAt: now - minute, lagBytes: 12_345_678 }),
      }),
    });
    expect(wordsFor({ name: 'local', health, isDeployed: true }).explanation).toEqual([
      'Last progress 60 s ago.',
      '12.3 MB behind the source.',
      'Active: one.',
      'The deployed config is the same as the file.',
      '2 min ago, with progress since then: slot lost',
    ]);
  });

  test('does not claim progress since a warning that is newer than the last progress', () => {
    const warning = { level: 'warning', message: 'A row was left out.', at: now - minute } as const;
    const active = deployed({ errors: [warning], keepaliveAt: now - 2 * minute });
    const health = next(unknown, { kind: 'answered', diagnosis: diagnosis({ active }) });
    expect(wordsFor({ name: 'local', health }).explanation.slice(0, 2)).toEqual([
      'A row was left out.',
      'Last progress 2 min ago.',
    ]);
  });

  test.each([
    [12_000, '12 s'],
    [89_000, '89 s'],
    [6 * minute, '6 min'],
    [3 * 60 * minute, '3 h'],
    [72 * 60 * minute, '3 days'],
    [-5, '0 s'],
  ])('shows %d ms as %s', (milliseconds, text) => {
    expect(age(milliseconds)).toBe(text);
  });
});

test('A full disk is an error, whether a config is deployed or not', () => {
  const errors = [
    { level: 'fatal', kind: 'full disk', message: 'The disk with /data is full.', at: now },
  ] as const;
  const sources = [{ id: 'default', connected: true, errors }];
  for (const facts of [{}, { active: deployed({ keepaliveAt: now - minute }) }, { pending: deployed() }]) {
    const health = next(
      { kind: 'unknown' },
      { kind: 'answered', diagnosis: diagnosis({ sources, ...facts }) },
    );
    expect(wordsFor({ name: 'here', health })).toMatchObject({
      icon: 'error',
      text: 'here: disk full',
      tone: 'bad',
      explanation: expect.arrayContaining(['The disk with /data is full.']),
    });
  }
});

test('A screen reader hears the text and its explanation, and no sentence twice', () => {
  const spoken = (text: string, ...explanation: string[]) =>
    spokenWords({ icon: 'warning', text, explanation, tone: 'warning' });
  expect(spoken('local: 2.sql changed', '2.sql changed.', 'Active: config 1.')).toBe(
    'Headwater. local: 2.sql changed. Active: config 1.',
  );
  expect(spoken('local', 'Active: config 1.')).toBe('Headwater. local. Active: config 1.');
});
