/** Reads the parameter queries of bucket definitions: which buckets a request gets. */
import type { FromItem, Select } from '../../../sql/ast.ts';
import { readSelect } from '../statement.ts';
import { clientChoice } from './danger.ts';
import { readElementQuery } from './elementQuery.ts';
import type { ParameterForm, ParameterPlace } from './parameterColumns.ts';
import { readStaticQuery } from './staticQuery.ts';
import { readTableQuery } from './tableQuery.ts';

export interface ParameterQuery extends ParameterForm {
  readonly text: number;
  readonly select: Select;
}

/** Returns undefined if even the names of the parameters cannot be read. */
export function readParameterQuery(place: ParameterPlace): ParameterQuery | undefined {
  const { source, text, report } = place;
  const select = readSelect(source, report);
  const form = select && readForm(place, select, select.from);
  if (!form) return undefined;
  if (form.plan && !place.definition.acceptDangerous) reportDanger(place, form.plan);
  return { text, select, ...form };
}

function readForm(
  place: ParameterPlace,
  select: Select,
  [item, second]: readonly FromItem[],
): ParameterForm | undefined {
  const { report } = place;
  if (!item) return readStaticQuery(place, select);
  const { source } = item;
  if (second) report('single-table-required', source.span, {});
  else if (source.kind === 'table') return readTableQuery(place, select, source);
  else if (source.kind === 'subquery') report('subquery-in-from', source.query.span, {});
  else if (source.name.text === 'json_each') return readElementQuery(place, select, source);
  else report('unknown-table-function', source.callSpan, { name: source.name.text });
  return undefined;
}

function reportDanger(
  { source: { sql }, report }: ParameterPlace,
  plan: NonNullable<ParameterForm['plan']>,
): void {
  const choice = clientChoice(plan);
  if (!choice) return;
  const { start, end } = choice.at.span;
  const parameter = sql.text.slice(start, end);
  report('unauthenticated-parameter', { start: 0, end: sql.text.trimEnd().length }, { parameter });
}
