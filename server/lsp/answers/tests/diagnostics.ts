/**
 * The problems of an access test file: wrong names, claims that do not hold, and, for clients that do not show test results,
 * failing tests.
 */
import type { Diagnostic } from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { TestFailure } from '../../../engine/index.ts';
import { diagnostics } from '../../../features/diagnostics.ts';
import { readClientOptions } from '../../host/clientOptions.ts';
import { pageOf } from '../../host/pages.ts';
import type { LanguageSession } from '../../workspace/session.ts';
import { showingOf } from '../../workspace/settings.ts';
import type { TestDocument } from '../../workspace/tests/accessTests.ts';
import { toDiagnostic, toRange } from '../convert.ts';

export interface TestDiagnostics {
  /** Returns undefined if the document does not contain access tests. */
  readonly items: (document: TextDocument) => Diagnostic[] | undefined;
  /** Returns an id that changes whenever the items may have changed. */
  readonly idOf: (document: TextDocument) => string | undefined;
}

type Parts = Pick<LanguageSession, 'tests' | 'runs' | 'settings' | 'client'>;

export function testDiagnostics({ tests, runs, settings, client }: Parts): TestDiagnostics {
  const areShown = readClientOptions(client).tests === 'shown';
  const ids = new WeakMap<TestDocument, number>();
  let count = 0;

  function toFailureDiagnostics(
    code: 'always-fails' | 'test-fails',
    of: TestDocument,
    failure: TestFailure,
  ): Diagnostic[] {
    const { document, configDocument } = of;
    const severity = showingOf(settings())(code);
    if (severity === 'off' || of.prepared.findings.some(({ span }) => span === failure.span)) return [];
    const { message, span, expected, actual, reasons } = failure;
    const compared = expected === '' && actual === '' ? '' : ` Expected ${expected}, has ${actual}.`;
    const plain = { code, span, severity, message: message + compared };
    const related = reasons.flatMap(({ text, span: at }) =>
      at && configDocument
        ? [{ location: { uri: configDocument.uri, range: toRange(configDocument, at) }, message: text }]
        : [],
    );
    return [
      {
        ...toDiagnostic(document, plain, pageOf(code, client)),
        ...(related.length > 0 && { relatedInformation: related }),
      },
    ];
  }

  return {
    items(document) {
      const of = tests.of(document);
      if (of === undefined) return undefined;
      const { findings } = of.prepared;
      const ofFile = diagnostics({ ...of.analysis, findings }, showingOf(settings())).map((plain) =>
        toDiagnostic(document, plain, pageOf(plain.code, client)),
      );
      const claims = runs
        .claimsOf(of)
        .flatMap(({ failure }) => (failure ? toFailureDiagnostics('always-fails', of, failure) : []));
      const failures = areShown ? [] : (runs.outcomesOf(of) ?? []).flatMap((outcome) => outcome.failures);
      return [
        ...ofFile,
        ...claims,
        ...failures.flatMap((failure) => toFailureDiagnostics('test-fails', of, failure)),
      ];
    },
    idOf(document) {
      const of = tests.of(document);
      if (of === undefined) return undefined;
      const id = ids.get(of) ?? count++;
      ids.set(of, id);
      return `tests ${id} ${runs.claimsOf(of).length}`;
    },
  };
}
