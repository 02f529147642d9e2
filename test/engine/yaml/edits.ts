/** Generates texts after a few random edits with scraps of YAML. */
import fc from 'fast-check';

const scraps = fc.constantFrom(
  ...[
    ' ',
    '  ',
    '\n',
    '\n\n',
    '\r\n',
    '\t',
    '#',
    ' # c',
    ':',
    ': ',
    '- ',
    '? ',
    '"',
    "'",
    '{',
    '}',
    '[',
    ']',
  ],
  ...[
    ',',
    '|',
    '|\n',
    '>-\n',
    '&a ',
    '*a',
    '!t ',
    '%',
    '---\n',
    '...\n',
    '\\',
    'a',
    'a: b\n',
    '  a: b\n',
    '',
  ],
  ...['\n  ', '\n    ', '\ufeff', '`', '@', 'x:', '\r', '"a": ', 'streams:\n', 'with:\n', 'true', '1', ':\n'],
);

const edit = fc.record({ at: fc.nat(400), cut: fc.nat(6), scrap: scraps });

export function edited(texts: readonly string[]): fc.Arbitrary<string> {
  return fc
    .tuple(fc.constantFrom(...texts), fc.array(edit, { minLength: 1, maxLength: 4 }))
    .map(([text, edits]) => edits.reduce(applyEdit, text));
}

function applyEdit(text: string, { at, cut, scrap }: { at: number; cut: number; scrap: string }): string {
  const start = at % (text.length + 1);
  return text.slice(0, start) + scrap + text.slice(start + cut);
}
