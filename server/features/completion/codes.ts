/** Completes codes in a comment `# headwater-ignore …`: first those found in the file, then all others that can be ignored. */
import { type Code, catalogue, severityOf } from '../../engine/diagnostics/diagnostics.ts';
import type { Analysis } from '../../engine/index.ts';
import { lineStart } from '../../engine/text/lines.ts';
import { span } from '../../engine/text/span.ts';
import { explainCode } from '../explain/codes.ts';
import type { Completion } from './item.ts';

const comment = /(?:#|--)[ \t]*headwater-ignore[ \t][\w\-, \t]*$/;

/** Returns undefined outside such a comment. */
export function completeCodes({ text, findings }: Analysis, offset: number): Completion[] | undefined {
  const before = text.slice(lineStart(text, offset), offset);
  if (!comment.test(before)) return undefined;
  const found = new Set(findings.map(({ code }) => code));
  const start = offset - (/[\w-]*$/.exec(before)?.[0].length ?? 0);
  const codes = (Object.keys(catalogue) as Code[]).filter((code) => severityOf(code) !== 'error');
  return codes.map((code) => ({
    label: code,
    kind: 'code',
    detail: severityOf(code),
    insert: [code],
    span: span(start, offset),
    rank: found.has(code) ? 0 : 1,
    docs: () => explainCode(code),
  }));
}
