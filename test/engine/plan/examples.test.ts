import { describe, expect, test } from 'vitest';
import { ours, readRecorded, theirs } from '../../support/engine/evaluation.ts';
import { readExamples } from '../../support/engine/examples.ts';

import { plansOf } from '../../support/engine/plans.ts';
import { evaluationDeviations } from './deviations.ts';

describe('the recorded rows and requests', () => {
  for (const { name, text, defaultSchema } of readExamples()) {
    const recorded = readRecorded(name);
    if (recorded.input === undefined || !recorded.result.outcome.startsWith('valid')) continue;
    if (name in evaluationDeviations) continue;
    test(`${name} has the same results as in the reference`, () => {
      const { plans, options } = plansOf(text, defaultSchema);
      expect(ours(recorded, plans, options)).toEqual(theirs(recorded));
    });
  }
});
