import { expect, test } from 'vitest';
import { checkText, placedInFile } from '../../../client/cli/validate/checkText.ts';

const world = { files: { exists: () => false }, folder: '/project' } as unknown as Parameters<
  typeof checkText
>[3];

const sync = `config:
  edition: 3
streams:
  mine:
    query: SELECT * FROM lists WHERE owner_id = auth.userid()
`;

test('A finding of a sync config inside of a service config is placed in the service config', () => {
  const inside = sync.replaceAll(/^/gm, '    ').trimEnd();
  const fileText = `port: 8080\nsync_config:\n  content: |\n${inside}\n`;
  const checked = checkText('service.yaml', sync, undefined, world);
  expect(checked.diagnostics.map(({ range }) => range.start.line)).toEqual([4]);
  const placed = placedInFile(checked, { fileText }, world);
  expect(placed.text).toBe(fileText);
  expect(placed.diagnostics.map(({ code, range }) => [code, range?.start.line])).toEqual([
    [checked.diagnostics[0]?.code, 7],
  ]);
});

test('The findings of a file of its own stay', () => {
  const checked = checkText('sync.yaml', sync, undefined, world);
  expect(placedInFile(checked, { fileText: sync }, world)).toBe(checked);
});
