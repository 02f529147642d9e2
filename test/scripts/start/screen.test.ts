import { expect, test } from 'vitest';
import { screen } from '../../../scripts/start/screen.ts';
import type { Workbench } from '../../../scripts/start/workbench.ts';

const never = new Promise<never>(() => {});

function drawn(workbench: Workbench): string {
  return screen({
    example: 'examples/todo',
    user: 'ada',
    service: 'http://127.0.0.1:8080',
    database: 'postgresql://127.0.0.1:5499/postgres',
    console: 'http://127.0.0.1:8080/console/#sign-in=abc',
    data: '/tmp/headwater-start-1',
    workbench,
  });
}

test('one screen says what runs where, how to change something, and how to end it', () => {
  const address = 'http://127.0.0.1:9000/';
  expect(drawn({ kind: 'browser', address, url: `${address}?folder=/todo`, ended: never })).toBe(`
  Service    http://127.0.0.1:8080                       syncs what examples/todo/sync.yaml says
  Database   postgresql://127.0.0.1:5499/postgres        made of examples/todo/schema.sql
  Console    http://127.0.0.1:8080/console/#sign-in=abc  shows what syncs; opens once
  Client     examples/todo/client.mjs                    signed in as ada; its lines begin with client
  Data       /tmp/headwater-start-1                      deleted at the end
  Workbench  http://127.0.0.1:9000/                      VS Code with the extension, in your browser

  Type a todo and press Enter: it is written into the database, and arrives in the client.
  Change sync.yaml in the workbench, and click Deploy above its first line.
  Ctrl-C ends it.
`);
});

test('a window of the desktop ends it, too', () => {
  expect(drawn({ kind: 'desktop', program: '/usr/bin/code', ended: never })).toContain(
    '  Workbench  /usr/bin/code: closing its window ends it all, too\n',
  );
});

test('without a workbench, it says why and offers nothing in it', () => {
  const text = drawn({ kind: 'missing', sentence: 'There is none. Install one.' });
  expect(text).toContain('  Workbench  not opened: There is none. Install one.\n');
  expect(text).not.toContain('in the workbench');
});
