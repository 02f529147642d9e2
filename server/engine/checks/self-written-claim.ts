import { clientChoiceOf } from '../risk/choice.ts';
import { riskOf } from '../risk/risk.ts';
import type { ConfigCheck } from './check.ts';

/**
 * Finds conditions on claims that users can write themselves, or on addresses that may belong to somebody else. Such a claim proves
 * nothing.
 */
export const selfWrittenClaim: ConfigCheck = {
  code: 'self-written-claim',
  checkPlan: ({ plan, acceptsRisk, report }) => {
    if (acceptsRisk) return;
    const reported = new Set<string>();
    for (const route of plan.routes) {
      const risk = riskOf(route, plan);
      if (risk.kind !== 'claim' || risk.writable === 'by the backend' || clientChoiceOf(route)) continue;
      const { claim, writable, at } = risk;
      const key = JSON.stringify([at, claim]);
      if (reported.has(key)) continue;
      reported.add(key);
      report('self-written-claim', at, { claim, writable });
    }
  },
};
