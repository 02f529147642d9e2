/** Positions: they are ordered, and the source understands the texts that it has returned. */
import { describe, expect, test } from 'vitest';
import { firstPosition, laterOf } from '../../../../server/service/ground/logPosition.ts';
import { neverAborted } from '../postgres/support.ts';
import { prepareTable, readToMark, type SourceRig } from './rig.ts';

export function describePositions(rig: () => SourceRig): void {
  describe('positions', () => {
    test('increase with each transaction, in the order of their texts', async () => {
      const { source, sql } = rig();
      const { table } = await prepareTable(rig());
      const positions = [firstPosition, await source.position()];
      for (const id of [1, 2, 3]) {
        await sql(`INSERT INTO ${table} VALUES (${id}, 'x')`);
        positions.push(await source.position());
      }
      expect(positions.toSorted()).toEqual(positions);
      expect(new Set(positions).size).toBe(positions.length);
      expect(positions.reduce((one, other) => laterOf(one, other))).toBe(positions.at(-1));
    });

    test('of commits are between the positions before and after them', async () => {
      const { source, sql } = rig();
      const { table, stream } = await prepareTable(rig());
      const before = await source.position();
      await sql(`INSERT INTO ${table} VALUES (1, 'x')`);
      const after = await source.position();
      const commit = (await readToMark(source, stream)).find(({ kind }) => kind === 'commit');
      if (commit?.kind !== 'commit') throw new Error('There is no commit.');
      expect(commit.position > before && commit.position <= after).toBe(true);
    });

    test('that were acknowledged are reported with the same text, and reading continues after them', async () => {
      const { source, sql, stream: open } = rig();
      const { table, name, stream } = await prepareTable(rig());
      await sql(`INSERT INTO ${table} VALUES (1, 'x')`);
      const first = (await readToMark(source, stream)).find(({ kind }) => kind === 'commit');
      if (first?.kind !== 'commit') throw new Error('There is no commit.');
      await sql(`INSERT INTO ${table} VALUES (2, 'y')`);
      const stopping = new AbortController();
      const chunks = stream.changes(stopping.signal)[Symbol.asyncIterator]();
      await chunks.next();
      stream.acknowledge(first.position);
      await expect.poll(async () => (await source.backlog(name)).confirmed).toBe(first.position);
      stopping.abort();
      await chunks.return?.();
      await stream.close();
      const again = open({ slot: name, patterns: [`public.${table}`] });
      expect(await again.prepare(neverAborted)).toBe('kept');
      const inserted = (await readToMark(source, again)).flatMap((event) =>
        event.kind === 'insert' ? [event.row.values.id] : [],
      );
      expect(inserted).toEqual([2n]);
    });

    test('of events stay the same when the events are sent again', async () => {
      const { source, sql } = rig();
      const { table, stream } = await prepareTable(rig());
      await sql(`INSERT INTO ${table} VALUES (1, 'x')`);
      await sql(`UPDATE ${table} SET a = 'y'`);
      const commitsOf = async () =>
        (await readToMark(source, stream)).flatMap((event) =>
          event.kind === 'commit' ? [{ position: event.position, mark: event.mark }] : [],
        );
      const commits = await commitsOf();
      expect(commits.length).toBeGreaterThanOrEqual(2);
      expect((await commitsOf()).slice(0, commits.length)).toEqual(commits);
    });

    test('of the log belong to one history, whose identity stays the same', async () => {
      const { source } = rig();
      const { system } = await source.history();
      expect(system).not.toBe('');
      expect((await source.history()).system).toBe(system);
    });
  });

  describe('the changes that are kept for a stream', () => {
    test('exist from its preparation until they are dropped', async () => {
      const { source, stream: open } = rig();
      const name = 'contract_dropped';
      expect(await source.backlog(name)).toEqual({ kind: 'absent' });
      const stream = open({ slot: name });
      expect(await stream.prepare(neverAborted)).toBe('created');
      expect(await stream.prepare(neverAborted)).toBe('kept');
      expect(await source.backlogNames()).toContain(name);
      const { kind, confirmed = firstPosition, end = firstPosition } = await source.backlog(name);
      expect(kind).toBe('ready');
      expect(confirmed <= end).toBe(true);
      await stream.close();
      await source.endReaders(name);
      await source.dropBacklog(name);
      expect(await source.backlog(name)).toEqual({ kind: 'absent' });
      expect(await source.backlogNames()).not.toContain(name);
      await source.dropBacklog(name);
    });
  });
}
