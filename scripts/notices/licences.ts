/** The licences under which third-party code is allowed here. */

/** Licences that only require their text to be distributed, or nothing beyond what we do anyway. */
const permissive: ReadonlySet<string> = new Set([
  ...['0BSD', 'Apache-2.0', 'BlueOak-1.0.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MIT'],
  ...['PostgreSQL', 'Unicode-3.0', 'Zlib'],
]);

/** Additional licences, acceptable only during development, each with the reason. */
export const whileDeveloping: Readonly<Record<string, string>> = {
  'Artistic-2.0': 'tools of vsce: not passed on',
  'CC-BY-3.0': 'a table of licences that a tool reads',
  'CC0-1.0': 'given to everybody',
  'FSL-1.1-ALv2': 'the reference engine: tests compare with it, and nothing else may use it',
  'MPL-2.0': 'tools: not passed on, and not changed',
  'PSF-2.0': 'a parser of command lines in a tool',
  'Python-2.0': 'a parser of command lines in a tool',
  'SEE LICENSE IN LICENSE': 'the Inspector of the Model Context Protocol: MIT and Apache-2.0, not passed on',
  'SEE LICENSE IN LICENSE.txt': 'the signing tool of vsce: not passed on',
  WTFPL: 'a tool: not passed on',
};

/** Packages, only for developing, whose `package.json` has no licence. Their file LICENSE has this one. */
export const namedInFile: Readonly<Record<string, string>> = {
  'node_modules/@journeyapps/wa-sqlite': 'MIT',
};

/**
 * Whether an SPDX expression allows permissive use. With OR, one permissive licence is enough; with AND, each must be permissive.
 */
export function isPermissive(expression: string): boolean {
  const plain = expression.replace(/^\((.*)\)$/, '$1');
  if (plain.includes(' OR ')) return plain.split(' OR ').some(isPermissive);
  return plain.split(' AND ').every((one) => permissive.has(one));
}
