import { describe, expect, test } from 'vitest';
import { analyze } from '../../../server/engine/index.ts';
import { compileStream } from '../../../server/engine/plan/compile.ts';
import { ours, readRecorded, theirs } from '../../support/evaluation.ts';
import { readExamples } from '../../support/examples.ts';

import { evaluationDeviations } from './deviations.ts';

const silent = { atPart: () => undefined, inSql: () => () => undefined } as never;

describe('the recorded rows and requests', () => {
  for (const { name, text, defaultSchema } of readExamples()) {
    const recorded = readRecorded(name);
    if (recorded.input === undefined || !recorded.result.outcome.startsWith('valid')) continue;
    if (name in evaluationDeviations) continue;
    test(`${name} gives what the reference gives`, () => {
      const { config } = analyze(text, { kind: 'sync', defaultSchema });
      const { surroundings, definitions } = config as NonNullable<typeof config>;
      const plans = definitions.flatMap(({ definition }) => {
        if (definition.kind !== 'stream') return [];
        const { plan } = compileStream(definition, surroundings, silent);
        return plan === undefined ? [] : [plan];
      });
      expect(ours(recorded, plans, surroundings.options)).toEqual(theirs(recorded));
    });
  }
});
