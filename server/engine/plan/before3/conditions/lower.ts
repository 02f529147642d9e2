/** Splits comparisons of row and request into the two sides of a plan, each with its value. */
import type { Expression } from '../../expression.ts';
import type { Expansion, RouteStep, RouteValue } from '../../plan.ts';
import type { Comparison } from './condition.ts';

/** Returns the expansion of a JSON array. */
export function elementsOf(array: Expression): Expansion {
  return { function: 'json_array', args: [array], at: array.at };
}

/** Returns the row's side of a comparison. Its arrays are added to the expansions. */
export function rowSide(comparison: Comparison, expansions: Expansion[]): Expression {
  const { row, at } = comparison;
  if (comparison.kind !== 'in row' && comparison.kind !== 'overlap') return row;
  const expansion = expansions.push(elementsOf(row)) - 1;
  return { kind: 'element', expansion, name: 'value', at };
}

/** Returns the request's side of a comparison. Its arrays are added to the steps. */
export function requestSide(comparison: Comparison, steps: RouteStep[]): RouteValue {
  const { at } = comparison;
  if (comparison.kind === 'equal' || comparison.kind === 'in row') {
    if (comparison.parameter.kind === 'request')
      return { kind: 'request', value: comparison.parameter.value, at };
    throw new Error('A bucket parameter is no value of the request');
  }
  const element: Expression = { kind: 'element', expansion: 0, name: 'value', at };
  const expand: RouteStep = {
    kind: 'expand',
    stage: 0,
    expansion: elementsOf(comparison.array),
    filter: [],
    outputs: [element],
  };
  return { kind: 'output', step: steps.push(expand) - 1, output: 0, at };
}

/** Returns the stage of a lookup with these inputs. Elements of an array are available before any lookup. */
export function stageOf(inputs: readonly RouteValue[]): number {
  return inputs.some(({ kind }) => kind === 'output') ? 1 : 0;
}
