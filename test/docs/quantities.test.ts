/** Each quantity on a page comes from the code: if the code changes, the page must be read again. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { claimsIn } from '../support/docs/compatibility.ts';
import { pageText, publicPages } from '../support/docs/pages.ts';
import { agrees, quantitiesIn, unusedOrigins } from '../support/docs/quantities.ts';
import { root } from '../support/house/imports.ts';

/** Pages whose quantities have another origin. */
const exempt: Readonly<Record<string, string>> = {
  'CHANGELOG.md': 'says what changed in a version, and is not changed afterwards',
  'SECURITY.md': 'promises when somebody answers',
  'docs/BENCHMARKS.md': 'is written by `npm run bench -- all`',
  'docs/SCALING.md': 'reports measurements, and names the command that repeats each',
  'docs/CLI.md': 'is generated from the table of commands',
  'docs/ERRORS.md': 'is generated from the catalogue',
  'docs/RULES.md': 'is generated from the catalogue',
  'docs/ARCHITECTURE.md': 'is about the code, and next to it',
  'docs/DECISIONS.md': 'reports why something was decided, on a date',
  'docs/DEPENDENCIES.md': 'has its own test',
  'docs/FEATURES.md': 'has its own test',
  'docs/GOTCHAS.md': 'is about the code, and next to it',
  'docs/SECURITY.md': 'names a test for each sentence',
  'docs/STYLE.md': 'is about the code, and next to it',
};

/** Calculated quantities, each with the calculation from its origin. */
const calculated: Readonly<Record<string, string>> = {
  '0.10 from Number(version) >= 11': 'the version before the first one that runs',
  '0.11 from Number(version) >= 11': 'the 11 is the part after 0.',
  '15 from version >= 150_000': 'the server numbers a version with four more digits',
  '16 from oldestStandby = 160_000': 'the server numbers a version with four more digits',
  '24 from i < 8': '3 streams with 8 buckets each',
  "five seconds from interval '4 seconds'": 'rounded up to the next attempt',
  'half a percent from partOfTime = 200': 'one of 200',
  'one minute from patience = 120': '120 looks, two in each second',
  'ten seconds from ask: 5, giveUp: 15': '15 less 5',
  'twenty seconds from ask: 5, giveUp: 15': '5 and 15',
};

const pages = publicPages.filter((page) => !(page in exempt));

describe.each(pages)('%s', (path) => {
  const page = statedOn(path);

  test('says where each quantity comes from', () => {
    // The test of compatibility derives versions of other software.
    const isVersion = ({ text, line }: { readonly text: string; readonly line: number }) =>
      claimsIn(page).some((claim) => claim.version === text && Math.abs(claim.line - line) <= 1);
    const bare = quantitiesIn(page).filter((each) => each.origin === undefined && !isVersion(each));
    expect(bare.map(({ line, text }) => `${path}:${line} ${text}`)).toEqual([]);
  });

  test('names only places that exist, and quantities that it states', () => {
    const wrong = quantitiesIn(page).filter(({ origin }) => origin && !isIn(origin));
    expect(wrong).toEqual([]);
    expect(unusedOrigins(page)).toEqual([]);
  });

  test('states the values of the code, and would fail with any other value', () => {
    const derived = quantitiesIn(page).flatMap(({ text, origin }) =>
      origin === undefined || `${text} from ${origin.fragment}` in calculated ? [] : [{ text, ...origin }],
    );
    expect(derived.filter(({ text, fragment }) => !agrees(text, fragment))).toEqual([]);
    const others = derived.map(({ text, fragment }) => ({ text: otherThan(text), fragment }));
    expect(others.filter(({ text, fragment }) => agrees(text, fragment))).toEqual([]);
  });
});

/** Returns a page without the title of a code, which comes from the catalogue. */
function statedOn(path: string): string {
  return pageText(path).replace(/^\*\*.+\*\* · .+$/m, '');
}

/** Returns the quantity with another number, as if somebody had mistyped it. */
function otherThan(quantity: string): string {
  const changed = quantity.replace(/\d(?=\D*$)/, (digit) => String((Number(digit) + 3) % 10));
  return changed === quantity ? quantity.replace(/^\S+/, '13') : changed;
}

test('each calculated quantity is on a page', () => {
  const stated = pages.flatMap((path) =>
    quantitiesIn(statedOn(path)).map(({ text, origin }) => `${text} from ${origin?.fragment}`),
  );
  expect(Object.keys(calculated).filter((each) => !stated.includes(each))).toEqual([]);
});

function isIn({ path, fragment }: { readonly path: string; readonly fragment: string }): boolean {
  const file = join(root, path);
  return existsSync(file) && readFileSync(file, 'utf8').includes(fragment);
}

test('a page without a reason to be exempt exists', () => {
  for (const page of Object.keys(exempt)) expect(existsSync(join(root, page)), page).toBe(true);
});

describe('The quantities of a page', () => {
  const stated = (page: string) =>
    quantitiesIn(page).map(({ text, origin }) => `${text}${origin ? ' ✓' : ''}`);

  test('are numbers, and words with a unit', () => {
    expect(stated('Up to 10,000 clients for five minutes, or 80 % of 4 MiB.')).toEqual([
      '10,000 clients',
      'five minutes',
      '80 %',
      '4 MiB',
    ]);
    expect(stated('The thousand that asked last; Node 22.16 or newer.')).toEqual(['thousand', '22.16']);
  });

  test('are not in code, addresses, headings, or names such as an edition', () => {
    expect(
      stated('# 20 ways\n\n`max: 20`, [page](a/20.md), edition 3, exits with 1, in 2026, port 8080'),
    ).toEqual([]);
    expect(stated('```\n20 s\n```')).toEqual([]);
  });

  test('have the origin that a comment of their paragraph names', () => {
    const page =
      'Ten seconds <!-- number: 20 s from a.ts "20_000"; 30 s from b.ts "30" --> or 20 s.\n\n20 s, 30 s';
    expect(quantitiesIn(page).map(({ line, origin }) => [line, origin?.fragment])).toEqual([
      [1, '20_000'],
      [3, undefined],
      [3, undefined],
    ]);
    expect(unusedOrigins(page)).toEqual(['30 s']);
  });
});
