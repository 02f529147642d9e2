import { describe, expect, test } from 'vitest';
import { run } from '../../../client/cli/run.ts';
import { cliWorld, headwater } from '../../support/cli/cliWorld.ts';

const wrong =
  "config: { edition: 3 }\nstreams:\n  x: { query: SELECT id FROM t WHERE a = auth.claims('a') }\n";
const mended = wrong.replace('claims', 'parameter');
/** A config with an error that can be fixed in two ways. */
const open = mended.replace("auth.parameter('a')", 'b.c');

describe('validate --fix', () => {
  const fix = async (files: Readonly<Record<string, string>>, ...args: string[]) => {
    const ended = await headwater(['validate', '--fix', ...args], { files });
    return { ...ended, summary: ended.out.at(-1) };
  };

  test('fixes errors that have exactly one fix, and checks the result', async () => {
    const { code, files, err, summary } = await fix({ 'sync.yaml': `\ufeff${wrong}` });
    expect(files['sync.yaml']).toBe(`\ufeff${mended}`);
    expect(err).toEqual(['Fixed the problems in sync.yaml that have only one possible fix.']);
    expect({ code, summary }).toEqual({ code: 0, summary: expect.stringMatching(/^0 errors/) });
  });

  test('also fixes errors that appear only after the first fix', async () => {
    const both = mended
      .replace('streams:', 'stream:')
      .replace('config: { edition: 3 }', 'config: { editon: 3 }');
    const { files } = await fix({ 'sync.yaml': both });
    expect(files['sync.yaml']).toBe(mended);
  });

  test('does not change correct configs, errors with several fixes, or files that are not configs', async () => {
    const files = { 'sync.yaml': mended, 'other/sync.yaml': open, 'powersync.yaml': 'a: 1\n' };
    const ended = await fix(files);
    expect(ended.files).toEqual(files);
    expect({ code: ended.code, err: ended.err }).toEqual({ code: 1, err: [] });
  });

  test('fixes the sync config inside a service config', async () => {
    const service = (inner: string) =>
      `replication: { connections: [{ type: embedded }] }\nsync_config:\n  content: |\n${inner.replace(/^(?=.)/gm, '    ')}`;
    const { files } = await fix({ 'service.yaml': service(wrong) });
    expect(files['service.yaml']).toBe(service(mended));
  });

  test('refuses standard input, because it writes files', async () => {
    const { code, err } = await fix({}, '-');
    expect([code, err]).toEqual([2, ['--fix cannot be used with standard input.']]);
  });

  test('reports a file that cannot be read', async () => {
    const { code, err } = await fix({}, 'gone.yaml');
    expect([code, err.join()]).toEqual([2, expect.stringContaining('gone.yaml')]);
  });
});

describe('validate --watch', () => {
  test('checks again when a config or a file of its schema is saved, until Ctrl-C', async () => {
    const stop = new AbortController();
    const config = 'config: { edition: 3 }\nstreams:\n  x: { query: "SELECT id, name FROM lists" }\n';
    const files = new Map<string, string | Error>([
      ['sync.yaml', config],
      ['db/1.sql', 'CREATE TABLE lists (id text PRIMARY KEY);'],
      ['notes.md', ''],
    ]);
    const watched: string[] = [];
    const out: string[] = [];
    const world = cliWorld({}, files, out, []);
    let rounds = 0;
    const code = await run(['validate', '--watch', '--quiet'], {
      ...world,
      signal: stop.signal,
      pause: async () => {
        rounds += 1;
        if (rounds === 1) files.set('db/1.sql', 'CREATE TABLE lists (id text PRIMARY KEY, name text);');
        else stop.abort(new Error('Ctrl-C'));
        stop.signal.throwIfAborted();
      },
      files: {
        ...world.files,
        watch: (path, changed) => {
          watched.push(path);
          queueMicrotask(changed);
          return () => {};
        },
      },
    });
    expect(code).toBe(130);
    expect(new Set(watched)).toEqual(new Set(['sync.yaml', 'db/1.sql']));
    expect(out.filter((line) => line.includes('unknown-column'))).toHaveLength(1);
  });

  test('refuses standard input, because it watches files', async () => {
    const { code, err } = await headwater(['validate', '--watch', '-']);
    expect([code, err]).toEqual([2, ['--watch cannot be used with standard input.']]);
  });
});
