/** A config for access tests, and functions that check and run such tests. */
import { analyze, messageOf, severityOf } from '../../../server/engine/index.ts';
import { checkTests } from '../../../server/engine/tests/check.ts';
import { readTests } from '../../../server/engine/tests/reading/readTests.ts';
import { runTests } from '../../../server/engine/tests/run.ts';
import { type TestSubject, toTestSubject } from '../../../server/engine/tests/subject.ts';
import { wholeRows } from '../../../server/engine/tests/wholeRows.ts';
import { readCatalog } from './catalog.ts';

export const roomsConfig = `config:
  edition: 3
streams:
  rooms:
    auto_subscribe: true
    query: SELECT id, org FROM rooms WHERE org = auth.parameter('org')
  messages:
    query: |
      SELECT * FROM messages
      WHERE room_id = subscription.parameter('room') AND room_id IN (SELECT room_id FROM members WHERE user_id = auth.user_id())
`;

export function subjectOf(config: string): TestSubject {
  const analysis = analyze(config, { kind: 'sync' });
  const errors = analysis.findings.filter(({ code }) => severityOf(code) === 'error');
  if (analysis.config === undefined || errors.length > 0)
    throw new Error(errors.map(messageOf).join('\n') || 'no config');
  return toTestSubject(analysis.config);
}

/** Returns the problems of a file, each with its code and its marked text. */
export function problemsIn(text: string, config = roomsConfig, tables?: string): readonly string[] {
  const { file, findings } = readTests(text);
  const catalog = tables === undefined ? undefined : readCatalog(tables);
  return [...findings, ...checkTests(file, subjectOf(config), catalog)].map(
    ({ code, span }) => `${code} ${text.slice(span.start, span.end)}`,
  );
}

/** Returns the failures and their reasons, by the names of the tests. */
export function failuresIn(
  text: string,
  config = roomsConfig,
  tables?: string,
): Readonly<Record<string, readonly string[]>> {
  const { file, findings: ofReading } = readTests(text);
  const subject = subjectOf(config);
  const catalog = tables === undefined ? undefined : readCatalog(tables);
  const findings = [...ofReading, ...checkTests(file, subject, catalog)];
  return Object.fromEntries(
    runTests(wholeRows(file, subject, catalog), subject, { seeds: [], findings }).map(
      ({ test, failures }) => [
        test.name.value,
        failures.flatMap(({ span, message, reasons }) => [
          `${text.slice(span.start, span.end)}: ${message}`,
          ...reasons.map((reason) =>
            reason.span === undefined
              ? `  ${reason.text}`
              : `  ${reason.text} | ${config.slice(reason.span.start, reason.span.end).split('\n')[0]}`,
          ),
        ]),
      ],
    ),
  );
}
