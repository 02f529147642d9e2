/** Lenses above tests that run them, and lenses above streams with the results of tests. */
import type { CodeLens } from 'vscode-languageserver';
import { coverageLenses, testLenses } from '../../../features/tests/lenses.ts';
import { readClientOptions } from '../../host/clientOptions.ts';
import type { LanguageSession, OpenConfig } from '../../workspace/session.ts';
import type { TestDocument } from '../../workspace/tests/accessTests.ts';
import { toRange } from '../convert.ts';
import { testsOf } from './navigation.ts';

/** A command of the client. Its arguments are the URIs of test files and, optionally, the name of one test. */
const runCommand = 'headwater.runTests';

function canRun({ client }: LanguageSession): boolean {
  return readClientOptions(client).commands?.includes(runCommand) === true;
}

export function lensesInTests(tests: TestDocument, session: LanguageSession): CodeLens[] {
  if (!canRun(session)) return [];
  return testLenses(tests).map(({ span, title, test }) => ({
    range: toRange(tests.document, span),
    command: {
      title,
      command: runCommand,
      arguments: [{ uris: [tests.document.uri], ...(test && { only: test }) }],
    },
  }));
}

/** Returns no lenses if the inlay hints are turned off. */
export function coverageLensesOf({ document }: OpenConfig, session: LanguageSession): CodeLens[] {
  if (!canRun(session) || !session.settings().bucketHints) return [];
  const ofConfig = testsOf(document.uri, session);
  const covered = ofConfig.flatMap((tests) => {
    const streams = session.runs.coverageOf(tests);
    return streams === undefined ? [] : [streams];
  });
  const uris = ofConfig.map((tests) => tests.document.uri);
  return coverageLenses(covered).map(({ span, title }) => ({
    range: toRange(document, span),
    command: { title, command: runCommand, arguments: [{ uris }] },
  }));
}
