import { expect, test } from 'vitest';
import { casesOf } from '../support/house/share.ts';
import { compareCases, ourOpinion } from './differential.ts';
import { explain } from './explained.ts';
import { referenceOpinion } from './reference.ts';

const cases = Number(process.env.HEADWATER_FUZZ_CASES ?? casesOf(1_500));
const seed = Number(process.env.HEADWATER_FUZZ_SEED ?? 20_000_000);

test(`${cases} random configs from seed ${seed} are valid or not as for the reference`, {}, () => {
  const { unexplained, valid } = compareCases(cases, seed);
  expect(unexplained.join('\n\n')).toBe('');
  expect(valid / cases).toBeGreaterThan(0.3);
});

test('A condition that edition 2 of the reference drops is an explained difference', () => {
  const reasonsOf = (condition: string) => {
    const text = `config:\n  edition: 2\nstreams:\n  a:\n    query: SELECT * FROM t WHERE ${condition}\n`;
    return explain(text, ourOpinion(text), referenceOpinion(text));
  };
  expect(reasonsOf('o = auth.user_id() OR a|b = 1')).toEqual([]);
  const leaks = expect.stringMatching(/rows leak/);
  for (const where of ['', ' WHERE u = auth.user_id()'])
    expect(reasonsOf(`o = auth.user_id() OR id IN (SELECT a|b FROM c${where})`)).toEqual([leaks]);
});
