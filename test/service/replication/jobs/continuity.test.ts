import { expect, test } from 'vitest';
import { Continuity } from '../../../../server/service/replication/jobs/continuity.ts';
import { explainBreak } from '../../../../server/service/replication/postgres/explainBreak.ts';
import { toLsn } from '../../../../server/service/replication/postgres/lsn.ts';
import type { SourceBacklog } from '../../../../server/service/replication/source.ts';
import type { Deployment, Provenance } from '../../../../server/service/storage/deployment.ts';

const at = (place: number) => toLsn(BigInt(place));
const record = (facts: Partial<Deployment>): Deployment =>
  ({ id: 1, deploymentName: 's', state: 'active', content: '', ...facts }) as Deployment;

function open(begun: Partial<Deployment>, now: Partial<Deployment> = begun) {
  const recorded: Provenance[] = [];
  const backlog: SourceBacklog = { kind: 'ready', confirmed: at(3) };
  const continuity = new Continuity(record(begun), {
    source: { backlog: async () => backlog, explain: explainBreak },
    store: { all: async () => [record({ id: 7 }), record(now)] },
    writer: { belongTo: async (origin) => void recorded.push(origin) },
  });
  return { continuity, recorded };
}

test('a connection to another source fails (1)', () => {
  const { continuity } = open({ origin: { system: 'a' } });
  expect(() => continuity.connect({ system: 'b' })).toThrow('[SVC_S1500]');
});

test('events come again up to where the record is when the stream begins, not when the job began (2)', async () => {
  const passed = (last: number) => ({ acknowledged: at(3), last: at(last) });
  const { continuity } = open({ passed: passed(5) }, { passed: passed(7) });
  const reunion = await continuity.reunion();
  reunion.pass(at(5), { position: at(5) });
  expect(reunion.isOver()).toBe(false);
  reunion.pass(at(7), { position: at(7) });
  expect(reunion.isOver()).toBe(true);
});

test.each([
  ['is the recorded one', { system: 'a', branch: '1' }, []],
  ['is not recorded', undefined, [{ system: 'a', branch: '1' }]],
  ['has a new timeline', { system: 'a', branch: '0' }, [{ system: 'a', branch: '1' }]],
])('a history that %s is recorded if it differs (3)', async (_, origin, expected) => {
  const { continuity, recorded } = open(origin === undefined ? {} : { origin });
  const branches = [{ id: '0', end: at(1) }, { id: '1' }];
  continuity.connect({ system: 'a', branches });
  await continuity.belong();
  expect(recorded).toEqual(expected);
});

test('nothing is recorded before a connection (3)', async () => {
  const { continuity, recorded } = open({});
  await continuity.belong();
  expect(recorded).toEqual([]);
});
