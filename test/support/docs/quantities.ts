/**
 * The quantities that a page states, such as limits and versions. A comment in the same paragraph says where each comes from, and is
 * invisible to readers of the page: `<!-- number: ten seconds from server/a.ts "longest: 10_000" -->`. Several are separated by `;`.
 */

import { blocksOf, comments } from './blocks.ts';

export interface StatedQuantity {
  readonly line: number;
  readonly text: string;
  /** Absent if no comment of the paragraph names the quantity. */
  readonly origin?: Origin;
}

export interface Origin {
  readonly path: string;
  /** A part of the file, which changes if the quantity does. */
  readonly fragment: string;
}

const origins = /(?:^\s*number:|;)\s*(.+?) from ([\w./-]+) "([^"]+)"/g;

/** A number that is followed by a unit may be a word. */
const unit =
  '(?:ms|s|min|h|seconds?|minutes?|hours?|days?|weeks?|months?|times|%|percent|[KMG]i?B|bytes|characters|tokens|rows|buckets|clients|connections|events|deployments|problems)';
const word =
  '(?:half an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty|thirty|sixty)';
const quantities = new RegExp(
  `(?<![\\w.,$#-])(?:\\d+(?:,\\d{3})*(?:\\.\\d+)*(?:\\s${unit}(?![\\w]))?|${word}\\s${unit}(?![\\w])|hundred|thousand|million)(?![\\w])`,
  'g',
);

export function quantitiesIn(page: string): readonly StatedQuantity[] {
  return blocksOf(page).flatMap(({ text, line }) => {
    const known = originsIn(text);
    const prose = proseOf(text);
    return [...prose.matchAll(quantities)].flatMap(({ 0: stated, index }) => {
      if (isNoQuantity(stated, prose.slice(0, index))) return [];
      const origin = known.get(stated);
      const at = line + text.slice(0, index).split('\n').length - 1;
      return [{ line: at, text: stated, ...(origin && { origin }) }];
    });
  });
}

/** Returns the quantities that the comments of a page name, but that the page does not state. */
export function unusedOrigins(page: string): readonly string[] {
  return blocksOf(page).flatMap(({ text }) => {
    const stated = new Set([...proseOf(text).matchAll(quantities)].map(([quantity]) => quantity));
    return [...originsIn(text).keys()].filter((quantity) => !stated.has(quantity));
  });
}

/** Returns the origins that the comments of a block name, by quantity. */
function originsIn(block: string): ReadonlyMap<string, Origin> {
  const named = [...block.matchAll(comments)].flatMap(([, comment = '']) => [...comment.matchAll(origins)]);
  return new Map(named.map(([, quantity = '', path = '', fragment = '']) => [quantity, { path, fragment }]));
}

/** A single digit without a unit counts something that the reader sees; exit codes, editions, standards and years are names. */
function isNoQuantity(stated: string, before: string): boolean {
  return (
    /^\d$/.test(stated) ||
    /^(?:19|20)\d\d$/.test(stated) ||
    /(?:\b[Ee]ditions?|\b[Pp]orts?|\bHTTP|\b[Ss]tatus|\bexit codes?|\bexits with|\bto 1 and|SVC_|\bISO|\bYAML)\s*$/.test(
      before,
    )
  );
}

/** Returns a text without its comments, code and addresses of links. Everything else keeps its place. */
function proseOf(text: string): string {
  return text.replaceAll(/<!--[\s\S]*?-->|```[\s\S]*?```|`[^`]*`|\]\([^)]*\)/g, (part) =>
    part.replaceAll(/[^\n]/g, ' '),
  );
}

/** The factors by which code may state a unit of a page: for example, seconds also as milliseconds. */
const factors: readonly (readonly [unit: RegExp, factors: readonly number[]])[] = [
  [/^(?:s|seconds?)$/, [1, 1_000]],
  [/^(?:min|minutes?)$/, [1, 60, 60_000]],
  [/^(?:h|hours?)$/, [1, 3_600, 3_600_000]],
  [/^days?$/, [1, 86_400, 86_400_000]],
  [/^(?:%|percent)$/, [1, 0.01]],
  [/^KiB$/, [1, 2 ** 10]],
  [/^MiB$/, [1, 2 ** 20]],
  [/^GiB$/, [1, 2 ** 30]],
];

const numerals: Readonly<Record<string, number>> = {
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  twelve: 12,
  fifteen: 15,
  twenty: 20,
  thirty: 30,
  sixty: 60,
  hundred: 100,
  thousand: 1_000,
  million: 1_000_000,
};

/** Whether a part of the code contains the value of a quantity, possibly in a smaller unit. A version agrees by its parts. */
export function agrees(quantity: string, fragment: string): boolean {
  const [, stated = '', unit = ''] = /^(\S+)(?: (\S+))?$/.exec(quantity) ?? [];
  const found = numbersIn(fragment);
  if (/^\d+\.\d+$/.test(stated) && unit === '')
    return stated.split('.').every((part) => found.includes(Number(part))) || fragment.includes(stated);
  const value = numerals[stated] ?? Number(stated.replaceAll(',', ''));
  const [, possible] = factors.find(([name]) => name.test(unit)) ?? [undefined, [1]];
  return possible.some((factor) => found.some((number) => Math.abs(number - value * factor) < 1e-9));
}

/** Returns the numbers of a text, and the results of its products and powers. */
function numbersIn(text: string): readonly number[] {
  const plain = text.replaceAll(/(?<=\d)[_,](?=\d{3})/g, '');
  const products = plain.match(/\d+(?:\.\d+)?(?:\s*\*\*?\s*\d+)+/g) ?? [];
  return [...(plain.match(/\d+(?:\.\d+)?/g) ?? []).map(Number), ...products.map(productOf)];
}

function productOf(text: string): number {
  return text
    .split(/(?<!\*)\*(?!\*)/)
    .map((factor) => factor.split('**').map(Number))
    .reduce((product, [base = 1, exponent = 1]) => product * base ** exponent, 1);
}
