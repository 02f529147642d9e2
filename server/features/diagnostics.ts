/** What an analysis has to say, in sentences, without anything of the language protocol. */
import { type Code, type Finding, messageOf, type Severity, severityOf } from '../engine/diagnostics.ts';
import type { Analysis } from '../engine/index.ts';
import type { Span } from '../engine/span.ts';

export interface PlainDiagnostic {
  readonly code: Code;
  /** Offsets in the file, as all spans here. */
  readonly span: Span;
  readonly severity: Severity;
  readonly message: string;
  /** How an editor may draw the place: faded because it has no effect, or struck through. */
  readonly tag?: 'unnecessary' | 'deprecated';
  readonly related?: { readonly span: Span; readonly message: string };
}

export function diagnostics(analysis: Analysis): readonly PlainDiagnostic[] {
  return analysis.findings.map(toPlain);
}

const tags: Partial<Record<Code, PlainDiagnostic['tag']>> = {
  'alpha-streams': 'deprecated',
  'event-where-ignored': 'unnecessary',
  'ignored-distinct': 'unnecessary',
  'ignored-statement': 'unnecessary',
  'priority-ignored': 'unnecessary',
  'service-deprecated-key': 'deprecated',
  'service-ignored-key': 'unnecessary',
  'service-path-and-content': 'unnecessary',
  'service-supabase-off': 'unnecessary',
  'unused-cte': 'unnecessary',
  'unused-ignore': 'unnecessary',
  'unused-join': 'unnecessary',
};

function toPlain(finding: Finding): PlainDiagnostic {
  const { code, span, related } = finding;
  const tag = tags[code];
  return {
    code,
    span,
    severity: severityOf(code),
    message: messageOf(finding),
    ...(tag && { tag }),
    ...(related && { related }),
  };
}
