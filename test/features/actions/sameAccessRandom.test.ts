/**
 * Sure fixes neither add nor remove a row or a column, in random configs and random worlds. The long form:
 *
 *     HEADWATER_FIX_CONFIGS=2000 npx vitest run --config vitest.config.mts test/features/actions/sameAccessRandom.test.ts
 */
import { expect, test } from 'vitest';
import { type Analysis, analyze, severityOf } from '../../../server/engine/index.ts';
import { applyEdits } from '../../../server/engine/text/edit.ts';
import { sureFixes } from '../../../server/features/actions/sureFixes.ts';
import { mutate } from '../../differential/mutate.ts';
import { type Random, randomFrom } from '../../differential/random.ts';
import { readCatalog } from '../../support/engine/catalog.ts';
import { anyCondition, devicesIn } from '../../support/engine/randomAccess.ts';
import { casesOf } from '../../support/house/share.ts';

const cases = Number(process.env.HEADWATER_FIX_CONFIGS ?? casesOf(300));
const isLong = process.env.HEADWATER_FIX_CONFIGS !== undefined;
const limit = isLong ? { timeout: 0 } : {};
const worlds = 30;

const catalog = readCatalog(`
  create table docs (id text, owner text, org text, kind text, n integer, day text)
  create table members (id text, doc text, who text, team text)
`);

const read = (text: string): Analysis => analyze(text, { kind: 'sync', catalog });
const isSound = ({ findings }: Analysis) => findings.every(({ code }) => severityOf(code) !== 'error');

function streamsOf(queries: readonly string[]): string {
  const streams = queries.map(
    (query, at) =>
      `  s${at}:\n    auto_subscribe: true\n    accept_potentially_dangerous_queries: true\n    query: |\n      ${query}\n`,
  );
  return `config:\n  edition: 3\nstreams:\n${streams.join('')}`;
}

function drawn(random: Random): string {
  const sql = () => anyCondition(random).replaceAll("kind IN ('a', 'open')", "kind IN ARRAY['a', 'open']");
  const queries = random.times(1, 2, () => {
    const columns = random.pick(['*', 'id, owner', 'docs.*', 'id, upper(owner) AS owner, n']);
    return `SELECT ${columns} FROM docs WHERE ${sql()}`;
  });
  return streamsOf(queries);
}

/** Forms of other dialects and older versions, each after our form with the same meaning. */
const habits: readonly (readonly [right: string, ...habits: string[]])[] = [
  [
    'auth.user_id()',
    'auth.user_id',
    'auth.uid()',
    'request.user_id()',
    'token_parameters.user_id',
    "auth.jwt() ->> 'sub'",
    "auth.parameter('sub')",
    'auth.USER_ID()',
  ],
  [
    "auth.parameter('org')",
    "auth.jwt() ->> 'org'",
    "request.jwt() ->> 'org'",
    'auth.parameter("org")',
    'auth.org',
  ],
  [
    "kind IN ARRAY['a', 'open']",
    "kind IN ('a', 'open')",
    "kind = ANY(ARRAY['a', 'open'])",
    "kind IN ['a', 'open']",
  ],
  ['IN (SELECT', '= ANY (SELECT', '= (SELECT', 'in (select'],
  ["= 'a'", '= "a"', "== 'a'", "IN ('a')", "LIKE 'a'"],
  ['<>', '!='],
  ['SELECT ', 'SELECT DISTINCT '],
  ['CAST(n AS TEXT)', 'n::text', 'CAST(n AS varchar)', 'CONVERT(n, text)'],
  ['length(', 'LENGTH(', 'char_length('],
  ['upper(', 'UPPER('],
  [
    'SELECT * FROM docs',
    'SELECT DISTINCT * FROM docs',
    'SELECT docs.* FROM docs',
    'SELECT * FROM public.docs',
    'SELECT * FROM "docs"',
  ],
  ['SELECT id, owner', 'SELECT DISTINCT id, owner', 'SELECT id, owner AS owner', 'SELECT d.id, owner'],
  ['auto_subscribe', 'auto-subscribe', 'autoSubscribe', 'auto_subscribed'],
  ['query:', 'querry:', 'Query:', 'sql:'],
  ['edition: 3', 'edition: "3"', 'Edition: 3', 'editions: 3'],
  ['streams:', 'stream:', 'Streams:'],
];

function changedLines(text: string, fixed: string): readonly string[] {
  const lines = text.split('\n');
  return fixed.split('\n').filter((line) => !lines.includes(line));
}

function inHabit(random: Random, text: string): string {
  const used = habits.filter(([right]) => text.includes(right));
  const [right, ...forms] = random.pick(used);
  return text.replace(right, random.pick(forms));
}

const twiceInHabit = (random: Random, text: string) => inHabit(random, inHabit(random, text));

test(
  'Sure fixes keep the access of a text without errors, and the meaning of forms of other dialects',
  limit,
  () => {
    const seen = { fixed: 0, sound: 0, meant: 0 };
    const wrong: string[] = [];
    for (let seed = 1; seed <= cases; seed += 1) {
      const random = randomFrom(seed);
      const original = drawn(random);
      const isMutated = random.chance(0.5);
      const text = isMutated
        ? mutate(random, original)
        : random.pick([inHabit, twiceInHabit])(random, original);
      const before = read(text);
      const edits = sureFixes(before);
      if (edits.length === 0) continue;
      seen.fixed += 1;
      const after = read(applyEdits(text, edits));
      const isRepaired = !isMutated && after.findings.length === 0;
      const expected = isSound(before) ? before : isRepaired ? read(original) : undefined;
      if (expected?.config === undefined || after.config === undefined) continue;
      seen[isSound(before) ? 'sound' : 'meant'] += 1;
      const [one, other] = [expected.config, after.config].map((config) =>
        devicesIn(config, seed, worlds).join('\n'),
      );
      if (one !== other)
        wrong.push(`seed ${seed}:\n${text}${changedLines(text, applyEdits(text, edits)).join('\n')}`);
    }
    if (isLong) console.info(JSON.stringify(seen));
    expect(wrong).toEqual([]);
    expect(seen.sound).toBeGreaterThan(cases / 100);
    expect(seen.meant).toBeGreaterThan(cases / 100);
  },
);
