/** Fixes in an access test file: intended names, and counterexamples that become tests. */
import type { Finding } from '../../engine/diagnostics/diagnostics.ts';
import type { ClaimResult } from '../../engine/index.ts';
import type { Span } from '../../engine/text/span.ts';
import { keyText } from '../../engine/yaml/keys.ts';
import type { Action } from '../actions/action.ts';
import type { TestsInEditor } from './inEditor.ts';
import { witnessEdits } from './witness.ts';

export function testActions(
  tests: TestsInEditor,
  selection: Span,
  claims: readonly ClaimResult[],
): readonly Action[] {
  const at = ({ start, end }: Span): boolean => start <= selection.end && selection.start <= end;
  const names = tests.prepared.findings
    .filter(({ code, span }) => code === 'test-unknown-name' && at(span))
    .flatMap(replaceName);
  const witnesses = claims
    .filter(({ failure, claim }) => failure !== undefined && (at(failure.span) || at(claim.holds.span)))
    .flatMap((result) => addWitness(tests, result));
  return [...names, ...witnesses];
}

function replaceName({ code, span, args }: Finding): readonly Action[] {
  const { near } = args as { readonly near?: string };
  if (near === undefined) return [];
  return [
    {
      title: `Write ${near}`,
      kind: 'quickfix',
      edits: [{ span, text: keyText(near) }],
      repairs: { code, span },
      isPreferred: true,
    },
  ];
}

function addWitness(tests: TestsInEditor, result: ClaimResult): readonly Action[] {
  const edits = witnessEdits(tests, result);
  if (edits === undefined || result.failure === undefined) return [];
  return [
    {
      title: 'Add the counterexample as a test',
      kind: 'quickfix',
      edits,
      repairs: { code: 'always-fails', span: result.failure.span },
    },
  ];
}
