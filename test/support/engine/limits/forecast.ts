/** Forecasts how many buckets and results clients get if the source has the given rows. */
import { type Analysis, analyze, plansOf } from '../../../../server/engine/index.ts';
import { forecast, type LimitForecast } from '../../../../server/engine/limits/forecast.ts';
import { prepareForecast } from '../../../../server/engine/limits/prepare.ts';
import { referencePlansOf } from '../../../../server/engine/limits/referencePlans.ts';
import { collectEntries } from '../../../../server/engine/limits/rowEntries.ts';
import { countLookups } from '../../../../server/engine/limits/sizes.ts';
import type { Row } from '../../../../server/engine/plan/evaluate/scope.ts';

export function configOf(text: string): NonNullable<Analysis['config']> {
  const { config } = analyze(text, { kind: 'sync', defaultSchema: 'public' });
  if (config === undefined) throw new Error('There is no config.');
  return config;
}

/** @param streams the names of the streams to count; absent: all streams */
export function forecastOfRows(
  text: string,
  rows: ReadonlyMap<string, readonly Row[]>,
  streams?: readonly string[],
): LimitForecast {
  const config = configOf(text);
  const isAsked = ({ name }: { readonly name: string }) => streams?.includes(name) ?? true;
  const prepared = prepareForecast({
    plans: plansOf(config).filter(isAsked),
    referencePlans: referencePlansOf(config).filter(isAsked),
    options: config.surroundings.options,
  });
  const entries = collectEntries(prepared);
  for (const [name, some] of rows) some.forEach(entries.rowsOf({ tag: 'default', schema: 'public', name }));
  const sizes = countLookups((lookup) => prepared.plan.telling.has(lookup));
  entries.countInto(sizes);
  const work = forecast(prepared.plan, { ...prepared, sizes });
  let step = work.next();
  while (!step.done) step = work.next(entries.answer(step.value));
  return step.value;
}
