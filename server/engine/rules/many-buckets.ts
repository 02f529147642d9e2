/**
 * Numbers of buckets that multiply
 *
 * Every combination of keys is a bucket of its own. If two of them take several values each, a client gets their
 * product: 40 projects in 30 regions are 1,200 buckets. A service refuses a client with more than 1,000 of them, and
 * each costs time at every sync. Keep the combinations that exist in one table, or leave one condition to the client.
 *
 * Bad:
 *
 * ```sql
 * SELECT * FROM tasks
 * WHERE project_id IN (SELECT project_id FROM members WHERE user_id = auth.user_id())
 *   AND region IN auth.parameter('regions')
 * ```
 *
 * Good:
 *
 * ```sql
 * SELECT * FROM tasks
 * WHERE project_id IN (SELECT project_id FROM members WHERE user_id = auth.user_id())
 * ```
 */
import { bucketsOf, type Factor } from '../plan/buckets.ts';
import type { PlanSubject, Rule } from './rule.ts';

export const manyBuckets: Rule = {
  code: 'many-buckets',
  checkPlan: (subject) => {
    for (const count of bucketsOf(subject.plan)) {
      const factors = [...count.factors].sort((a, b) => a.at.span.start - b.at.span.start);
      const last = factors.at(-1);
      if (!last || factors.length < 2) continue;
      subject.report('many-buckets', last.at, { factors: factors.map((factor) => nameOf(subject, factor)) });
    }
  },
};

function nameOf({ texts }: PlanSubject, { kind, of }: Factor): string {
  const written = texts[of.text]?.sql.text.slice(of.span.start, of.span.end) ?? '';
  return kind === 'rows' ? `rows of \`${written}\`` : `elements of \`${written}\``;
}
