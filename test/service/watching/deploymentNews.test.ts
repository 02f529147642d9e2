import { expect, test } from 'vitest';
import type { Deployment } from '../../../server/service/storage/deployment.ts';
import { deploymentNews } from '../../../server/service/watching/deploymentNews.ts';

const record = (id: number, more: Partial<Deployment> = {}): Deployment => ({
  id,
  state: 'processing',
  content: 'a=1 b=1',
  slotName: `slot_${id}`,
  storageVersion: 2,
  createdAt: 0,
  revision: 0,
  snapshotDone: false,
  ...more,
});

/** Contents here are `name=definition`, with spaces between. */
const news = (before: readonly Deployment[], after: readonly Deployment[]): readonly string[] =>
  deploymentNews(
    before,
    after,
    ({ content }) => new Map(content.split(' ').map((each) => each.split('=') as [string, string])),
  ).map(({ kind, message }) => `${kind}: ${message}`);

test('The first deployment lists its streams', () => {
  expect(news([], [record(1)])).toEqual([
    'deploy: A sync config was deployed: the first one, with streams a, b.',
  ]);
});

test('A deployment tells which streams are new, changed and gone', () => {
  const before = [record(1, { state: 'active' })];
  expect(news(before, [...before, record(2, { content: 'a=2 c=1' })])).toEqual([
    'deploy: A sync config was deployed: new stream c; changed stream a; removed stream b.',
  ]);
  expect(news(before, [...before, record(2, { content: 'b=1 a=1' })])).toEqual([
    'deploy: A sync config was deployed: no stream is different.',
  ]);
});

test('A deployment that goes on with another text tells what is different', () => {
  const before = [record(1, { state: 'active' })];
  expect(news(before, [record(1, { state: 'active', content: 'a=1' })])).toEqual([
    'deploy: A sync config was deployed: removed stream b. Nothing had to be copied.',
  ]);
});

test('The same content once more is a restart, with its reason', () => {
  const before = [record(1, { state: 'active' })];
  expect(news(before, [...before, record(2, { reason: 'The slot was lost.' })])).toEqual([
    'restart: The slot was lost.',
  ]);
});

test('What happens between two looks is told nevertheless', () => {
  const done = { snapshotDone: true, state: 'active' } as const;
  expect(news([], [record(1, { ...done, lastError: { message: 'No.', at: 1 } })])).toEqual([
    'deploy: A sync config was deployed: the first one, with streams a, b.',
    'copy: All rows are copied.',
    'deploy: Clients get what this sync config says.',
    'error: No.',
  ]);
});

test('An error is told once', () => {
  const failing = record(1, { lastError: { message: 'No.', at: 1 } });
  expect(news([failing], [failing])).toEqual([]);
});
