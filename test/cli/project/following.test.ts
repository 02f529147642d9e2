/** The lines of `headwater dev` about an active deployment, while tables are missing and after that. */
import { expect, test } from 'vitest';
import type { Api } from '../../../client/api/api.ts';
import { paintFor } from '../../../client/cli/colours.ts';
import { followUntilSettled, type Work } from '../../../client/cli/serve/following.ts';
import { cliWorld } from '../../support/cli/cliWorld.ts';

const text = 'config: { edition: 3 }\nstreams:\n  x: { query: "SELECT id, name FROM lists" }\n';

function watched() {
  const out: string[] = [];
  const columns = ['id'];
  const state = { slot: 'one', looks: 0 };
  const api = {
    schema: async () => ({
      connections: [
        {
          schemas: [
            { name: 'public', tables: [{ name: 'lists', columns: columns.map((name) => ({ name })) }] },
          ],
        },
      ],
    }),
    diagnose: async () => {
      const active = { slot: state.slot, copied: true, tables: [], errors: [] };
      return { at: 0, sources: [], active };
    },
  } as unknown as Api;
  const over = new AbortController();
  const steps: (() => void)[] = [];
  const world = {
    ...cliWorld({}, new Map(), out, []),
    pause: async () => {
      state.looks += 1;
      steps.shift()?.();
      if (state.looks > 50) over.abort();
    },
  };
  const call = {
    world,
    has: () => false,
    paint: paintFor(false, {}),
    progress: { show: () => {}, end: () => {} },
  };
  const work = { api, file: 'sync.yaml', call, over: over.signal, remedy: 'Make it.' } as unknown as Work;
  return { out, columns, state, steps, work };
}

test('A column that is missing is said once, and when it is there all is well', async () => {
  const { out, columns, steps, work } = watched();
  steps.push(
    () => {},
    () => {},
    () => columns.push('name'),
  );
  await followUntilSettled({ slot: 'one' }, text, work);
  expect(out).toEqual([
    'one is active, but there are problems:',
    '  There is no column name in the table lists, which x reads.',
    'Make it.',
    'one is active.',
  ]);
});

test('It is not said again of a deployment that another one has replaced', async () => {
  const { out, state, steps, work } = watched();
  // The first pause is before it is active.
  steps.push(
    () => {},
    () => {
      state.slot = 'two';
    },
  );
  await followUntilSettled({ slot: 'one' }, text, work);
  expect(out).toHaveLength(3);
});

test('Only the last one who follows a deployment says what becomes of it', async () => {
  const { out, columns, steps, work } = watched();
  let second: Promise<void> | undefined;
  steps.push(() => {
    second = followUntilSettled({ slot: 'one' }, text, work);
  });
  const first = followUntilSettled({ slot: 'one' }, text, work);
  steps.push(
    () => {},
    () => {},
    () => {},
    () => columns.push('name'),
  );
  await first;
  await second;
  expect(out.filter((line) => line === 'one is active.')).toHaveLength(1);
});
