/** No feature throws, and every span is inside the file, at all places of all examples and of their prefixes. */
import { expect, test } from 'vitest';
import { type Analysis, analyze } from '../../server/engine/index.ts';
import type { Span } from '../../server/engine/text/span.ts';
import { definition } from '../../server/features/definition.ts';
import { folding } from '../../server/features/folding.ts';
import { highlights } from '../../server/features/highlights.ts';
import { inlayHints } from '../../server/features/inlayHints.ts';
import { lenses } from '../../server/features/lenses.ts';
import { links } from '../../server/features/links.ts';
import { mentionsIn } from '../../server/features/reading/mentions.ts';
import { prepareRename, rename } from '../../server/features/rename.ts';
import { selection } from '../../server/features/selection.ts';
import { type OutlineNode, outline } from '../../server/features/symbols.ts';
import { tokens } from '../../server/features/tokens.ts';
import { readExamples } from '../support/engine/examples.ts';
import { sizeOf, someOf, strideOf } from '../support/house/share.ts';

const texts = readExamples().map(({ text }) => text);

function spansOfFile(analysis: Analysis): Span[] {
  const nodes: Span[] = [];
  const collect = ({ whole, nameSpan, inner }: OutlineNode): void => {
    nodes.push(whole, nameSpan);
    inner.forEach(collect);
  };
  outline(analysis).forEach(collect);
  return [
    ...nodes,
    ...folding(analysis),
    ...links(analysis).map(({ span }) => span),
    ...lenses(analysis, ['headwater.deploy']).map(({ span }) => span),
    ...inlayHints(analysis).map(({ offset }) => ({ start: offset, end: offset })),
    ...mentionsIn(analysis).map(({ span }) => span),
    ...tokensInOrder(analysis),
  ];
}

function tokensInOrder(analysis: Analysis): Span[] {
  const spans = tokens(analysis, { start: 0, end: analysis.text.length }).map(({ span }) => span);
  for (const [index, { start }] of spans.entries())
    if (index > 0 && start < (spans[index - 1]?.end ?? 0)) throw new Error(`Tokens overlap at ${start}`);
  return spans;
}

function spansAt(analysis: Analysis, offset: number): Span[] {
  const found = definition(analysis, offset);
  const prepared = prepareRename(analysis, offset);
  return [
    ...selection(analysis, offset),
    ...highlights(analysis, offset).map(({ span }) => span),
    ...(found ? [found.origin, ...found.targets.flatMap(({ whole, name }) => [whole, name])] : []),
    ...(prepared?.kind === 'possible' ? [prepared.span] : []),
  ];
}

function expectInside(analysis: Analysis, spans: readonly Span[]): void {
  const { text } = analysis;
  const outside = spans.filter(({ start, end }) => !(0 <= start && start <= end && end <= text.length));
  if (outside.length > 0) expect.fail(`${JSON.stringify(outside[0])} in ${JSON.stringify(text)}`);
}

const strides = { inside: strideOf(7), beginnings: strideOf(37) };

test('at the places of whole examples', () => {
  for (const [index, text] of texts.entries()) {
    const analysis = analyze(text, { kind: 'sync' });
    expectInside(analysis, spansOfFile(analysis));
    for (let offset = index % strides.inside; offset <= text.length; offset += strides.inside)
      expectInside(analysis, spansAt(analysis, offset));
  }
});

test('at the end of prefixes of examples', () => {
  for (const [index, text] of texts.entries())
    for (let end = index % strides.beginnings; end < text.length; end += strides.beginnings) {
      const analysis = analyze(text.slice(0, end), { kind: 'sync' });
      expectInside(analysis, [...spansOfFile(analysis), ...spansAt(analysis, end)]);
    }
});

test('at the places of examples inside a service config', () => {
  for (const [index, text] of texts.entries()) {
    const content = text.replace(/^(?=.)/gm, '    ');
    const analysis = analyze(`replication: {}\nsync_config:\n  content: |\n${content}`, { kind: 'service' });
    expectInside(analysis, spansOfFile(analysis));
    for (
      let offset = index % strides.beginnings;
      offset <= analysis.text.length;
      offset += strides.beginnings
    )
      expectInside(analysis, spansAt(analysis, offset));
  }
});

test('Each name of each example can be renamed, or is refused with a reason', () => {
  let renamed = 0;
  const some = someOf(texts);
  for (const text of some) {
    const analysis = analyze(text, { kind: 'sync' });
    const symbols = new Map(mentionsIn(analysis).map(({ symbol }) => [symbol.key, symbol]));
    for (const symbol of symbols.values()) {
      const result = rename(analysis, symbol, 'renamed_here');
      if (result.kind === 'refused') expect(result.reason).toMatch(/^[A-Z`].+\.$/s);
      else renamed += 1;
    }
  }
  expect(renamed).toBeGreaterThan(sizeOf(500));
});
