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

/** A single digit without a unit counts something that the reader sees; exit codes, editions and years are names. */
function isNoQuantity(stated: string, before: string): boolean {
  return (
    /^\d$/.test(stated) ||
    /^(?:19|20)\d\d$/.test(stated) ||
    /(?:\b[Ee]ditions?|\b[Pp]orts?|\bHTTP|\bstatus|\bexit codes?|\bexits with|\bto 1 and|SVC_)\s*$/.test(
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
