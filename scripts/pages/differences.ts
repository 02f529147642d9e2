/** Writes the section of `docs/SERVICE.md` about differences from PowerSync's service that no rule reports. */

import { renderSection } from './section.ts';

/** The differences by name. A test that finds a difference names the entry that explains it. */
const differences = {
  'numbers of claims':
    "A list or an object in a claim is compared as JSON text, with its numbers as the token writes them: `[1,2]`. PowerSync's service gives whole numbers a point: `[1.0,2.0]`. So a comparison of the whole text with a column can match here and not there. Whole numbers in claims and parameters are integers here. There they can be REAL, which shows in `typeof()`, in divisions, and, with `unstable_sqlite_expression_engine`, when they become text (`5.0`).",
  'order of failing conditions':
    "All conditions of a query are evaluated for a row, so the diagnostics name a row for which one fails, whatever the order of the conditions. In lookups of edition 2, PowerSync's service stops at the first condition that is false.",
  events:
    '`event_definitions` are checked, but this service sends no events. Tables that appear only there are not replicated.',
  'one list twice':
    "Two conditions on one list column, such as `auth.parameter('a') IN tags AND auth.parameter('b') IN tags`, match rows whose list has both values. PowerSync's service looks for one element that meets both conditions, so it sends no rows unless one element meets both. This also holds for `&&` and for two `json_each()` of one column.",
  'NULL names no bucket':
    "Before edition 3, a NULL or a JSON null is not a bucket key, and `IN (SELECT …)` and `IN` do not match it. In PowerSync's service, rows with NULL reach every client whose claim or parameter is missing.",
  'NaN and infinity':
    "`NaN` and `Infinity` are sent as `null`. PowerSync's service sends text that is not JSON.",
  'names of buckets':
    'The name of a bucket writes a large REAL as `1e+308`, and not with all its digits. Clients only compare names.',
  'NOT over lists':
    "`NOT (b && c)` and `NOT (b IN c)` negate the whole condition. PowerSync's service tests it element for element in edition 2, and a null in the list, such as `[null]`, can decide.",
  'guessed dates':
    "`datetime()` and `unixepoch()` are NULL for texts in other forms than `2024-01-02 03:04:05`, and numbers as text are Julian days. PowerSync's service guesses: `'.5'` is May 2001, and `'0000-01-01'` is in 2000.",
  'duplicate keys':
    "JSON with two different values for one key makes a row fail. PowerSync's service uses one of the values.",
  'loose JSON':
    "A text such as `.5` is not JSON, so `->` fails for it. PowerSync's service reads it as `0.5`. With `unstable_sqlite_expression_engine`, JSON5 is read, but `->` and `->>` write numbers and texts of a document in one form (`1e3` as `1000.0`), and infinity as `null`.",
  'characters of a JSON text':
    "`'\"abc\"' -> 0` is NULL, because a text has no elements. PowerSync's service returns its first character.",
  'infinity as text': "`CAST('Infinity' AS real)` is `0.0`. PowerSync's service returns infinity.",
  'path into null':
    "A path that does not begin with `$` fails. PowerSync's service ignores it if the document is null.",
  'conditions on requests':
    "`NOT BETWEEN`, `AND`, `OR` and `NOT` over several values of a request are one condition. PowerSync's service splits some of them into alternatives, so it selects a bucket for each, also where the whole condition is false.",
  'errors without rows':
    "A row or request for which a condition cannot be evaluated is reported as an error. PowerSync's service drops some of these without an error, for example `x NOT IN '5'` with the SQLite engine, and json paths with a NULL among them are NULL here.",
  'queries with warnings':
    "Edition 2: a subquery of a stream cannot select `column -> 0`; PowerSync's service accepts it.",
} as const;

export type DifferenceName = keyof typeof differences;

/** Returns the page with its list of differences. */
export function renderDifferences(page: string): string {
  const list = Object.values(differences).map((text) => `- ${wrap(text)}`);
  return renderSection(page, 'the differences', list.join('\n'));
}

const longestLine = 130;

/** Wraps a text at spaces, indented below the dash of a list item. */
function wrap(text: string): string {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length < longestLine)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines.join('\n  ');
}
