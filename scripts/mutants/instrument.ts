/**
 * Instruments sources so that they report which mutants a test executes. `setup.ts` sets `globalThis.headwaterRecorder`. If it is
 * absent, as in the setup of an entire run, nothing is reported.
 */
import type { Mutant } from './mutants.ts';

const recorder = 'globalThis.headwaterRecorder';

interface Insertion {
  readonly at: number;
  readonly text: string;
  /** The offset of the other end of the inserted pair. */
  readonly to: number;
}

/** @param mutants the mutants of this file, with their numbers for reports */
export function instrument(text: string, mutants: readonly (readonly [number, Mutant])[]): string {
  const insertions = mutants.flatMap(([number, { start, end, isStatement }]): readonly Insertion[] => {
    const report = `${recorder}?.hit(${number})`;
    const [open, close] = isStatement ? [`{${report};`, '}'] : [`(${report},`, ')'];
    return [
      { at: start, text: open, to: end },
      { at: end, text: close, to: start },
    ];
  });
  // Inner pairs are closed before outer ones at the same offset, and outer pairs are opened before inner ones.
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

/** Reports the start and end of the evaluation of a module, because a module is not evaluated again for the next test file. */
export function withEvaluation(text: string): string {
  return `${recorder}?.evaluate(1);${text}\n;${recorder}?.evaluate(-1);\n`;
}
