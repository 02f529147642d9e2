/** The additions of `headwater init` to the user's `.env`. A variable with a value never gets another one. */
import { describe, expect, test } from 'vitest';
import { addVariables } from '../../../client/cli/init/additions.ts';
import { readVariables } from '../../../server/shared/envText.ts';

const generated = { PS_ADMIN_TOKEN: 'generated-token', PS_JWT_SECRET_B64URL: 'generated-key' };

describe('A key that the user has set is kept, and an empty token is filled in', () => {
  test.each([
    ['below an empty line of the token', 'PS_ADMIN_TOKEN=\nPS_JWT_SECRET_B64URL=mine\n'],
    ['below a token of blanks', 'PS_ADMIN_TOKEN= \nPS_JWT_SECRET_B64URL=mine\n'],
    ['below a token of blanks and an empty line', 'PS_ADMIN_TOKEN=\t\n\n  PS_JWT_SECRET_B64URL=mine\n'],
    ['below an empty pair of quotes', 'PS_ADMIN_TOKEN=""\nPS_JWT_SECRET_B64URL=mine\n'],
    ['below a comment', 'PS_ADMIN_TOKEN= # later\nPS_JWT_SECRET_B64URL=mine\n'],
    ['above an empty token', 'PS_JWT_SECRET_B64URL=mine\nPS_ADMIN_TOKEN='],
    ['with CRLF', 'PS_ADMIN_TOKEN=\r\nPS_JWT_SECRET_B64URL=mine\r\n'],
    ['after a byte order mark', '\uFEFFPS_JWT_SECRET_B64URL=mine\r\nPS_ADMIN_TOKEN=\r\n'],
    ['with export', 'export PS_ADMIN_TOKEN=\nexport PS_JWT_SECRET_B64URL=mine\n'],
    ['with a tab after export', 'export\tPS_JWT_SECRET_B64URL=mine\n'],
    ['in quotes', "PS_ADMIN_TOKEN=''\nPS_JWT_SECRET_B64URL='mine'\n"],
    ['at the end, without a line break', 'PS_JWT_SECRET_B64URL=mine'],
    ['that occurs twice', 'PS_JWT_SECRET_B64URL=old\nPS_ADMIN_TOKEN=\nPS_JWT_SECRET_B64URL=mine\n'],
  ])('%s', (_, text) => {
    const addition = addVariables(text, generated);
    expect(addition?.added).toEqual(['PS_ADMIN_TOKEN']);
    expect(addition?.text.startsWith(text)).toBe(true);
    expect(readVariables(addition?.text ?? '')).toMatchObject({
      PS_ADMIN_TOKEN: 'generated-token',
      PS_JWT_SECRET_B64URL: 'mine',
    });
  });
});

test('A name inside a value or a comment is not a variable', () => {
  const text = 'NOTE="see\nPS_ADMIN_TOKEN=there"\n# PS_JWT_SECRET_B64URL=old\n';
  expect(addVariables(text, generated)?.added).toEqual(['PS_ADMIN_TOKEN', 'PS_JWT_SECRET_B64URL']);
});

test('Nothing is added if no variable is missing', () => {
  expect(addVariables('PS_ADMIN_TOKEN=a\nexport PS_JWT_SECRET_B64URL = "b"', generated)).toBeUndefined();
});

test.each<[string, string]>([
  ['plain text', 'ada'],
  ['an address', 'postgresql://ada:p%40ss@db:5432/app?sslmode=require'],
  ['a comment sign', 'a#b'],
  ['blanks', ' a b '],
  ['both quotes', `a'b"c`],
])('A value with %s is read as it was given', (_, value) => {
  expect(readVariables(addVariables('', { A: value })?.text ?? '')).toEqual({ A: value });
});

test('A value that no quotes can hold, and a file with an open quote, are refused', () => {
  expect(() => addVariables('', { A: 'a\'b"c`d #' })).toThrow('a quote in it or in a value is not closed');
  const open = "A='open\nB=1\n";
  expect(() => addVariables(open, { C: "it's" })).toThrow('Cannot add C to .env');
});

/** Lines that occur in `.env` files of users. */
const lines = [
  ...['', ' ', '# PS_ADMIN_TOKEN=x', '#', 'A="1\n2"', "B='", 'C="', 'D', 'PS_ADMIN_TOKEN', 'E=f # g'],
  ...[
    'PS_ADMIN_TOKEN=',
    'PS_ADMIN_TOKEN= ',
    'export PS_ADMIN_TOKEN=t',
    'PS_ADMIN_TOKEN="t\nu"',
    ' PS_ADMIN_TOKEN = t',
  ],
  ...[
    'PS_JWT_SECRET_B64URL=',
    'PS_JWT_SECRET_B64URL=k',
    "PS_JWT_SECRET_B64URL='k'",
    'PS_JWT_SECRET_B64URL=\t',
  ],
];

test('No combination of these lines makes a value change, and every variable has a value afterwards', () => {
  let seen = 0;
  for (const first of lines)
    for (const second of lines)
      for (const third of lines)
        for (const end of ['\n', '\r\n']) {
          const text = [first, second, third].join(end);
          const before = readVariables(text);
          const after = readVariables(addVariables(text, generated)?.text ?? text);
          for (const [name, value] of Object.entries(before)) if (value) expect(after[name]).toBe(value);
          expect(after.PS_ADMIN_TOKEN && after.PS_JWT_SECRET_B64URL).toBeTruthy();
          seen += 1;
        }
  expect(seen).toBe(lines.length ** 3 * 2);
});
