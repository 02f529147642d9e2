/** Answers requests that apply to configs and access test files. A file is never both. */
import type { TextDocumentIdentifier } from 'vscode-languageserver';
import type { LanguageSession } from '../../workspace/session.ts';
import type { TestDocument } from '../../workspace/tests/accessTests.ts';

interface OfFile {
  readonly textDocument: TextDocumentIdentifier;
}

/** Asks `configs` first. If it has no answer and the file contains access tests, asks `answer`. */
export function alsoInTests<P extends OfFile, C extends object | null, R extends object>(
  session: LanguageSession,
  configs: (params: P) => C,
  answer: (tests: TestDocument, params: P) => R | undefined,
): (params: P) => C | R | null {
  return (params) => {
    const found = configs(params);
    if (found !== null) return found;
    const tests = session.tests.at(session.host.readUri(params.textDocument.uri));
    return (tests && answer(tests, params)) ?? null;
  };
}
