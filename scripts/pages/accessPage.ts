/** Writes the lists in `docs/ACCESS.md`: what the search for counterexamples cannot decide, and what its proofs assume. */
import { modelAssumptions, modelLimits } from '../../server/engine/index.ts';

export function renderAccessPage(text: string): string {
  return [
    ['the limits of the model', 'the limits', Object.values(modelLimits).map(sentenceOf)] as const,
    ['the assumptions of the model', 'the assumptions', modelAssumptions] as const,
  ].reduce((page, [title, end, items]) => {
    const [start, last] = [`<!-- generated: ${title} -->\n`, `<!-- end of ${end} -->`];
    const [before, rest] = [page.indexOf(start) + start.length, page.indexOf(last)];
    return `${page.slice(0, before)}\n${items.map((item) => `- ${item}\n`).join('')}\n${page.slice(rest)}`;
  }, text);
}

function sentenceOf(limit: string): string {
  return `${limit.charAt(0).toUpperCase()}${limit.slice(1)}.`;
}
