/** The messages for syntax errors: the problem, and what to write instead. */
import type { SyntaxFix } from '../ast.ts';
import { expectations } from './expectations.ts';
import { mistakes } from './mistakes.ts';
import { excerptOf, type SyntaxSituation, sourceText, tokenAt } from './situation.ts';

export const tooTall = 'This expression has too many operators in a row. Split it.';

export const unreadableComment =
  'A comment between /* and */ is read like a query, so it cannot contain an apostrophe or an unusual character. Use -- in each line instead.';

export function describe(s: SyntaxSituation): { problem: string; fix?: SyntaxFix } {
  if (s.expecting === 'less depth') return { problem: expectations['less depth'] };
  const mistake = mistakes.find((row) => row.when(s));
  if (!mistake) return { problem: plain(s) };
  const fix = mistake.fix?.(s);
  return { problem: typeof mistake.say === 'string' ? mistake.say : mistake.say(s), ...(fix && { fix }) };
}

function plain(s: SyntaxSituation): string {
  const expected = expectations[s.expecting];
  const token = tokenAt(s);
  if (token.kind !== 'end') return `Unexpected \`${excerptOf(sourceText(s))}\`. ${expected}`;
  if (s.wrong === 0) return 'There is no query here. Write SELECT … FROM ….';
  return `The query ends after \`${excerptOf(sourceText(s, -1))}\`. ${expected}`;
}
