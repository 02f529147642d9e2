/** The behaviour of a source whose database ends, and of a closed source. */
import { describe, expect, test } from 'vitest';
import { type ChangeEvent, SourceFailure } from '../../../../server/service/replication/source.ts';
import { failureOf, follow, neverAborted } from '../postgres/support.ts';
import { prepareTable, readToMark, type SourceRig } from './rig.ts';

export function describeLink(rig: () => SourceRig): void {
  describe('a lost link', () => {
    test('ends a stream with a failure of the source, and loses no change', async () => {
      const { source, sql, crash, recover } = rig();
      const { table, stream } = await prepareTable(rig());
      const { system } = await source.history();
      const follower = follow(source, stream, false);
      await sql(`INSERT INTO ${table} VALUES (1, 'x')`);
      await follower.settled();
      const before = await source.position();
      await crash();
      const failure = await failureOf(follower.ended());
      expect(['closed', 'unreachable']).toContain(failure.kind);
      expect(failure.message).not.toBe('');
      await recover();
      await sql(`INSERT INTO ${table} VALUES (2, 'y')`);
      expect((await source.history()).system).toBe(system);
      expect((await source.position()) > before).toBe(true);
      expect(await stream.prepare(neverAborted)).toBe('kept');
      const ids = (await readToMark(source, stream)).flatMap((event: ChangeEvent) =>
        event.kind === 'insert' ? [event.row.values.id] : [],
      );
      expect(ids).toEqual([1n, 2n]);
    });
  });
}

/** Must be the last part of the contract. */
export function describeClosing(rig: () => SourceRig): void {
  test('A closed source fails as closed, and does not claim to be connected', async () => {
    const { source } = rig();
    await source.close();
    const failure = await failureOf(source.position());
    expect(failure).toBeInstanceOf(SourceFailure);
    expect(failure.kind).toBe('closed');
    expect((await source.health()).connected).toBe(false);
  });
}
