/** Words the findings of an analysis, independently of the language protocol. */
import {
  type Code,
  type Finding,
  messageOf,
  type Severity,
  severityOf,
} from '../engine/diagnostics/diagnostics.ts';
import { type Analysis, mentionLeft, worstOf } from '../engine/index.ts';
import { compareSpans, type Span } from '../engine/text/span.ts';
import type { KnownLimits } from './limits/knownLimits.ts';
import { limitFindings } from './limits/nearLimit.ts';
import { type RelatedPlace, relatedPlace } from './related.ts';

/** The severity in an editor. It does not affect what a service does. */
export type ShownSeverity = Severity | 'information';

/** Returns the severity with which a code is shown, or `off`. */
export type SeverityChoice = (code: Code) => ShownSeverity | 'off';

export interface PlainDiagnostic {
  readonly code: Code;
  /** The span in the file. All spans here are offsets in the file. */
  readonly span: Span;
  readonly severity: ShownSeverity;
  readonly message: string;
  /** The style for drawing the place: faded because it has no effect, or struck through. */
  readonly tag?: 'unnecessary' | 'deprecated';
  readonly related?: RelatedPlace;
}

/** The maximum number of findings. More would not help anyone and would slow down editors. */
const mostShown = 500;

const ranks: Readonly<Record<ShownSeverity, number>> = { error: 0, warning: 1, information: 2, hint: 3 };

/**
 * Returns the findings in reading order. If there are too many, only the most severe ones are kept, and the last message reports
 * how many are missing.
 */
export function diagnostics(
  analysis: Analysis,
  showing: SeverityChoice = severityOf,
  limits?: KnownLimits,
): readonly PlainDiagnostic[] {
  const hasNoEdition = analysis.findings.some(({ code }) => code === 'streams-require-edition-2');
  const findings = limits === undefined ? analysis.findings : withLimits(analysis, limits);
  const found = findings.flatMap((finding) => {
    const severity = showing(finding.code);
    // Another finding already names the edition to write.
    const isSaid = hasNoEdition && finding.code === 'alpha-streams';
    return severity === 'off' || isSaid || isNotBegun(analysis, finding) ? [] : [{ finding, severity }];
  });
  const worst = worstOf(found, ({ severity }) => ranks[severity], mostShown);
  const plain = worst.map(({ finding, severity }) => toPlain(analysis, finding, severity));
  const left = found.length - worst.length;
  return left === 0 ? plain : mentionLeft(plain, left);
}

/** Whether a file is still new, so that a missing part is not a mistake yet. A deploy still rejects the file. */
function isNotBegun({ text }: Analysis, { code }: Finding): boolean {
  return code === 'missing-definitions' && text.trim() === '';
}

function withLimits(analysis: Analysis, limits: KnownLimits): readonly Finding[] {
  const near = limitFindings(analysis, limits);
  return near.length === 0
    ? analysis.findings
    : [...analysis.findings, ...near].sort((a, b) => compareSpans(a.span, b.span));
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

function toPlain(analysis: Analysis, finding: Finding, severity: ShownSeverity): PlainDiagnostic {
  const { code, span } = finding;
  const tag = tags[code];
  const other = relatedPlace(analysis, finding);
  return {
    code,
    span,
    severity,
    message: messageOf(finding),
    ...(tag && { tag }),
    ...(other && { related: other }),
  };
}
