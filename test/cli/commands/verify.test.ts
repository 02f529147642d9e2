import { expect, test } from 'vitest';
import { readVerification } from '../../../client/api/reports/verification.ts';
import { headwater } from '../../support/cli/cliWorld.ts';

interface ComparedTable {
  readonly stale: number;
  readonly copied_again?: boolean;
  readonly definition_changes?: readonly string[];
  readonly more?: number;
  readonly skipped?: string;
}

/** Runs the command against a service that has compared a table. By default, its column has another type now. */
function verify(args: readonly string[], answer: ComparedTable) {
  const table = {
    table: 'public.todos',
    rows: 40,
    stored: 40,
    missing: 0,
    extra: 0,
    unjudged: 0,
    more: 3,
    repaired: answer.copied_again ? answer.stale + 3 : 0,
    examples: [],
    definition_changes: ['"title" changed from text to uuid'],
    ...answer,
  };
  const verification = readVerification({ data: { id: 1, slot_name: 's', done: true, tables: [table] } });
  if (verification === undefined) throw new Error('This is not a verification.');
  const api = { verify: async () => verification };
  return headwater(['verify', ...args, '--service', 'http://127.0.0.1:1'], { api });
}

test('A table with another definition is a difference, whatever its rows', async () => {
  expect(await verify([], { stale: 0, copied_again: false })).toMatchObject({
    code: 1,
    out: [
      'public.todos: 40 in the source, 40 stored: rows may differ',
      '  because "title" changed from text to uuid',
    ],
    err: expect.arrayContaining(['To repair it, run `headwater verify --repair`.']),
  });
});

test('A table with another definition is repaired when it is copied again', async () => {
  expect(await verify(['--repair'], { stale: 5, copied_again: true })).toMatchObject({
    code: 0,
    out: [
      'public.todos: 40 in the source, 40 stored: 5 stale, 8 repaired, copied again',
      '  because "title" changed from text to uuid',
    ],
  });
  expect(await verify(['--repair'], { stale: 5, copied_again: false })).toMatchObject({ code: 1 });
});

test('A table that was not compared is not claimed to match the source', async () => {
  const skipped = 'its changes are not replicated';
  const { code, out, err } = await verify([], { stale: 0, definition_changes: [], more: 0, skipped });
  expect(code).toBe(1);
  expect(out).toEqual([`public.todos: not compared, because ${skipped}`]);
  expect(err.join('\n')).not.toContain('--repair');
});
