import { type Code, catalogue } from '../../engine/diagnostics/diagnostics.ts';
import type { Analysis } from '../../engine/index.ts';
import { lineStart } from '../../engine/text/lines.ts';
import { span } from '../../engine/text/span.ts';
import { explainCode } from '../explain/codes.ts';
import type { Hover } from './answer.ts';

/** Explains a code in an ignore comment. */
export function hoverComment({ text }: Analysis, offset: number): Hover | undefined {
  const before = text.slice(lineStart(text, offset), offset);
  if (!/(?:#|--)[ \t]*headwater-ignore[ \t]/.test(before)) return undefined;
  const start = offset - (/[\w-]*$/.exec(before)?.[0].length ?? 0);
  const end = offset + (/^[\w-]*/.exec(text.slice(offset, offset + 100))?.[0].length ?? 0);
  const code = text.slice(start, end);
  if (!Object.hasOwn(catalogue, code)) return undefined;
  const markdown = explainCode(code as Code);
  return markdown === undefined ? undefined : { span: span(start, end), markdown };
}
