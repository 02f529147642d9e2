/** Codes of findings, in the words of their page. */
import { type Code, severityOf, titleOf } from '../../engine/diagnostics/diagnostics.ts';
import { paragraphs } from './explainFunctions.ts';
import { reasons } from './reasons.generated.mjs';

export function explainCode(code: Code): string {
  return paragraphs(`**${titleOf(code)}** · ${severityOf(code)} \`${code}\``, reasons.get(code));
}
