import { expect, test } from 'vitest';
import type { Deployment, Diagnosis, ReportedError } from '../../../client/api/answers.ts';
import { shownState } from '../../../client/console/service/stateWords.ts';
import type { LinkState } from '../../../client/console/state/service.ts';
import { next } from '../../../client/health/health.ts';

const deployed = (more: Partial<Deployment> = {}): Deployment => ({
  slot: 'slot_1',
  copied: true,
  checkpointAt: 1_000,
  tables: [{ schema: 'public', name: 'lists', keys: ['id'], storedRows: 5, errors: [] }],
  streams: [{ name: 'mine' }],
  errors: [],
  ...more,
});

const connected = { kind: 'connected', since: 0 } as const;

const words = (diagnosis: Partial<Diagnosis>) => {
  const whole = { at: 2_000, sources: [{ id: 'default', connected: true, errors: [] }], ...diagnosis };
  return shownState(connected, next({ kind: 'unknown' }, { kind: 'answered', diagnosis: whole }), 3);
};

const error = (message: string, more: Partial<ReportedError> = {}): ReportedError => ({
  level: 'warning',
  message,
  ...more,
});

test('A state without problems is shown as in sync', () => {
  expect(words({ active: deployed() })).toMatchObject({
    tone: 'good',
    title: 'In sync',
    isCurrent: true,
    details: ['1 stream · 1 table · 5 rows · 3 connected clients.'],
  });
});

test('A warning changes the tone and is listed', () => {
  const { tone, title, details } = words({ active: deployed({ errors: [error('A row was left out.')] }) });
  expect([tone, title, details[0]]).toEqual(['warning', 'In sync, but 1 problem', 'A row was left out.']);
});

test('A full disk is shown without an offer to copy again', () => {
  const errors = [error('The disk is full.', { level: 'fatal', kind: 'full disk' })];
  const sources = [{ id: 'default', connected: true, errors }];
  expect(words({ sources, active: deployed() })).toEqual({
    icon: 'error',
    tone: 'bad',
    title: 'Disk full',
    isCurrent: true,
    details: ['The disk is full.'],
  });
});

test('Numbers that the service does not report are left out instead of shown as zero', () => {
  const tables = [{ schema: 'public', name: 'lists', keys: ['id'], errors: [] }];
  const { streams: _, ...known } = deployed({ tables });
  const health = next(
    { kind: 'unknown' },
    {
      kind: 'answered',
      diagnosis: { at: 2_000, sources: [{ id: 'x', connected: true, errors: [] }], active: known },
    },
  );
  expect(shownState(connected, health).details).toEqual(['1 table.']);
});

test.each<LinkState>([
  { kind: 'gone', since: 0, why: 'It is off.' },
  { kind: 'signed out', why: 'No token.' },
  { kind: 'no service', why: 'None is selected.' },
])('A service that is $kind is not shown as healthy', (link) => {
  const { tone, details, isCurrent } = shownState(link, { kind: 'unknown' });
  expect(isCurrent).toBe(false);
  expect(tone).not.toBe('good');
  expect(details[0]).toBe(link.kind === 'connecting' ? '' : 'why' in link && link.why);
});

test('If a statement of a migration was left out, the button applies the migrations again', () => {
  const errors = [error('It was left out.', { kind: 'left out' })];
  expect(words({ active: deployed({ errors }) }).remedy).toBe('apply');
});

test('If scripts have changed, the button resets the database', () => {
  const sources = [{ id: 'default', connected: true, errors: [error('It changed.', { kind: 'scripts' })] }];
  expect(words({ sources, active: deployed() }).remedy).toBe('reset');
});

test.each<[string, Partial<Diagnosis>, string]>([
  ['nothing is deployed', {}, 'Nothing deployed'],
  ['rows are copied', { pending: deployed({ copied: false }) }, 'Copying'],
  ['the source is gone', { sources: [{ id: 'x', connected: false, errors: [] }] }, 'Source not reachable'],
  [
    'replication fails',
    { active: deployed({ errors: [error('No.', { level: 'fatal' })] }) },
    'Replication is failing',
  ],
  ['there has been no progress for minutes', { at: 400_000, active: deployed() }, 'No progress for 7 min'],
])('The title reports that %s', (_, diagnosis, title) => expect(words(diagnosis).title).toBe(title));
