/**
 * Makes sources report which mutants a test executes. `globalThis.headwaterRecorder` is set by `setup.ts`; where it is absent, as
 * in the setup of a whole run, nothing is reported.
 */
import type { Mutant } from './mutants.ts';

const recorder = 'globalThis.headwaterRecorder';

interface Insertion {
  readonly at: number;
  readonly text: string;
  /** The other end of the inserted pair. */
  readonly to: number;
}

/** @param mutants those of this file, with the numbers by which they are reported */
export function instrument(text: string, mutants: readonly (readonly [number, Mutant])[]): string {
  const insertions = mutants.flatMap(([number, { start, end, isStatement }]): readonly Insertion[] => {
    const report = `${recorder}?.hit(${number})`;
    const [open, close] = isStatement ? [`{${report};`, '}'] : [`(${report},`, ')'];
    return [
      { at: start, text: open, to: end },
      { at: end, text: close, to: start },
    ];
  });
  // Inner pairs are closed before outer ones at the same offset, and outer ones are opened before inner ones.
  insertions.sort((one, other) => one.at - other.at || rank(one) - rank(other) || other.to - one.to);
  let from = 0;
  let result = '';
  for (const { at, text: inserted } of insertions) {
    result += text.slice(from, at) + inserted;
    from = at;
  }
  return withEvaluation(result + text.slice(from));
}

function rank({ at, to }: Insertion): number {
  return to < at ? 0 : 1;
}

/** Reports when a module begins and ends to be evaluated: what it does then is not done again for the next test file. */
export function withEvaluation(text: string): string {
  return `${recorder}?.evaluate(1);${text}\n;${recorder}?.evaluate(-1);\n`;
}
