/** Common mistakes, each with its message and, if there is one, its fix. */
import { nearest } from '../../text/nearest.ts';
import type { SyntaxFix } from '../ast.ts';
import { functionAlternatives } from '../functions.ts';
import { operators } from '../operators.ts';
import {
  endsName,
  endsPart,
  excerptOf,
  insertionFix,
  is,
  isGlued,
  isReserved,
  meantAsName,
  openParentheses,
  quotationFix,
  replacementFix,
  type SyntaxSituation,
  sourceText,
  startsClause,
  tokenAt,
} from './situation.ts';

/** Advice for words that only other dialects support, or that are allowed only in other places. */
const wordHints = {
  collate: 'COLLATE is not supported, because text is compared by its characters. Compare lower(x).',
  escape: 'LIKE and ESCAPE are not supported. Use substring() or instr().',
  div: 'DIV is not supported. Divide whole numbers with /.',
  except: 'EXCEPT is not supported. Write NOT IN, or a condition.',
  glob: "GLOB is not supported. For a prefix write substring(x, 1, n) = '…', for a part instr(x, '…') > 0.",
  intersect: 'INTERSECT is not supported. Join the conditions with AND.',
  into: 'SELECT INTO is not supported. Remove INTO and the name after it.',
  lateral: 'Remove LATERAL: a function in FROM can use the tables before it.',
  natural: 'NATURAL JOIN is not supported. Write JOIN … ON a.x = b.x.',
  only: 'ONLY is not supported. Remove it.',
  outer: 'OUTER needs LEFT, RIGHT or FULL before it. Sync queries have inner joins only: write JOIN.',
  overlaps: 'OVERLAPS is not supported. Compare the bounds with < and >.',
  regexp: 'Regular expressions are not supported. Use substring() or instr().',
  rlike: 'Regular expressions are not supported. Use substring() or instr().',
  similar: 'SIMILAR TO is not supported. Use substring() or instr().',
  tablesample: 'TABLESAMPLE is not supported. Remove it.',
  window: 'Window functions are not supported. Remove WINDOW.',
} as const;

interface Mistake {
  readonly when: (s: SyntaxSituation) => boolean;
  readonly say: string | ((s: SyntaxSituation) => string);
  readonly fix?: (s: SyntaxSituation) => SyntaxFix | undefined;
}

