/**
 * The first syntax error of a query is at the same place as in the reference, or anywhere in the query if the reference
 * marks all of it. Words of the example queries are changed at random. Each query is sent to the reference as the only
 * query of a stream, on one line, so that places are easy to compare.
 */

import { SqlSyncRules } from '@powersync/service-sync-rules';
import { expect, test } from 'vitest';
import { parseSql } from '../../../server/engine/sql/parser/parser.ts';
import { type Random, randomFrom } from '../../differential/random.ts';
import { exampleSqlTexts } from '../../support/engine/sqlTexts.ts';
import { casesOf } from '../../support/house/share.ts';

const seed = Number(process.env.SEED ?? 20240229);
const cases = Number(process.env.CASES ?? casesOf(800));

const vocabulary =
  `select from where and or not in is null true isnull between like as on join inner left cross using
natural lateral group by having order asc nulls limit offset fetch first rows only for update union all distinct case
when then else end cast array any extract substring at time zone with ordinality operator collate over filter values
default current_user precision double timestamp text varying primary a b.c t json_each auth.user_id() , . ( ( ) ) [ ] *
+ - / % ^ = != < > || -> ->> :: ; 'a' 1 -1 1.5 "q" && & | # ~ @> ? << $1 : 1e5 e'\\n' == ! @p \` é`.split(
    /\s+/,
  );

test(`${cases} randomly changed queries (SEED=${seed}) fail at the same place as in the reference, or in neither`, {}, () => {
  const random = randomFrom(seed);
  const texts = exampleSqlTexts().map(inOneLine);
  for (let i = 0; i < cases; i++) {
    const query = disturbed(random, random.pick(texts));
    if (mayBeList.test(query)) continue;
    const theirs = referencePlace(query);
    if (theirs === place(query, 0, query.length))
      expect(`${query}\n${ourPlace(query)}`).not.toBe(`${query}\nnone`);
    else if (theirs !== undefined && !isNear(query, theirs))
      expect(`${query}\n${ourPlace(query)}`).toBe(`${query}\n${theirs}`);
  }
});

/** Whether the reference, which marks the word at which it stops, marks our span, a word in it, or the next word. */
function isNear(query: string, theirs: string): boolean {
  const ours = parseSql(query).problems[0]?.span;
  const [, digits, marked = ''] = /^(\d+): (.*)$/.exec(theirs) ?? [];
  if (ours === undefined || digits === undefined) return false;
  const start = Number(digits);
  const isInside = ours.start <= start && start + marked.length <= ours.end;
  return isInside || (ours.end <= start && query.slice(ours.end, start).trim() === '');
}

/** Matches `(SELECT a, b …)`: the reference may read b as the second item of a list whose first item is the SELECT. */
const mayBeList = /\( ?select\b[^()]*,/i;

function inOneLine(text: string): string {
  return text
    .replaceAll(/--[^\n]*/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

function disturbed(random: Random, text: string): string {
  const words = text.match(/'[^']*'|"[^"]*"|\w+|->>?|::|[<>!]=|\|\||\S/g) ?? [];
  for (let times = random.int(3); times >= 0; times--) {
    const at = 1 + random.int(words.length);
    random.choose([
      [1, () => words.splice(at, 1)],
      [2, () => words.splice(at, 0, random.pick(vocabulary))],
      [2, () => words.splice(at, 1, random.pick(vocabulary))],
      [1, () => words.splice(at)],
    ]);
  }
  return words
    .join(' ')
    .replaceAll(/ ?\. ?/g, '.')
    .trim();
}

function ourPlace(query: string): string {
  const span = parseSql(query).problems[0]?.span;
  return span ? place(query, span.start, span.end) : 'none';
}

/** Returns undefined if the reference throws, or stops because the query has several meanings. */
function referencePlace(query: string): string | undefined {
  const before = 'config:\n  edition: 3\nstreams:\n  s:\n    query: |-\n      ';
  const errors = referenceErrors(`${before}${query}\n`);
  if (!errors || errors.some(({ message }) => message.includes('Ambiguous'))) return undefined;
  const error = errors.find(({ message }) => /^(Syntax error|invalid syntax|Unexpected end)/.test(message));
  if (!error) return 'none';
  const { start, end } = error.location;
  return place(query, start - before.length, end - before.length);
}

function referenceErrors(text: string): ReturnType<typeof SqlSyncRules.fromYaml>['errors'] | undefined {
  try {
    return SqlSyncRules.fromYaml(text, { throwOnError: false, defaultSchema: 'public' }).errors;
  } catch {
    return undefined;
  }
}

function place(query: string, start: number, end: number): string {
  return `${start}: ${query.slice(start, end).trimEnd()}`;
}
