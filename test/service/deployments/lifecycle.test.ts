import { describe, expect, test } from 'vitest';
import { deploymentNaming } from '../../../server/service/deployments/deploymentNames.ts';
import {
  type DeploymentRequest,
  decideOccurrence,
  decideRequest,
  type NewNames,
  type Occurrence,
  type OccurrenceCase,
  type RequestCase,
  type SituationName,
} from '../../../server/service/deployments/lifecycle.ts';
import { toLsn } from '../../../server/service/replication/postgres/lsn.ts';
import type {
  Deployment,
  DeploymentChange,
  DeploymentState,
  Pace,
} from '../../../server/service/storage/deployment.ts';

const naming: NewNames = {
  at: 5,
  deploymentNameOf: deploymentNaming('powersync_', 'a1b2', []),
  storageVersionOf: () => 2,
  canCopyAnew: (_, streams) => !streams.includes('Z'),
  // Here the text after a # is a comment, and each letter is a stream. Lower-case letters can be copied beside others.
  coverageOf: (content, deployment) => {
    const [has = '', wants = ''] = [deployment.content, content].map(meaningOf);
    if (has === wants) return 'same';
    const stored = meaningOf(deployment.storedContent ?? deployment.content);
    const missing = [...wants].filter((stream) => !stored.includes(stream));
    if (missing.length === 0) return 'within';
    return missing.every((stream) => stream === stream.toLowerCase()) ? 'beside' : undefined;
  },
};
const meaningOf = (content: string) => content.split('#')[0] ?? '';
const error = { message: 'broken', at: 4 };

/**
 * Returns the records of a text such as `1 active@7 A, 2 processing B beside 1`: id, state, position of the last checkpoint if
 * there is one, content and base. `1 active A broken` has an error.
 */
function recordsOf(text: string): Deployment[] {
  return text.split(', ').flatMap((record) => {
    const [id, status, content = '', broken] = record.replace(/ beside \d+/, '').split(' ');
    const base = / beside (\d+)/.exec(record)?.[1];
    if (status === undefined) return [];
    const [state, position] = status.split('@');
    return [
      {
        id: Number(id),
        state: state as DeploymentState,
        content,
        createdAt: 0,
        deploymentName: '',
        storageVersion: 2,
        snapshotDone: false,
        revision: 0,
        ...(base !== undefined && { base: Number(base) }),
        ...(broken !== undefined && { lastError: error }),
        ...(position !== undefined && { lastCheckpointPosition: toLsn(BigInt(position)) }),
      },
    ];
  });
}

/** Returns the changes as text, such as `1 stopped`. `error 1` sets the error of record 1, and `no error 1` clears it. */
function drawn(changes: readonly DeploymentChange[]): string {
  return changes
    .map((change) => {
      if (change.kind === 'insert') {
        const { content, deploymentNameOf, at, base, anew, pace } = change;
        const beside = base === undefined ? '' : ` beside ${base}${anew ? `, ${anew} anew` : ''}`;
        return `new ${content} as ${deploymentNameOf(9)} at ${at}${beside}${pace ? `, ${drawnPace(pace)}` : ''}`;
      }
      if (change.kind === 'pace') return `${change.id} ${drawnPace(change.pace)}`;
      if (change.kind === 'stored texts')
        return `${change.id} stores ${change.storedTexts.map(({ content }) => content).join('+')}`;
      if (change.kind === 'alone') return `${change.id} alone`;
      if (change.kind === 'rest') return `${change.id} has ${change.hasRest ? 'a' : 'no'} rest`;
      if (change.kind === 'state') return `${change.id} ${change.state}`;
      if (change.kind === 'skip numbers') return 'numbers skipped';
      if (change.kind === 'content')
        return `${change.id} has ${change.content}${change.isSame ? '' : ', told'}`;
      return `${change.error === undefined ? 'no error' : 'error'} ${change.id}`;
    })
    .join(', ');
}

function drawnPace({ isPaused, rowsPerSecond }: Pace = {}): string {
  const words = [
    ...(isPaused ? ['paused'] : []),
    ...(rowsPerSecond === undefined ? [] : [`${rowsPerSecond} a second`]),
  ];
  return words.join(', ') || 'as fast as it can';
}

const newOne = (content: string) => `new ${content} as powersync_9_a1b2 at 5`;

