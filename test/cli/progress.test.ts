import { describe, expect, test } from 'vitest';
import { progressOn } from '../../client/cli/progress.ts';
import { cliWorld, headwater } from '../support/cli/cliWorld.ts';

function progress(isTerminal: boolean) {
  const err: string[] = [];
  const world = cliWorld({ world: { terminal: { output: false, errors: isTerminal } } }, new Map(), [], err);
  return { err, ...progressOn(world) };
}

describe('progress', () => {
  test('is one line on a terminal, with a bar, and gone at the end', () => {
    const { err, show, end } = progress(true);
    show('Copying', { done: 1, of: 4 });
    show('Copying', { done: 9, of: 4 });
    end();
    end();
    expect(err).toEqual([
      '\r\u001b[2K[######..................] Copying',
      '\r\u001b[2K[########################] Copying',
      '\r\u001b[2K',
    ]);
  });

  test('is a line for each news elsewhere', () => {
    const { err, show, end } = progress(false);
    show('Waiting');
    show('Waiting');
    show('Copying', { done: 0, of: 0 });
    end();
    expect(err).toEqual(['Waiting', 'Copying']);
  });
});

describe('colours are', () => {
  const files = { 'sync.yaml': 'config: { edition: 3 }\nstraems: {}\n' };
  const onTerminal = { world: { terminal: { output: true, errors: true } } };
  const isColoured = async (around: object) =>
    (await headwater(['validate', 'sync.yaml'], { files, ...around })).out.join().includes('\u001b[');

  test('on a terminal only', async () => {
    expect(await isColoured(onTerminal)).toBe(true);
    expect(await isColoured({})).toBe(false);
  });

  test.each([{ NO_COLOR: '1' }, { TERM: 'dumb' }])('not with %j', async (env) => {
    expect(await isColoured({ ...onTerminal, env })).toBe(false);
  });

  test('in a pipe with FORCE_COLOR, which decides before NO_COLOR', async () => {
    expect(await isColoured({ env: { FORCE_COLOR: '1' } })).toBe(true);
    expect(await isColoured({ env: { FORCE_COLOR: '', NO_COLOR: '1' } })).toBe(true);
    for (const none of ['0', 'false'])
      expect(await isColoured({ ...onTerminal, env: { FORCE_COLOR: none } })).toBe(false);
  });

  test('not in what programs read', async () => {
    const { out } = await headwater(['validate', '--json', 'sync.yaml'], { files, ...onTerminal });
    expect(out.join()).not.toContain('\u001b');
  });
});
