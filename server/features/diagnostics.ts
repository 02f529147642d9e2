/** The findings of an analysis in sentences, independent of the language protocol. */
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

/** The severity in an editor. The reaction of a service does not depend on it. */
export type ShownSeverity = Severity | 'information';

/** Returns the severity with which a code is shown, or `off`. */
export type SeverityChoice = (code: Code) => ShownSeverity | 'off';

export interface PlainDiagnostic {
  readonly code: Code;
  /** Offsets in the file, as all spans here. */
  readonly span: Span;
  readonly severity: ShownSeverity;
  readonly message: string;
  /** A hint for drawing the place: faded because it has no effect, or struck through. */
  readonly tag?: 'unnecessary' | 'deprecated';
  readonly related?: RelatedPlace;
}

/** The maximum number of findings. More help nobody, and make editors slow. */
const mostShown = 500;

const ranks: Readonly<Record<ShownSeverity, number>> = { error: 0, warning: 1, information: 2, hint: 3 };

/**
 * Returns the findings in reading order. If there are very many, only the worst are kept, and the last sentence reports how
 * many are left out.
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

/** Whether the file is new, so that nobody has made a mistake yet. A deploy still refuses it. */
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
