/**
 * The quantities that a page states, such as limits and versions. A comment in the same paragraph says where each comes from, and is
 * invisible to readers of the page: `<!-- number: ten seconds from server/a.ts "longest: 10_000" -->`. Several are separated by `;`.
 */

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

const comments = /<!--([\s\S]*?)-->/g;
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
    const known = new Map(
      [...text.matchAll(comments)].flatMap(([, comment = '']) =>
        [...comment.matchAll(origins)].map(
          ([, quantity = '', path = '', fragment = '']) => [quantity, { path, fragment }] as const,
        ),
      ),
    );
    return [...proseOf(text).matchAll(quantities)].flatMap(({ 0: stated, index }) => {
      if (isNoQuantity(stated, proseOf(text).slice(0, index))) return [];
      const origin = known.get(stated);
      const at = line + text.slice(0, index).split('\n').length - 1;
      return [{ line: at, text: stated, ...(origin && { origin }) }];
    });
  });
}

/** Returns the origins that a page names for quantities that it does not state. */
export function unusedOrigins(page: string): readonly string[] {
  return blocksOf(page).flatMap(({ text }) => {
    const named = [...text.matchAll(comments)].flatMap(([, comment = '']) =>
      [...comment.matchAll(origins)].map(([, quantity = '']) => quantity),
    );
    const stated = new Set([...proseOf(text).matchAll(quantities)].map(([quantity]) => quantity));
    return named.filter((quantity) => !stated.has(quantity));
  });
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

/** Paragraphs, items of lists, and lines of tables, without headings and blocks of code. */
function blocksOf(page: string): readonly { readonly text: string; readonly line: number }[] {
  const blocks: { text: string; line: number }[] = [];
  let isOpen = false;
  const plain = page.replaceAll(/^```[\s\S]*?^```/gm, (code) => code.replaceAll(/[^\n]/g, ''));
  for (const [index, text] of plain.split('\n').entries()) {
    const isBlank = /^\s*$/.test(text) || text.startsWith('#');
    const block = blocks.at(-1);
    if (isBlank) isOpen = false;
    else if (isOpen && block !== undefined && !/^\s*(?:[-*|]|\d+\.)\s/.test(text)) block.text += `\n${text}`;
    else {
      blocks.push({ text: text.replace(/^\s*(?:[-*]|\d+\.)\s/, ''), line: index + 1 });
      isOpen = true;
    }
  }
  return blocks;
}
