/** Explains the codes of findings with the text of their pages. */
import { type Code, severityOf, titleOf } from '../../engine/diagnostics/diagnostics.ts';
import { paragraphs } from './explainFunctions.ts';
import { reasons } from './reasons.generated.mjs';

export function explainCode(code: Code): string {
  return paragraphs(`**${titleOf(code)}** · ${severityOf(code)} \`${code}\``, reasons.get(code));
}
