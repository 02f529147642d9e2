/** Compares both engines on every form in every place and mode. */

import { ourOpinion } from '../differential/differential.ts';
import { explain } from '../differential/explained.ts';
import type { Random } from '../differential/random.ts';
import { referenceOpinion } from '../differential/reference.ts';
import { type Engine, ourEngine, type Request, type Row, referenceEngine } from './answers.ts';
import { explanation } from './deviations.ts';
import { type Form, formsOf } from './forms.ts';
import { type Mode, modes, nameOfMode } from './modes.ts';
import { matches, type Side, sides } from './sides.ts';
import { columnValues, requestValues } from './values.ts';

export interface Difference {
  readonly mode: Mode;
  readonly side: string;
  readonly expression: string;
  readonly input: string;
  readonly ours: string;
  readonly theirs: string;
}

interface Case {
  readonly mode: Mode;
  readonly side: Side;
  readonly form: Form;
  readonly operands: 1 | 2 | 3;
}

export function allCases(): readonly Case[] {
  return modes.flatMap((mode) => [
    ...sides.flatMap((side) => {
      const forms = formsOf(mode);
      return ([1, 2, 3] as const).flatMap((operands) =>
        forms[operands].map((form): Case => ({ mode, side, form, operands })),
      );
    }),
    ...matches.map((side): Case => ({ mode, side, form: (a) => a, operands: 1 })),
  ]);
}

export type Inputs = <T>(values: readonly T[], operands: 1 | 2 | 3) => readonly (readonly [T, T, T])[];

export async function differencesOf(
  { mode, side, form, operands }: Case,
  inputs: Inputs,
): Promise<readonly Difference[]> {
  const config = side.configOf(mode, form);
  if (config === undefined) return [];
  const expression = matches.includes(side) ? side.name : form('a', 'b', 'c');
  const place = { mode, side: matches.includes(side) ? 'match' : side.name, expression };
  const ours = ourOpinion(config);
  const theirs = referenceOpinion(config);
  if (ours.verdict !== 'valid' || theirs.verdict !== 'valid') {
    if (ours.verdict === theirs.verdict || explain(config, ours, theirs).length > 0) return [];
    return [
      {
        ...place,
        input: 'config',
        ours: ours.notes.join('; ') || 'valid',
        theirs: theirs.notes.join('; ') || 'valid',
      },
    ];
  }
  const engines = [ourEngine(config), referenceEngine(config)] as const;
  const found: Difference[] = [];
  const compare = (input: string, [ours, theirs]: readonly [string, string]) => {
    if (ours !== theirs) found.push({ ...place, input, ours, theirs });
  };
  if (side.reads === 'row') {
    for (const [a, b, c] of inputs(columnValues, operands)) {
      const row: Row = { id: '1', a, b, c, user: 'u' };
      compare(shown([a, b, c].slice(0, operands)), await answers(engines, row));
    }
  } else {
    for (const [a, b, c] of inputs(requestValues, operands)) {
      const request: Request = { a, b, c };
      compare([a, b, c].slice(0, operands).join(' '), [
        await engines[0].request(request),
        await engines[1].request(request),
      ]);
    }
  }
  return found;
}

async function answers([ours, theirs]: readonly [Engine, Engine], row: Row): Promise<[string, string]> {
  const request: Request = { a: 'null', b: 'null', c: 'null' };
  const of = async (engine: Engine) => {
    const output = engine.row(row);
    return output === 'failed' ? output : `${output} ${await engine.request(request)}`.trim();
  };
  return [await of(ours), await of(theirs)];
}

function shown(values: readonly unknown[]): string {
  return values
    .map((value) => {
      if (typeof value === 'bigint') return String(value);
      if (typeof value === 'number')
        return Object.is(value, -0) ? '-0.0' : Number.isInteger(value) ? `${value}.0` : String(value);
      if (value instanceof Uint8Array) return `x'${Buffer.from(value).toString('hex')}'`;
      return JSON.stringify(value);
    })
    .join(', ');
}

/** All inputs for one operand, and this many random ones for several. */
export function randomInputs(random: Random, counts: Readonly<Record<1 | 2 | 3, number>>): Inputs {
  return (values, operands) => {
    if (operands === 1 && counts[1] >= values.length) return values.map((value) => [value, value, value]);
    return Array.from(
      { length: counts[operands] },
      () => [random.pick(values), random.pick(values), random.pick(values)] as const,
    );
  };
}

export function describeDifference({ mode, side, expression, input, ours, theirs }: Difference): string {
  return `${nameOfMode(mode)} | ${side} | ${expression} | ${input} | ours ${ours} | theirs ${theirs}`;
}

export interface Comparison {
  readonly cases: number;
  /** How often each deviation explained a difference. */
  readonly explained: ReadonlyMap<string, number>;
  readonly unexplained: readonly string[];
}

/** Compares these cases, each with all values for one operand and random ones for several. */
export async function compareExpressions(
  cases: readonly Case[],
  random: Random,
  counts: Readonly<Record<1 | 2 | 3, number>>,
): Promise<Comparison> {
  const explained = new Map<string, number>();
  const unexplained: string[] = [];
  for (const each of cases) {
    for (const difference of await differencesOf(each, randomInputs(random, counts))) {
      const name = explanation(difference);
      if (name === undefined) unexplained.push(describeDifference(difference));
      else explained.set(name, (explained.get(name) ?? 0) + 1);
    }
  }
  return { cases: cases.length, explained, unexplained };
}
