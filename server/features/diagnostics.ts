/** What an analysis has to say, in sentences, without anything of the language protocol. */
import { type Code, type Finding, messageOf, type Severity, severityOf } from '../engine/diagnostics.ts';
import type { Analysis } from '../engine/index.ts';
import type { Span } from '../engine/span.ts';
import { type Related, related } from './related.ts';

export interface PlainDiagnostic {
  readonly code: Code;
  /** Offsets in the file, as all spans here. */
  readonly span: Span;
  readonly severity: Severity;
  readonly message: string;
  /** How an editor may draw the place: faded because it has no effect, or struck through. */
  readonly tag?: 'unnecessary' | 'deprecated';
  readonly related?: Related;
}

/** More than that helps nobody, and makes editors slow. */
const mostShown = 500;

const ranks: Readonly<Record<Severity, number>> = { error: 0, warning: 1, hint: 2 };

/** In reading order. Of very many, the worst are told, and the last of them says how many are not. */
export function diagnostics(analysis: Analysis): readonly PlainDiagnostic[] {
  const { findings } = analysis;
  const left = findings.length - mostShown;
  if (left <= 0) return findings.map((finding) => toPlain(analysis, finding));
  const worst = findings
    .map((finding, index) => ({ finding, index, rank: ranks[severityOf(finding.code)] }))
    .sort((a, b) => a.rank - b.rank || a.index - b.index)
    .slice(0, mostShown)
    .sort((a, b) => a.index - b.index)
    .map(({ finding }) => toPlain(analysis, finding));
  return worst.map((plain, index) =>
    index < mostShown - 1 ? plain : { ...plain, message: `${plain.message} (${left} more are not shown.)` },
  );
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

function toPlain(analysis: Analysis, finding: Finding): PlainDiagnostic {
  const { code, span } = finding;
  const tag = tags[code];
  const other = related(analysis, finding);
  return {
    code,
    span,
    severity: severityOf(code),
    message: messageOf(finding),
    ...(tag && { tag }),
    ...(other && { related: other }),
  };
}
