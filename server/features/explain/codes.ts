/** Codes of findings, in the words of their page. */
import { type Code, severityOf } from '../../engine/diagnostics.ts';
import { paragraphs } from './functions.ts';
import { ruleTexts } from './rules.generated.ts';

export function explainCode(code: Code): string | undefined {
  const text = ruleTexts.get(code);
  return text && paragraphs(`**${text.title}** · ${severityOf(code)} \`${code}\``, text.reason);
}
