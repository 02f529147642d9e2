/** Random edits like those of a user: letters, words and lines, mostly those of a config, that are added or removed. */
import type { Position, TextDocumentContentChangeEvent } from 'vscode-languageserver';
import { TextDocument } from 'vscode-languageserver-textdocument';
import type { Random } from '../consistency/random.ts';

const scraps = [
  ...[
    'a',
    'l',
    '_',
    '.',
    ',',
    '(',
    ')',
    "'",
    '"',
    ' ',
    '  ',
    '\n',
    '\n    ',
    '\r\n',
    '\t',
    '#',
    ':',
    ': ',
    '- ',
  ],
  ...['|\n', '>-\n', '{', '}', '[', ']', '&a ', '*a', '!env ', '!env PGHOST', '---\n', '\ufeff', '😀', '\\'],
  ...['streams:\n', '  new:\n    query: ', 'with:\n  mine: ', 'config:\n  edition: 3\n', 'sync_config:\n'],
  ...[
    'SELECT * FROM lists',
    ' WHERE ',
    'owner_id = auth.user_id()',
    ' AND ',
    ' IN mine',
    ' JOIN tasks AS t ON ',
  ],
  ...["connection.parameter('p')", "subscription.parameter('q')", 'AS x', 'lists.', '/*', '--', "'it''s'"],
  ...[
    '# headwater-ignore unused-cte\n',
    'auto_subscribe: true\n',
    'priority: 1\n',
    'SELECT id FROM (',
    ' UNION ',
  ],
];

/** Returns one change, as an editor sends it. */
export function editOf(text: string, random: Random): TextDocumentContentChangeEvent {
  const document = TextDocument.create('', '', 0, text);
  const start = random.below(text.length + 1);
  const cut = random.below(4) === 0 ? random.below(random.below(20) === 0 ? 200 : 8) : 0;
  const range = { start: document.positionAt(start), end: document.positionAt(start + cut) };
  return { range, text: random.below(5) === 0 ? '' : random.pick(scraps) };
}

export function applied(text: string, change: TextDocumentContentChangeEvent): string {
  return TextDocument.update(TextDocument.create('', '', 0, text), [change], 1).getText();
}

/** Returns a random position, mostly in the text. */
export function positionIn(text: string, random: Random): Position {
  if (random.below(50) === 0) return { line: random.below(10_000), character: random.below(10_000) };
  return TextDocument.create('', '', 0, text).positionAt(random.below(text.length + 1));
}
