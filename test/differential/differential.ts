/** Our verdict on random configs against that of the reference. */

import { type Finding, messageOf, severityOf } from '../../server/engine/diagnostics/diagnostics.ts';
import { type AnalyzeInput, analyze } from '../../server/engine/index.ts';
import { readExamples } from '../support/engine/examples.ts';
import { config } from './config.ts';
import { explain, type Ours } from './explained.ts';
import { mutate } from './mutate.ts';
import { type Random, randomFrom } from './random.ts';
import { referenceOpinion } from './reference.ts';
import { shrink } from './shrink.ts';

export interface Outcome {
  readonly cases: number;
  /** How many the reference accepts. */
  readonly valid: number;
  /** Reasons of the explained differences, with how often they were needed. */
  readonly explained: ReadonlyMap<string, number>;
  /** Unexplained differences, each with its seed, the smallest config found and both opinions. */
  readonly unexplained: readonly string[];
}

/** Making a config small takes seconds. */
const mostTold = 20;

/** Case `n` of seed `s` is case 0 of seed `s + n`, so that a failure can be run alone. */
export function compareCases(cases: number, seed: number): Outcome {
  const examples = readExamples().map(({ text, outcome }) => ({ text, valid: outcome === 'valid' }));
  const corpus: Corpus = {
    valid: examples.filter((example) => example.valid).map(({ text }) => text),
    other: examples.filter((example) => !example.valid).map(({ text }) => text),
  };
  const explained = new Map<string, number>();
  const unexplained: string[] = [];
  let valid = 0;
  for (let at = seed; at < seed + cases; at++) {
    const text = makeCase(randomFrom(at), corpus);
    const reference = referenceOpinion(text);
    const ours = ourOpinion(text);
    if (reference.verdict === 'valid') valid++;
    if (ours.verdict === reference.verdict && ours.verdict !== 'crash') continue;
    const reasons = explain(text, ours, reference);
    if (reasons.length === 0)
      unexplained.push(unexplained.length < mostTold ? tell(at, text) : `seed ${at}: another one`);
    for (const reason of reasons) explained.set(reason, (explained.get(reason) ?? 0) + 1);
  }
  return { cases, valid, explained, unexplained };
}

interface Corpus {
  readonly valid: readonly string[];
  readonly other: readonly string[];
}

function makeCase(random: Random, corpus: Corpus): string {
  return random.choose<string>([
    [58, () => config(random)],
    [10, () => mutate(random, config(random))],
    [27, () => mutate(random, random.pick(corpus.valid))],
    [5, () => mutate(random, random.pick(corpus.other))],
  ]);
}

export function ourOpinion(text: string): Ours {
  let findings: readonly Finding[];
  try {
    findings = analyze(text, options).findings;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { verdict: 'crash', codes: [], notes: [`crash: ${message}`], errors: [{ message, marked: '' }] };
  }
  const errors = findings.filter(({ code }) => severityOf(code) === 'error');
  const marked = ({ start, end }: { start: number; end: number }) => text.slice(start, end);
  return {
    verdict: errors.length > 0 ? 'invalid' : 'valid',
    codes: errors.map(({ code }) => code),
    notes: findings.map(
      (finding) => `${severityOf(finding.code)}: ${finding.code} [${marked(finding.span)}]`,
    ),
    errors: errors.map((finding) => ({ message: messageOf(finding), marked: marked(finding.span) })),
  };
}

const options: AnalyzeInput = { kind: 'sync', defaultSchema: 'public' };

function tell(seed: number, text: string): string {
  const first = { ours: ourOpinion(text), reference: referenceOpinion(text) };
  const smallest = shrink(text, (smaller) => {
    const ours = ourOpinion(smaller);
    const reference = referenceOpinion(smaller);
    return (
      ours.verdict === first.ours.verdict &&
      ours.codes.every((code) => first.ours.codes.includes(code)) &&
      reference.verdict === first.reference.verdict &&
      explain(smaller, ours, reference).length === 0
    );
  });
  return [
    `seed ${seed}: the reference says ${first.reference.verdict}, we say ${first.ours.verdict}`,
    smallest,
    '  the reference:',
    ...referenceOpinion(smallest).notes.map((note) => `    ${note}`),
    '  we:',
    ...ourOpinion(smallest).notes.map((note) => `    ${note}`),
  ].join('\n');
}
