/** Quick fixes in access tests. */
import type { CodeAction, CodeActionParams } from 'vscode-languageserver';
import { testActions } from '../../../features/tests/actions.ts';
import type { LanguageSession } from '../../workspace/session.ts';
import type { TestDocument } from '../../workspace/tests/accessTests.ts';
import { toSpan } from '../convert.ts';
import { workspaceEdit } from '../workspaceEdit.ts';

export function actionsInTests(
  tests: TestDocument,
  { range, context }: CodeActionParams,
  { runs, client }: LanguageSession,
): CodeAction[] {
  const { document } = tests;
  const isWanted = context.only?.every((kind) => kind !== '' && kind !== 'quickfix') !== true;
  if (!isWanted) return [];
  return testActions(tests, toSpan(document, range), runs.claimsOf(tests)).map(
    ({ title, kind, edits, repairs, isPreferred }) => ({
      title,
      kind,
      ...(isPreferred && { isPreferred }),
      diagnostics: context.diagnostics.filter(({ code }) => code === repairs?.code),
      edit: workspaceEdit(client, [{ document, isOpen: true, edits }]),
    }),
  );
}