describe('a request', () => {
  const situations: Readonly<Record<SituationName, string>> = {
    none: '1 terminated A',
    pending: '1 terminated A, 2 processing P',
    serving: '1 active A',
    'serving, pending': '1 active A, 2 processing P',
  };
  const asked: Readonly<Record<RequestCase, DeploymentRequest>> = {
    reprocess: { kind: 'reprocess' },
    'like the pending one': { kind: 'deploy', content: 'P#' },
    'within the serving one': { kind: 'deploy', content: 'A#' },
    'beside the serving one': { kind: 'deploy', content: 'Ax' },
    'reprocess beside': { kind: 'reprocess', streams: ['A'] },
    another: { kind: 'deploy', content: 'X' },
  };
  const expected: Readonly<Record<RequestCase, Readonly<Record<SituationName, string>>>> = {
    reprocess: {
      none: 'SVC_S4104',
      pending: 'SVC_S4106',
      serving: newOne('A'),
      'serving, pending': 'SVC_S4106',
    },
    'like the pending one': {
      none: newOne('P#'),
      pending: '2 has P#',
      serving: newOne('P#'),
      'serving, pending': '2 has P#',
    },
    'within the serving one': {
      none: newOne('A#'),
      pending: `2 stopped, ${newOne('A#')}`,
      serving: '1 has A#',
      'serving, pending': '2 stopped, 1 has A#',
    },
    'beside the serving one': {
      none: newOne('Ax'),
      pending: `2 stopped, ${newOne('Ax')}`,
      serving: `${newOne('Ax')} beside 1`,
      'serving, pending': `2 stopped, ${newOne('Ax')} beside 1`,
    },
    'reprocess beside': {
      none: 'SVC_S4104',
      pending: 'SVC_S4106',
      serving: `${newOne('A')} beside 1, A anew`,
      'serving, pending': 'SVC_S4106',
    },
    another: {
      none: newOne('X'),
      pending: `2 stopped, ${newOne('X')}`,
      serving: newOne('X'),
      'serving, pending': `2 stopped, ${newOne('X')}`,
    },
  };
  const cells = Object.entries(expected).flatMap(([request, row]) =>
    Object.entries(row).map(([situation, outcome]) => ({ request, situation, outcome })),
  );

  test.each(cells)('$request, $situation: $outcome', ({ request, situation, outcome }) => {
    const records = recordsOf(situations[situation as SituationName]);
    const decision = decideRequest(records, asked[request as RequestCase], naming);
    expect(decision.refusal ?? drawn(decision.changes)).toBe(outcome);
  });

  const decided = (records: string, request: DeploymentRequest) =>
    drawn(decideRequest(recordsOf(records), request, naming).changes ?? []);
  test.each(['deploy', 'configured'] as const)('of kind %s keeps a deployment with the same text', (kind) => {
    expect(decided('1 active A', { kind, content: 'A' })).toBe('');
    expect(decided('1 active A, 2 processing P', { kind, content: 'P' })).toBe('');
    expect(decided('1 active A, 2 processing P', { kind, content: 'A' })).toBe('2 stopped');
  });

  test('for a config whose rows are all stored replaces the active config at once and notifies clients', () => {
    expect(decided('1 active AB', { kind: 'deploy', content: 'A' })).toBe('1 has A, told');
    expect(decided('1 active AB, 2 processing P', { kind: 'configured', content: 'B' })).toBe(
      '2 stopped, 1 has B, told',
    );
    expect(decided('1 active AB', { kind: 'deploy', content: 'ABC' })).toBe(newOne('ABC'));
    expect(decided('1 active AB broken', { kind: 'deploy', content: 'A' })).toBe(newOne('A'));
    expect(decided('1 errored AB', { kind: 'deploy', content: 'A' })).toBe(newOne('A'));
  });

  test('that gives up a copy beside the active deployment marks the copied rows for deletion', () => {
    const records = '1 active A, 2 processing Ap beside 1';
    expect(decided(records, { kind: 'deploy', content: 'A' })).toBe('2 stopped, 1 has a rest');
    expect(decided(records, { kind: 'deploy', content: 'Ap#' })).toBe('2 has Ap#');
    expect(decided(records, { kind: 'deploy', content: 'Aq' })).toBe(
      `2 stopped, 1 has a rest, ${newOne('Aq')} beside 1`,
    );
    expect(decided(records, { kind: 'deploy', content: 'X' })).toBe(
      `2 stopped, 1 has a rest, ${newOne('X')}`,
    );
  });

  test('does not copy beside a deployment that has an error or no longer replicates', () => {
    expect(decided('1 active A broken', { kind: 'deploy', content: 'Ax' })).toBe(newOne('Ax'));
    expect(decided('1 errored A', { kind: 'deploy', content: 'Ax' })).toBe(newOne('Ax'));
    expect(decided('1 errored A', { kind: 'reprocess', streams: ['A'] })).toBe(newOne('A'));
    expect(decided('1 active A', { kind: 'reprocess', streams: ['Z'] })).toBe(newOne('A'));
  });

  test('sets its rate on the copy that it starts, or on the copy that is already pending', () => {
    const rowsPerSecond = 7;
    expect(decided('1 active A', { kind: 'deploy', content: 'X', rowsPerSecond })).toBe(
      `${newOne('X')}, 7 a second`,
    );
    expect(decided('1 active A', { kind: 'deploy', content: 'Ax', rowsPerSecond })).toBe(
      `${newOne('Ax')} beside 1, 7 a second`,
    );
    expect(decided('1 active A, 2 processing P', { kind: 'deploy', content: 'P', rowsPerSecond })).toBe(
      '2 7 a second',
    );
    expect(decided('1 active A', { kind: 'deploy', content: 'A', rowsPerSecond })).toBe('');
  });

  test('for a part of a pending config replaces that copy with a smaller one', () => {
    expect(decided('1 active A, 2 processing PQ', { kind: 'deploy', content: 'P' })).toBe(
      `2 stopped, ${newOne('P')}`,
    );
  });

  test('for the content of a pending copy continues that copy, even if the active deployment has the same content', () => {
    expect(decided('1 active A, 2 processing A', { kind: 'deploy', content: 'A#' })).toBe('2 has A#');
  });

  test('for the content of an errored deployment starts a copy', () => {
    for (const kind of ['deploy', 'configured'] as const)
      expect(decided('1 errored A', { kind, content: 'A' })).toBe(newOne('A'));
  });

  test('to reprocess an errored deployment starts a copy', () => {
    expect(decided('1 errored A', { kind: 'reprocess' })).toBe(newOne('A'));
  });

  test('copies an active config with an error again if a user deploys it, but not if the service restarts', () => {
    expect(decided('1 active A broken', { kind: 'deploy', content: 'A' })).toBe(newOne('A'));
    expect(decided('1 active A broken', { kind: 'configured', content: 'A#' })).toBe(newOne('A#'));
    expect(decided('1 active A broken', { kind: 'configured', content: 'A' })).toBe('');
  });
});

