/** The engine beside the reference's, which is its yardstick: they are measured in turns. */
import { requestsOver, rowsOfMany, rowsOfOne } from '../evaluate.ts';
import type { Figure } from './figure.ts';

export async function evaluation(): Promise<Figure[]> {
  const one = figureOf('evaluation, 1 stream: rows/s', rowsOfOne(), '≥ 4 ×');
  const hundred = figureOf('evaluation, 100 streams: rows/s', rowsOfMany(100), '≥ 15 ×');
  return [
    one,
    hundred,
    figureOf('a request with 1,000 lookup entries: requests/s', await requestsOver(1_000), '≥ 10 ×'),
  ];
}

function figureOf(what: string, [, ours, reference, ratio]: readonly string[], wanted: string): Figure {
  return {
    what,
    measured: `${ours}, ${ratio} the reference`,
    ...(reference !== undefined && { limit: `${reference} (the reference)` }),
    wanted,
  };
}
