/** Finds the hover text at a place. */
import type { Analysis } from '../../engine/index.ts';
import { explainCode } from '../explain/codes.ts';
import { innerConfigAt } from '../reading/inner.ts';
import type { Hover } from './answer.ts';
import { hoverComment } from './comments.ts';
import { hoverFunction } from './hoverFunction.ts';
import { hoverKey } from './hoverKey.ts';
import { hoverName } from './hoverName.ts';

/** The kinds of hovers, in order. The first that recognises the place answers, and explanations of findings follow below it. */
const parts = [hoverComment, hoverFunction, hoverName, hoverKey];

export function hover(analysis: Analysis, offset: number): Hover | undefined {
  if (analysis.kind === 'foreign') return undefined;
  const inner = innerConfigAt(analysis, offset);
  if (inner) {
    const told = hover(inner.analysis, inner.offset);
    return told && { ...told, span: inner.toFile(told.span) };
  }
  const found = parts.map((part) => part(analysis, offset)).find((one) => one !== undefined);
  const reasons = reasonsAt(analysis, offset);
  const [first] = reasons;
  if (!first) return found;
  const sections = [...(found ? [found.markdown] : []), ...reasons.map(({ markdown }) => markdown)];
  return { span: found?.span ?? first.span, markdown: sections.join('\n\n---\n\n') };
}

/** Returns explanations of the findings at a place. The editor itself already shows their messages. */
function reasonsAt({ findings }: Analysis, offset: number): readonly Hover[] {
  const here = findings.filter(({ span }) => span.start <= offset && offset <= span.end);
  const byCode = new Map(here.map((finding) => [finding.code, finding]));
  return [...byCode.values()].flatMap(({ code, span }) => {
    const markdown = explainCode(code);
    return markdown === undefined ? [] : { span, markdown };
  });
}
