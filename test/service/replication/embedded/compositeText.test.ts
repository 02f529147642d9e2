import { expect, test } from 'vitest';
import { readComposite } from '../../../../server/service/replication/embedded/compositeText.ts';

test.each<[string, (string | null)[]]>([
  ['(1,2)', ['1', '2']],
  ['(,)', [null, null]],
  ['()', [null]],
  ['("",)', ['', null]],
  ['("a ""b"" \\\\ c","(x,y)")', ['a "b" \\ c', '(x,y)']],
  ['("\\\\x01ff")', ['\\x01ff']],
  ['("""")', ['"']],
  ['("a\nb",c)', ['a\nb', 'c']],
])('%s is read', (text, fields) => {
  expect(readComposite(text)).toEqual(fields);
});
