import type { Analysis } from '../../engine/index.ts';
import { tokenize } from '../../engine/sql/lexer.ts';
import { span } from '../../engine/text/span.ts';
import { explainFunction, functionNamed } from '../explain/explainFunctions.ts';
import { sqlAt } from '../reading/sqlAt.ts';
import type { Hover } from './answer.ts';

/** Explains a function. Its name, or the schema before the name, is recognised by the parenthesis that follows. */
export function hoverFunction(analysis: Analysis, offset: number): Hover | undefined {
  const place = sqlAt(analysis, offset);
  if (!place) return undefined;
  const { tokens } = tokenize(place.text);
  const isName = (at: number) => tokens[at]?.kind === 'word' || tokens[at]?.kind === 'quoted';
  const isSymbol = (at: number, text: string) => tokens[at]?.kind === 'symbol' && tokens[at]?.text === text;
  // Before the first letter of a name, the preceding dot or parenthesis is equally close.
  const here = tokens.findIndex(({ start, end }, at) => start <= place.at && place.at <= end && isName(at));
  const name = isSymbol(here + 1, '.') && isSymbol(here + 3, '(') ? here + 2 : here;
  if (here === -1 || !isSymbol(name + 1, '(')) return undefined;
  const first = isSymbol(name - 1, '.') && isName(name - 2) ? name - 2 : name;
  const schema = first < name ? tokens[first]?.text : undefined;
  const found = functionNamed(schema, tokens[name]?.text ?? '');
  const [start, end] = [tokens[first]?.start ?? 0, tokens[name]?.end ?? 0];
  return found && { span: place.toFile(span(start, end)), markdown: explainFunction(found) };
}
