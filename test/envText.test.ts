/** The one reader of `.env` files: what each form of a line means. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readVariables } from '../server/shared/envText.ts';
import { root, sourcesIn } from './support/house/imports.ts';

test.each<[string, string, Readonly<Record<string, string>>]>([
  ['empty values', 'A=\nB=x\nC=""\nD=y', { A: '', B: 'x', C: '', D: 'y' }],
  ['values of blanks', 'A= \nB=x\nC=\t\r\nD=y\r\nE=   ', { A: '', B: 'x', C: '', D: 'y', E: '' }],
  ['values of blanks before an empty line', 'A=  \n\nB=x', { A: '', B: 'x' }],
  [
    'export',
    'export A=1\n  export  B = 2\nexport\tC=3\nexport D=\nE=5',
    { A: '1', B: '2', C: '3', D: '', E: '5' },
  ],
  ['quotes', `A="a b"\nB='c # d'\nC=\`it's "e"\``, { A: 'a b', B: 'c # d', C: `it's "e"` }],
  ['values of several lines', 'A="1\nB=2\n3"\nC=4', { A: '1\nB=2\n3', C: '4' }],
  ['CRLF', 'A=1\r\nB=2\r\n', { A: '1', B: '2' }],
  ['a byte order mark', '\uFEFFA=1\nB=2', { A: '1', B: '2' }],
  ['comments', '# A=1\nB=2 # C=3\n#D=4\nE=#5', { B: '2', E: '' }],
  ['keys that are there twice: the last one wins', 'A=1\nA=2\nB=1\nB=', { A: '2', B: '' }],
  ['no end of the last line', 'A=1\nB=2', { A: '1', B: '2' }],
  ['lines that are none', 'no line\n=3\nA=1\nB', { A: '1' }],
])('Reads %s', (_, text, variables) => {
  expect(readVariables(text)).toMatchObject(variables);
  const names = Object.keys(readVariables(text)).filter((name) => /^\w+$/.test(name));
  expect(names.toSorted()).toEqual(Object.keys(variables));
});

test('No other part of the product reads such texts', () => {
  const readers = [...sourcesIn('client'), ...sourcesIn('server'), ...sourcesIn('scripts')].filter(
    ({ path }) => /\bparseEnv\b|\bdotenv\b|\(\?:export/.test(readFileSync(join(root, path), 'utf8')),
  );
  expect(readers.map(({ path }) => path)).toEqual(['server/shared/envText.ts']);
});
