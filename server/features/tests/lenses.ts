/** Lenses above tests, and above the streams that tests cover. */
import type { StreamCoverage } from '../../engine/index.ts';
import type { Span } from '../../engine/text/span.ts';
import type { TestsInEditor } from './inEditor.ts';

interface TestLens {
  readonly span: Span;
  readonly title: string;
  /** The test to run; absent: all tests. */
  readonly test?: { readonly kind: 'test' | 'claim'; readonly name: string };
}

export function testLenses({ prepared: { file } }: TestsInEditor): readonly TestLens[] {
  const run = (
    kind: 'test' | 'claim',
    { value: name, span }: (typeof file.tests)[number]['name'],
  ): TestLens => ({
    span,
    title: 'Run',
    test: { kind, name },
  });
  const [first] = [...file.tests, ...file.always];
  return [
    ...(file.config && first ? [{ span: file.config.span, title: 'Run all' }] : []),
    ...file.tests.map(({ name }) => run('test', name)),
    ...file.always.map(({ name }) => run('claim', name)),
  ];
}

/** Returns lenses above each stream that tests reach, combining all test files of the config. */
export function coverageLenses(covered: readonly (readonly StreamCoverage[])[]): readonly TestLens[] {
  const streams = new Map<string, { span: Span; tests: number; share: number }>();
  for (const { stream, span, tests, share } of covered.flat()) {
    const known = streams.get(stream);
    streams.set(stream, {
      span,
      tests: (known?.tests ?? 0) + tests,
      // The best of several files counts, because each may cover other streams.
      share: Math.max(known?.share ?? 0, share),
    });
  }
  return [...streams.values()].map(({ span, tests, share }) => ({
    span,
    title:
      tests === 0
        ? 'no test'
        : `${tests === 1 ? '1 test' : `${tests} tests`} · ${Math.floor(share * 100)} % covered`,
  }));
}
