/** Runs an example of an access test: the problems of its file, and its failures, as `headwater test` reports them. */
import { type Code, messageOf } from '../../server/engine/diagnostics/diagnostics.ts';
import {
  analyze,
  noSeeds,
  prepareTests,
  readSqlFiles,
  readTests,
  runTests,
  toTestSubject,
} from '../../server/engine/index.ts';
import type { Span } from '../../server/engine/text/span.ts';
import type { RuleExample } from './ruleText.ts';

export interface ShownFinding {
  readonly code: Code;
  readonly message: string;
  readonly span: Span;
}

interface Surroundings {
  /** The sync config that is under test. */
  readonly config: RuleExample;
  /** The tables of the source. */
  readonly source: RuleExample | undefined;
}

export function findingsOfTests(
  { text }: RuleExample,
  { config, source }: Surroundings,
): readonly ShownFinding[] {
  const catalog = source && readSqlFiles([{ path: 'schema.sql', text: source.text }])?.catalog;
  const prepared = prepareTests(readTests(text), {
    analysis: analyze(config.text, { kind: 'sync', defaultSchema: 'public' }),
    known: catalog && { catalog },
    subjectOf: (found) => toTestSubject(found),
    seeds: noSeeds,
  });
  const { file, findings, subject } = prepared;
  const problems = findings.map((finding) => ({
    code: finding.code,
    message: messageOf(finding),
    span: finding.span,
  }));
  if (subject === undefined) return problems;
  const failures = runTests(file, subject, prepared).flatMap((outcome) => outcome.failures);
  return [
    ...problems,
    // A problem of the file is reported once, although its test also fails.
    ...failures
      .filter(({ span }) => problems.every((problem) => problem.span !== span))
      .map(({ message, expected, actual, span }) => ({
        code: 'test-fails' as const,
        message:
          expected === '' && actual === '' ? message : `${message} Expected ${expected}, has ${actual}.`,
        span,
      })),
  ];
}