const added = [{ content: 'B' }, { content: 'C', from: 4, names: ['3.4#c|0'] }];

describe('an event of a deployment', () => {
  const happened: Readonly<Record<OccurrenceCase, Occurrence>> = {
    'copied beside': { kind: 'copied beside', id: 3, before: [{ content: 'B' }], storedTexts: added },
    'not beside': { kind: 'not beside', id: 3 },
    forgets: {
      kind: 'forgets',
      id: 3,
      before: { content: 'C', storedTexts: [{ content: 'C' }] },
      storedTexts: added,
    },
    'has no rest': { kind: 'has no rest', id: 3 },
    activated: { kind: 'activated', id: 3 },
    'published, behind what serves': { kind: 'published', id: 3 },
    'backlog lost, restart': { kind: 'backlog lost', id: 3, error, restart: true },
    'backlog lost, no restart': { kind: 'backlog lost', id: 3, error, restart: false },
    'source reset': { kind: 'source reset', id: 3 },
    'storage outdated': { kind: 'storage outdated', id: 3, error },
    damaged: { kind: 'damaged', id: 3, error },
    failed: { kind: 'failed', id: 3, error },
    recovered: { kind: 'recovered', id: 3 },
    cleared: { kind: 'cleared', id: 3 },
    'torn down': { kind: 'torn down', id: 3 },
  };
  // A copy beside another deployment has its own tests below.
  const nothing = { processing: '', active: '', errored: '', stopped: '', terminated: '' };
  const expected: Readonly<Record<OccurrenceCase, Readonly<Record<DeploymentState, string>>>> = {
    'copied beside': nothing,
    'not beside': nothing,
    forgets: { ...nothing, active: '3 stores B+C, 3 has a rest' },
    'has no rest': { ...nothing, active: '3 has no rest' },
    activated: { ...nothing, processing: '3 active, 1 stopped, 2 stopped, no error 3' },
    'published, behind what serves': nothing,
    'backlog lost, restart': {
      ...nothing,
      processing: `error 3, 3 stopped, ${newOne('C')}`,
      active: `error 3, 3 errored, ${newOne('C')}`,
    },
    'backlog lost, no restart': { ...nothing, processing: 'error 3', active: 'error 3' },
    'source reset': {
      ...nothing,
      processing: `no error 3, 3 stopped, ${newOne('C')}`,
      active: `no error 3, 3 errored, ${newOne('C')}`,
      errored: 'no error 3',
    },
    damaged: {
      ...nothing,
      processing: `error 3, 3 stopped, ${newOne('C')}`,
      active: `error 3, ${newOne('C')}`,
      errored: newOne('C'),
    },
    'storage outdated': {
      ...nothing,
      processing: `error 3, 3 stopped, 1 stopped, 2 stopped, numbers skipped, ${newOne('C')}`,
      active: `error 3, 3 stopped, numbers skipped, ${newOne('C')}`,
      errored: `error 3, 3 stopped, numbers skipped, ${newOne('C')}`,
    },
    failed: { ...nothing, processing: 'error 3', active: 'error 3' },
    recovered: { ...nothing, processing: 'no error 3', active: 'no error 3' },
    cleared: { ...nothing, stopped: '3 terminated' },
    'torn down': { ...nothing, processing: '3 stopped', active: '3 stopped', errored: '3 stopped' },
  };
  const cells = Object.entries(expected).flatMap(([occurrence, row]) =>
    Object.entries(row).map(([state, outcome]) => ({ occurrence, state, outcome })),
  );

  test.each(cells)('$occurrence, $state: $outcome', ({ occurrence, state, outcome }) => {
    const records = recordsOf(`1 errored A, 2 active@7 B, 3 ${state}@6 C broken`);
    expect(drawn(decideOccurrence(records, happened[occurrence as OccurrenceCase], naming))).toBe(outcome);
  });

  test('of kind `slot lost` does not start a copy while another deployment is pending', () => {
    const records = recordsOf('3 active C, 4 processing D');
    expect(drawn(decideOccurrence(records, happened['backlog lost, restart'], naming))).toBe(
      'error 3, 3 errored',
    );
  });

  describe('a copy beside another deployment', () => {
    const records = '3 active B, 4 processing C beside 3';
    const copied: Occurrence = {
      kind: 'copied beside',
      id: 4,
      before: [{ content: 'B' }],
      storedTexts: added,
    };
    const whatFollows = (text: string, occurrence: Occurrence) =>
      drawn(decideOccurrence(recordsOf(text), occurrence, naming));

    test('replaces the config of that deployment when it ends', () => {
      expect(whatFollows(records, copied)).toBe('3 stores B+C, 3 has C, told, 3 has a rest, 4 terminated');
    });

    test.each([
      ['the copy was given up', '3 active B, 4 stopped C beside 3'],
      ['the other deployment has another config', '3 active A, 4 processing C beside 3'],
      ['the other deployment no longer replicates', '3 errored B, 4 processing C beside 3'],
      ['the other deployment does not serve', '2 active B, 3 stopped B, 4 processing C beside 3'],
    ])('changes nothing when it ends if %s', (_, text) => {
      expect(whatFollows(text, copied)).toBe('');
    });

    test('becomes a separate copy if it cannot be done beside the other deployment, or if that one ends', () => {
      expect(whatFollows(records, { kind: 'not beside', id: 4 })).toBe('4 alone, 3 has a rest');
      expect(whatFollows(records, happened['backlog lost, restart'])).toBe('error 3, 3 errored, 4 alone');
      expect(whatFollows(records, happened.damaged)).toBe('error 3, 4 alone');
      expect(whatFollows(records, happened['storage outdated'])).toBe(
        `error 3, 3 stopped, numbers skipped, 4 stopped, 3 has a rest, ${newOne('C')}`,
      );
    });

    test('unneeded parts are dropped only if no other deployment is pending and the config has not changed', () => {
      expect(whatFollows('3 active C', happened.forgets)).toBe('3 stores B+C, 3 has a rest');
      expect(whatFollows('3 active C, 4 processing D', happened.forgets)).toBe('');
      expect(whatFollows('3 active D', happened.forgets)).toBe('');
    });

    test.each([
      ['has stored other configs', '3 active C', added],
      ['has served another config', '3 active D', [{ content: 'C' }]],
    ])('unneeded parts are kept if the deployment %s since the decision', (_, text, storedTexts) => {
      const changed = recordsOf(text).map((record) => ({ ...record, storedTexts }));
      expect(decideOccurrence(changed, happened.forgets, naming)).toEqual([]);
    });
  });

  const takesOver = '2 active, 1 stopped';
  test.each([
    ['is active at once if it is the first one', '2 processing@3 C', '2 active'],
    ['takes over at the position that clients have', '1 active@7 B, 2 processing@7 C', takesOver],
    ['takes over at a later position', '1 active@7 B, 2 processing@8 C', takesOver],
    ['waits at an earlier position', '1 active@7 B, 2 processing@6 C', ''],
    ['also waits if the serving deployment no longer replicates', '1 errored@7 B, 2 processing@6 C', ''],
    ['takes over from a deployment without a checkpoint', '1 active B, 2 processing@6 C', takesOver],
    ['need not reach the position of a stopped deployment', '1 stopped@7 B, 2 processing@6 C', '2 active'],
  ])('a deployment with a new checkpoint %s', (_, text, outcome) => {
    expect(drawn(decideOccurrence(recordsOf(text), { kind: 'published', id: 2 }, naming))).toBe(outcome);
  });

  test('of kind `storage outdated` also replaces the pending deployment', () => {
    const records = recordsOf('3 active C, 4 processing D');
    expect(drawn(decideOccurrence(records, happened['storage outdated'], naming))).toBe(
      `error 3, 3 stopped, numbers skipped, 4 stopped, ${newOne('D')}`,
    );
  });

  test('is ignored if the deployment does not exist', () => {
    expect(decideOccurrence(recordsOf('1 active A'), happened.activated, naming)).toEqual([]);
  });
});

