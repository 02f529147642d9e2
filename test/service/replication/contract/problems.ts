/** The health of a source, the preflight and its remedies. */
import { describe, expect, test } from 'vitest';
import { isFit, preflightIds, problemsOf } from '../../../../server/service/replication/preflight.ts';
import { pattern } from '../postgres/support.ts';
import type { SourceRig } from './rig.ts';

export function describeProblems(rig: () => SourceRig): void {
  describe('the preflight', () => {
    test('finds nothing at a source that can be replicated, and reports its checks in order', async () => {
      const { source, sql } = rig();
      await sql('CREATE TABLE fit (id int PRIMARY KEY)');
      const checks = await source.preflight([pattern('public.fit')]);
      expect(checks.filter(({ state }) => state === 'failed')).toEqual([]);
      const order = checks.map(({ id }) => preflightIds.indexOf(id));
      expect(order.toSorted((one, other) => one - other)).toEqual(order);
      expect(isFit(checks)).toBe(true);
      await expect.poll(() => source.health()).toEqual({ connected: true, problems: [] });
    });

    test('reports mistakes with statements that repair them', async () => {
      const { source, sql, mistakes } = rig();
      for (const mistake of mistakes) {
        await sql(mistake);
        const checks = await source.preflight([pattern('public.fit')]);
        const problems = problemsOf(checks);
        expect(isFit(checks), mistake).toBe(false);
        const statements = problems.flatMap((problem) => problem.statements ?? []);
        expect(statements, mistake).not.toEqual([]);
        for (const problem of problems) expect(problem.remedy).toMatch(/\.$|;$/);
        for (const statement of statements) await sql(statement);
        expect(problemsOf(await source.preflight([pattern('public.fit')])), mistake).toEqual([]);
      }
    });

    test('never claims a check that was not made', async () => {
      const checks = await rig().source.preflight('The sync config has errors.');
      for (const check of checks) {
        if (check.state === 'ok') expect(check.message).not.toBe('');
        if (check.state === 'unchecked') expect(check.why).not.toBe('');
      }
      expect(isFit(checks)).toBe(true);
    });
  });
}
