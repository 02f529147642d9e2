/** Finds the function call around a place, the parameters of the function, and the argument that is being typed. */
import type { Analysis } from '../engine/index.ts';
import { positionAt } from '../engine/sql/position/position.ts';
import { type Span, span } from '../engine/text/span.ts';
import { explainCall, functionNamed } from './explain/explainFunctions.ts';
import { innerConfigAt } from './reading/inner.ts';
import { sqlAt } from './reading/sqlAt.ts';

interface Signature {
  readonly label: string;
  readonly markdown: string;
  /** The place of each parameter in the label. */
  readonly parameters: readonly Span[];
  /** The index of the parameter that is being typed; absent if the function has no more parameters. */
  readonly active?: number;
}

export function signature(analysis: Analysis, offset: number): Signature | undefined {
  const inner = innerConfigAt(analysis, offset);
  if (inner) return signature(inner.analysis, inner.offset);
  const place = sqlAt(analysis, offset);
  if (!place) return undefined;
  const call = positionAt(place.text.slice(0, place.at)).calls.at(-1);
  const found = call && functionNamed(call.schema, call.name);
  if (!found) return undefined;
  const label = found.of.signature;
  const parameters = parametersIn(label);
  const repeats = found.kind === 'plain' && found.of.max === Number.POSITIVE_INFINITY;
  const last = parameters.length - 1;
  const index = repeats ? Math.min(call.argument, last) : call.argument;
  return {
    label,
    markdown: explainCall(found),
    parameters,
    ...(index <= last && { active: index }),
  };
}

/** Finds the parameters in a signature such as `f(x, start [, length])`: the words between parentheses, commas and brackets. */
function parametersIn(label: string): readonly Span[] {
  const open = label.indexOf('(') + 1;
  const inside = label.slice(open, label.lastIndexOf(')'));
  return [...inside.matchAll(/'[^']*'|[^\s,[\]]+/g)].map(({ 0: word, index }) =>
    span(open + index, open + index + word.length),
  );
}