test('at most one deployment is pending and at most one serves, whatever happens', () => {
  const events: readonly (DeploymentRequest | Occurrence)[] = [
    { kind: 'deploy', content: 'X' },
    { kind: 'configured', content: 'A' },
    { kind: 'deploy', content: 'A#' },
    { kind: 'deploy', content: 'X#' },
    { kind: 'reprocess' },
    { kind: 'reprocess', streams: ['A'] },
    { kind: 'deploy', content: 'Ax' },
    ...[1, 2, 3, 4].flatMap((id): Occurrence[] => [
      { kind: 'activated', id },
      { kind: 'published', id },
      { kind: 'backlog lost', id, error, restart: true },
      { kind: 'storage outdated', id, error },
      { kind: 'damaged', id, error },
      { kind: 'cleared', id },
      { kind: 'not beside', id },
      { kind: 'copied beside', id, before: [{ content: 'A' }], storedTexts: added },
    ]),
  ];
  const seen = new Set<string>();
  const queue = [recordsOf('1 processing A')];
  for (const records of queue) {
    const text = records.map(({ state, content, base }) => `${state} ${content} ${base}`).join();
    if (seen.has(text) || records.length > 3) continue;
    seen.add(text);
    expect(records.filter(({ state }) => state === 'processing').length).toBeLessThan(2);
    expect(records.filter(({ state }) => state === 'active' || state === 'errored').length).toBeLessThan(2);
    // A deployment is pending beside another one only while that one replicates.
    for (const { state, base } of records)
      if (state === 'processing' && base !== undefined)
        expect(records.find(({ id }) => id === base)?.state).toBe('active');
    for (const event of events) {
      const changes =
        'id' in event
          ? decideOccurrence(records, event, naming)
          : (decideRequest(records, event, naming).changes ?? []);
      queue.push(apply(records, changes));
    }
  }
  expect(seen.size).toBeGreaterThan(50);
});

function apply(records: readonly Deployment[], changes: readonly DeploymentChange[]): Deployment[] {
  let after = [...records];
  for (const change of changes) {
    if (change.kind === 'insert')
      after.push(
        ...recordsOf(
          `${after.length + 1} processing ${change.content}${change.base === undefined ? '' : ` beside ${change.base}`}`,
        ),
      );
    if (change.kind === 'alone')
      after = after.map(({ base, ...record }) =>
        base === undefined || record.id === change.id ? record : { ...record, base },
      );
    if (change.kind === 'content') {
      const { id, content } = change;
      after = after.map((record) => (record.id === id ? { ...record, content } : record));
    }
    if (change.kind === 'state')
      after = after.map((record) => (record.id === change.id ? { ...record, state: change.state } : record));
  }
  return after;
}