/** The mistakes. The first one that matches counts. */
export const mistakes: readonly Mistake[] = [
  // Unexpected characters
  {
    when: (s) => unreadable(s, /^'/),
    say: "This text is never closed. Put a single quote at its end; inside, a quote is written ''.",
  },
  {
    when: (s) => unreadable(s, /^e''$/i),
    say: "Remove the E: an empty text is written ''.",
    fix: (s) => replacementFix(s, 'Remove the E', "''"),
  },
  {
    when: (s) => unreadable(s, /^e'/i),
    say: (s) =>
      /\\([^ntrbf\\]|$)/.test(tokenAt(s).text)
        ? "Unknown escape sequence. E'…' supports \\n, \\t, \\r, \\b, \\f and \\\\; a quote is written ''."
        : "This text is never closed. Put a single quote at its end; inside, a quote is written ''.",
  },
  {
    when: (s) => unreadable(s, /^""$/),
    say: "A name cannot be empty. An empty text is written with single quotes: ''.",
    fix: (s) => replacementFix(s, 'Write an empty text', "''"),
  },
  {
    when: (s) => unreadable(s, /^"[^"]*\*/),
    say: 'A name in double quotes cannot contain a star.',
  },
  { when: (s) => unreadable(s, /^"/), say: 'This name is never closed. Put a double quote at its end.' },
  {
    when: (s) => unreadable(s, /^`/),
    say: (s) => `Backticks are not supported. Put names in double quotes: "${inner(s) || 'name'}".`,
    fix: (s) => (inner(s) ? replacementFix(s, 'Use double quotes', `"${inner(s)}"`) : undefined),
  },
  {
    when: (s) => unreadable(s, /^[‘’‚‛]/),
    say: 'Curly quotes are not allowed. Write strings in plain single quotes.',
    fix: (s) => (inner(s) ? replacementFix(s, 'Use plain quotes', `'${inner(s)}'`) : undefined),
  },
  {
    when: (s) => unreadable(s, /^[“”„‟«»]/),
    say: 'Curly quotes are not allowed. Write strings in \' and names in ".',
    fix: (s) => (inner(s) ? replacementFix(s, 'Use plain quotes', `"${inner(s)}"`) : undefined),
  },
  {
    when: (s) => unreadable(s, /^[@$][A-Za-z_{]/),
    say: (s) => noParameters(tokenAt(s).text),
  },
  {
    when: (s) => unreadable(s, /^\{/),
    say: (s) => noParameters(tokenAt(s).text),
  },
  {
    when: (s) => unreadable(s, /^!/),
    say: 'Unexpected `!`. Write NOT, or != to compare.',
    fix: (s) => replacementFix(s, 'Write NOT', 'NOT '),
  },
  { when: (s) => unreadable(s, /^\\/), say: 'A backslash has no meaning outside a text.' },
  {
    when: (s) => unreadable(s, /^[\u2010-\u2015\u2212]/),
    say: (s) => `Unexpected \`${tokenAt(s).text}\`. Write a plain minus: -.`,
    fix: (s) => replacementFix(s, 'Write a plain minus', '-'),
  },
  {
    when: (s) => unreadable(s, /^[\s\u00ad\u200b-\u200f\u2060-\u2064\ufeff]/),
    say: (s) => `There is an invisible character (${codePoint(s)}). Write a space.`,
    fix: (s) => replacementFix(s, 'Write a space', ' '),
  },
  {
    when: (s) => unreadable(s, /^\p{L}/u),
    say: (s) =>
      `Names with letters such as ${tokenAt(s).text[0]} need double quotes: "${wholeWord(s).text}".`,
    fix: (s) => ({ title: 'Quote the name', ...wholeWord(s).quoted }),
  },
  {
    when: (s) => tokenAt(s).kind === 'unknown',
    say: (s) => `The character ${printable(s)} is not allowed here.`,
  },
  { when: (s) => tokenAt(s).kind === 'dollar', say: 'Texts in $$ are not supported. Use single quotes.' },

  // Operators and numbers of other languages
  {
    when: (s) => is(s, '=') && is(s, '=', -1) && isGlued(s),
    say: 'Unexpected `==`. Compare with a single `=`.',
    fix: (s) => replacementFix(s, 'Write =', '=', -1, 0),
  },
  {
    when: (s) => is(s, '>') && is(s, '<=', -1) && isGlued(s),
    say: 'Unexpected `<=>`. Write a = b OR (a IS NULL AND b IS NULL).',
  },
  {
    when: (s) => (is(s, '>') || is(s, '<')) && is(s, '=', -1) && isGlued(s),
    say: (s) => `Unexpected \`=${tokenAt(s).text}\`. Write ${tokenAt(s).text}=.`,
    fix: (s) => replacementFix(s, `Write ${tokenAt(s).text}=`, `${tokenAt(s).text}=`, -1, 0),
  },
  {
    when: (s) => is(s, '>') && is(s, '<', -1),
    say: 'Write <> without a space.',
    fix: (s) => replacementFix(s, 'Write <>', '<>', -1, 0),
  },
  {
    when: (s) => isNumber(s, /^-/) && s.expecting !== 'key',
    say: (s) => `Put a space after the minus: - ${tokenAt(s).text.slice(1)}. Without it, this is a number.`,
    fix: (s) => replacementFix(s, 'Insert a space', `- ${tokenAt(s).text.slice(1)}`),
  },
  {
    when: (s) => is(s, ':') && is(s, '=', 1),
    say: 'Unexpected `:=`. Compare with =.',
    fix: (s) => replacementFix(s, 'Write =', '=', 0, 1),
  },
  { when: (s) => is(s, ':') && tokenAt(s, 1).kind === 'word', say: (s) => noParameters(sourceText(s, 0, 1)) },
  { when: (s) => is(s, '?'), say: noParameters('?') },
  {
    when: (s) => exponent(s) !== undefined,
    say: (s) => `Exponents are not supported. Write all digits instead of ${exponent(s)}.`,
  },
  {
    when: (s) => /^x[0-9a-f]+$/.test(tokenAt(s).text) && isNumber(s, /^0$/, -1) && isGlued(s),
    say: (s) => `Hexadecimal numbers are not supported. Write ${hexValue(s)}.`,
    fix: (s) => replacementFix(s, `Write ${hexValue(s)}`, hexValue(s), -1, 0),
  },
  {
    when: (s) => /^[0-9_]+$/.test(tokenAt(s).text) && isNumber(s, /./, -1) && isGlued(s),
    say: (s) => `Remove the underscores: ${sourceText(s, -1, 0).replaceAll('_', '')}.`,
    fix: (s) => replacementFix(s, 'Remove the underscores', sourceText(s, -1, 0).replaceAll('_', ''), -1, 0),
  },
  {
    when: (s) => (is(s, '/') && is(s, '/', -1) && isGlued(s)) || (is(s, '#') && s.expecting === 'value'),
    say: 'A comment starts with --.',
  },
  { when: (s) => is(s, '*/'), say: 'This comment was never opened. A comment starts with /*.' },
  {
    when: (s) => is(s, '[') && s.expecting === 'value',
    say: 'Unexpected `[`. A list is written ARRAY[…].',
    fix: (s) => replacementFix(s, 'Write ARRAY', 'ARRAY['),
  },
  {
    when: (s) => is(s, '*') && is(s, '*', -1) && isGlued(s),
    say: 'There is no power operator. Multiply instead.',
  },

  // Strings and quotes
  {
    when: (s) => tokenAt(s).kind === 'string' && tokenAt(s, -1).kind === 'string',
    say: "Two texts cannot follow each other directly. Join them with ||; a quote inside a text is written ''.",
    fix: (s) => insertionFix(s, 'Join the texts', ' ||'),
  },
  {
    when: (s) => tokenAt(s).kind === 'word' && tokenAt(s, -1).kind === 'string' && isGlued(s),
    say: "The text ends here. A quote inside a text is written ''.",
  },
  {
    when: (s) => s.expecting === 'key' && (tokenAt(s).kind === 'word' || tokenAt(s).kind === 'quoted'),
    say: (s) => `A key is a text. Put it in single quotes: '${tokenAt(s).text}'.`,
    fix: (s) => replacementFix(s, 'Use single quotes', `'${tokenAt(s).text}'`),
  },
  {
    when: (s) => tokenAt(s).kind === 'string' && /^(name|alias|column of a table)$/.test(s.expecting),
    say: (s) => `Write a name in double quotes: "${tokenAt(s).text}".`,
    fix: (s) => (tokenAt(s).text ? quotationFix(s) : undefined),
  },
  {
    when: (s) => tokenAt(s).kind === 'string' && s.expecting === 'table',
    say: (s) => `Write a table name in double quotes: "${tokenAt(s).text}".`,
    fix: (s) => (tokenAt(s).text ? quotationFix(s) : undefined),
  },

  // Commas and brackets
  {
    when: (s) => is(s, ',', -1) && endsPart(s) && s.expecting !== 'table of a schema',
    say: (s) => `Nothing follows the comma${behindWhat(s)}. Remove the comma or add a value.`,
    fix: (s) => replacementFix(s, 'Remove the comma', '', -1),
  },
  {
    when: (s) => is(s, ',') && (is(s, ',', -1) || is(s, '(', -1) || is(s, 'select', -1) || is(s, 'from', -1)),
    say: 'Nothing comes before this comma. Remove the comma.',
    fix: (s) => replacementFix(s, 'Remove the comma', ''),
  },
  {
    when: (s) => is(s, ',') && s.expecting === 'end of condition',
    say: 'Join conditions with AND, not with a comma.',
    fix: (s) => replacementFix(s, 'Write AND', ' AND'),
  },
  {
    when: (s) => is(s, ')') && is(s, '(', -1) && is(s, 'in', -2),
    say: 'The list after IN is empty. To match nothing, write IN ARRAY[].',
    fix: (s) => replacementFix(s, 'Write ARRAY[]', 'ARRAY[]', -1, 0),
  },
  {
    when: (s) => is(s, ')') && openParentheses(s).length === 0,
    say: 'This parenthesis was never opened. Remove it.',
    fix: (s) => replacementFix(s, 'Remove the parenthesis', ''),
  },
  {
    when: (s) => s.expecting === 'closing parenthesis' && (endsPart(s) || is(s, ',')) && !is(s, ')'),
    say: (s) => `The parenthesis${afterOpening(s)} is never closed.`,
    fix: (s) => insertionFix(s, 'Close the parenthesis', ')'),
  },
  {
    when: (s) => s.expecting === 'alias of a subquery',
    say: 'A subquery in FROM needs a name: (SELECT …) AS q.',
    fix: (s) => (is(s, ')', -1) ? insertionFix(s, 'Name the subquery', ' AS q') : undefined),
  },
  {
    when: (s) => is(s, '.') && is(s, '.', -2) && is(s, '.', -4),
    say: 'A name has at most three parts: schema.table.column.',
  },
  {
    when: (s) => is(s, '.') && is(s, '.', -2) && s.expecting === 'end of FROM',
    say: 'A table name has at most two parts: schema.table.',
  },
  {
    when: (s) => is(s, '%') && s.expecting === 'end of FROM' && isGlued(s),
    say: (s) => `A table pattern needs double quotes: "${sourceText(s, -1, 0)}".`,
    fix: (s) => replacementFix(s, 'Quote the pattern', `"${sourceText(s, -1, 0)}"`, -1, 0),
  },
  {
    when: (s) => is(s, '-') && s.expecting === 'end of FROM' && isGlued(s) && isGlued(s, 1),
    say: (s) => `A name with a dash needs double quotes: "${sourceText(s, -1, 1)}".`,
    fix: (s) => replacementFix(s, 'Quote the name', `"${sourceText(s, -1, 1)}"`, -1, 1),
  },

  // Misplaced and misspelt words
  {
    when: (s) => wordMeant(s) !== undefined && tokenAt(s, 1).kind !== 'end',
    say: (s) => `Unexpected \`${sourceText(s)}\`. Did you mean ${wordMeant(s)}?`,
    fix: (s) => replacementFix(s, `Write ${wordMeant(s)}`, wordMeant(s) ?? ''),
  },
  {
    when: (s) => s.expecting === 'end of FROM' && tokenAt(s, -1).kind === 'word' && isNearly(s, 'where', -1),
    say: (s) => `Unexpected \`${sourceText(s, -1)}\`. Did you mean WHERE?`,
    fix: (s) => replacementFix(s, 'Write WHERE', 'WHERE', -1),
  },
  {
    when: (s) => is(s, 'all', -1) && is(s, 'limit', -2),
    say: 'Remove LIMIT ALL: without LIMIT there is no limit.',
    fix: (s) => replacementFix(s, 'Remove LIMIT ALL', '', -2, -1),
  },
  {
    when: (s) => is(s, 'top', -1) && is(s, 'select', -2),
    say: 'TOP is not supported: sync queries choose rows one by one.',
  },
  {
    when: (s) => is(s, '.') && isReserved(s, -1),
    say: (s) => needsQuotes(s, -1),
    fix: (s) => quotationFix(s, -1),
  },
  {
    when: (s) => s.expecting === 'table, not value',
    say: (s) => needsQuotes(s, -1),
    fix: (s) => quotationFix(s, -1),
  },
  {
    when: (s) =>
      s.expecting === 'text after a type' && isReserved(s, -1) && is(s, '.', -2) && endsName(s, -1),
    say: (s) => needsQuotes(s, -1),
    fix: (s) => quotationFix(s, -1),
  },
  {
    when: (s) => is(s, 'escape', -1) && tokenAt(s).kind === 'string',
    say: wordHints.escape,
  },
  {
    when: (s) => tokenAt(s).kind === 'string' && patternOperators.some((word) => is(s, word, -1)),
    say: (s) => wordHints[patternOperators.find((word) => is(s, word, -1)) ?? 'glob'],
  },
  {
    when: (s) => s.expecting === 'union' && tokenAt(s).kind === 'end',
    say: 'Remove the parentheses around SELECT.',
  },
  {
    when: (s) => is(s, 'not') && s.expecting === 'value',
    say: 'After an operator, put NOT and its operand in parentheses: a = (NOT b).',
  },
  {
    when: (s) => is(s, 'select') && s.expecting === 'value',
    say: 'Put the subquery in parentheses: (SELECT …).',
  },
  {
    when: (s) => is(s, 'select') && s.expecting !== 'value',
    say: 'A second SELECT begins here. Make it a separate query, or put a subquery in parentheses.',
  },
  {
    when: (s) => is(s, 'having'),
    say: 'HAVING is possible only after GROUP BY. Write the condition in WHERE.',
  },
  {
    when: (s) => wordHint(s) !== undefined,
    say: (s) => wordHint(s) ?? '',
  },
  {
    when: (s) => is(s, 'where') && s.expecting === 'end of statement',
    say: (s) =>
      s.tokens.slice(0, s.wrong).some((token) => token.kind === 'word' && token.text === 'where')
        ? 'There is already a WHERE. Join the conditions with AND.'
        : 'WHERE must be before GROUP BY, ORDER BY and LIMIT.',
  },
  {
    when: (s) => is(s, 'from') && s.expecting === 'end of statement',
    say: 'FROM is possible only once, before WHERE and all other clauses.',
  },
  {
    when: (s) =>
      /^(join|inner|left|right|full|cross)$/.test(tokenAt(s).text) &&
      /^end of (cond|state)/.test(s.expecting),
    say: 'JOIN belongs to FROM, before WHERE.',
  },
  {
    when: (s) =>
      tokenAt(s).kind === 'word' && is(s, '(', 1) && s.expecting === 'value' && functionHint(s) !== undefined,
    say: (s) => `There is no function \`${tokenAt(s).text}\`. ${functionHint(s)}`,
  },
  {
    when: (s) => meantAsName(s),
    say: (s) => needsQuotes(s, 0),
    fix: (s) => quotationFix(s),
  },
  {
    when: (s) => s.expecting === 'value' && (startsClause(s) || isOperator(s)),
    say: (s) => `A value is missing before \`${sourceText(s)}\`.`,
  },
];

/** Operators that look like a type followed by a string. */
const patternOperators = ['glob', 'regexp', 'rlike'] as const;

const hints: ReadonlyMap<string, string> = new Map(Object.entries(wordHints));

function wordHint(s: SyntaxSituation): string | undefined {
  const { kind, text } = tokenAt(s);
  if (kind !== 'word') return undefined;
  if (s.expecting === 'test' && text === 'unknown') return 'IS UNKNOWN is not supported. Write IS NULL.';
  if (s.expecting === 'test' && text === 'distinct') {
    return 'IS DISTINCT FROM is not supported. Compare with = or !=, and with IS NULL.';
  }
  return /^(name|alias|column of a table|value)$/.test(s.expecting) ? undefined : hints.get(text);
}

function unreadable(s: SyntaxSituation, pattern: RegExp): boolean {
  const { kind, text } = tokenAt(s);
  return kind === 'unknown' && pattern.test(text);
}

/** Returns the text without its first and last characters, which are quotes. */
function inner(s: SyntaxSituation): string {
  return tokenAt(s).text.slice(1, -1);
}

function noParameters(parameter: string): string {
  return `Parameters such as ${parameter} do not exist here. Use auth, connection or subscription functions.`;
}

function codePoint(s: SyntaxSituation): string {
  const code = tokenAt(s).text.codePointAt(0) ?? 0;
  return `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
}

function printable(s: SyntaxSituation): string {
  const { text } = tokenAt(s);
  return /^[\p{L}\p{N}\p{P}\p{S}]/u.test(text)
    ? `\`${String.fromCodePoint(text.codePointAt(0) ?? 0)}\``
    : codePoint(s);
}

/** Returns the unreadable letters together with the ASCII letters before them. */
function wholeWord(s: SyntaxSituation): { text: string; quoted: { span: SyntaxFix['span']; text: string } } {
  const { end } = tokenAt(s);
  const isPart = tokenAt(s, -1).kind === 'word' && isGlued(s);
  const start = isPart ? tokenAt(s, -1).start : tokenAt(s).start;
  const text = s.text.slice(start, end);
  return { text, quoted: { span: { start, end }, text: `"${text}"` } };
}

function isNumber(s: SyntaxSituation, pattern: RegExp, offset = 0): boolean {
  const { kind, text } = tokenAt(s, offset);
  return (kind === 'integer' || kind === 'real') && pattern.test(text);
}

/** Returns a number with an exponent. `1e5` is read as `1` and `e5`, and `1e-5` as `1`, `e` and `-5`. */
function exponent(s: SyntaxSituation): string | undefined {
  for (const offset of [0, -1]) {
    const isExponent = /^e[0-9]*$/.test(tokenAt(s, offset).text) && tokenAt(s, offset).kind === 'word';
    if (isExponent && isNumber(s, /./, offset - 1) && isGlued(s, offset)) {
      const isSigned = isNumber(s, /^[-+]/, offset + 1) && isGlued(s, offset + 1);
      return sourceText(s, offset - 1, isSigned ? offset + 1 : offset);
    }
  }
  return undefined;
}

function hexValue(s: SyntaxSituation): string {
  return BigInt(`0${tokenAt(s).text}`).toString();
}

function behindWhat(s: SyntaxSituation): string {
  return startsClause(s) ? ` before ${tokenAt(s).text.toUpperCase()}` : '';
}

function afterOpening(s: SyntaxSituation): string {
  const opening = openParentheses(s).at(-1);
  const before = opening && s.tokens[s.tokens.indexOf(opening) - 1];
  return before ? ` after \`${excerptOf(s.text.slice(before.start, before.end))}\`` : '';
}

/** Returns the clause or statement that a misspelt word was intended to be. */
function wordMeant(s: SyntaxSituation): string | undefined {
  const { kind, text } = tokenAt(s);
  if (kind !== 'word' || isReserved(s)) return undefined;
  if (s.expecting === 'statement') return nearest(text, ['select'])?.toUpperCase();
  if (s.expecting === 'end of column') return nearest(text, ['from', 'where'])?.toUpperCase();
  if (s.expecting === 'end of FROM') return nearest(text, ['where', 'join', 'inner'])?.toUpperCase();
  if (s.expecting === 'end of condition')
    return nearest(text, ['and', 'like', 'in', 'between'])?.toUpperCase();
  return undefined;
}

function isNearly(s: SyntaxSituation, clause: string, offset: number): boolean {
  return nearest(tokenAt(s, offset).text, [clause]) !== undefined;
}

function needsQuotes(s: SyntaxSituation, offset: number): string {
  const { text } = tokenAt(s, offset);
  return `\`${text}\` is a reserved word. As a name it needs double quotes: "${text}".`;
}

function isOperator(s: SyntaxSituation): boolean {
  return operators.has(tokenAt(s).text.toUpperCase()) && /^(symbol|word)$/.test(tokenAt(s).kind);
}

function functionHint(s: SyntaxSituation): string | undefined {
  return functionAlternatives.get(tokenAt(s).text);
}
