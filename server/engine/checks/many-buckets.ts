import { bucketsOf, type Factor } from '../plan/buckets.ts';
import type { ConfigCheck, PlanSubject } from './check.ts';

export const manyBuckets: ConfigCheck = {
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
