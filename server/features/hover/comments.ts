import { type Code, catalogue } from '../../engine/diagnostics.ts';
import type { Analysis } from '../../engine/index.ts';
import { span } from '../../engine/text/span.ts';
import { explainCode } from '../explain/codes.ts';
import type { Hover } from './answer.ts';

/** A code in a comment that switches it off. */
export function hoverComment({ text }: Analysis, offset: number): Hover | undefined {
  const lineStart = text.lastIndexOf('\n', offset - 1) + 1;
  if (!/(?:#|--)[ \t]*headwater-ignore[ \t]/.test(text.slice(lineStart, offset))) return undefined;
  const start = offset - (/[\w-]*$/.exec(text.slice(lineStart, offset))?.[0].length ?? 0);
  const end = offset + (/^[\w-]*/.exec(text.slice(offset, offset + 100))?.[0].length ?? 0);
  const code = text.slice(start, end);
  if (!Object.hasOwn(catalogue, code)) return undefined;
  const markdown = explainCode(code as Code);
  return markdown === undefined ? undefined : { span: span(start, end), markdown };
}
