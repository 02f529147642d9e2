import { describe, expect, test } from 'vitest';
import type { World } from '../../client/cli/command.ts';
import { run } from '../../client/cli/run.ts';

interface Ended {
  readonly code: number;
  readonly out: readonly string[];
  readonly err: readonly string[];
}

/** Runs `headwater validate` in a world with these files; an `Error` is what reading the file fails with. */
async function validate(args: readonly string[], files: Record<string, string | Error> = {}): Promise<Ended> {
  const out: string[] = [];
  const err: string[] = [];
  const world: World = {
    print: (line) => out.push(line),
    complain: (line) => err.push(line),
    readFile: async (path) => {
      const file = files[path] ?? failure('ENOENT');
      if (file instanceof Error) throw file;
      return file;
    },
    exists: (path) => path.endsWith('/exists.yaml'),
  };
  return { code: await run(['validate', ...args], world), out, err };
}

function failure(code: string): Error {
  return Object.assign(new Error('not to be shown'), { code });
}

const good = 'config: { edition: 3 }\nstreams: {}\n';
const bad = 'config: { edition: 3 }\nstreams:\n  x: { priority: 4, query: SELECT * FROM t }\n';
const odd = 'sync_config: { path: missing.yaml }\n';

describe('people read', () => {
  test('a line for each finding, counted from 1, and a summary', async () => {
    expect(
      await validate(['a/sync.yaml', 'service.yaml'], { 'a/sync.yaml': bad, 'service.yaml': odd }),
    ).toEqual({
      code: 1,
      out: [
        'a/sync.yaml:3:18 error invalid-priority A priority must be 0, 1, 2 or 3. 0 is the most urgent.',
        'service.yaml:1:22 warning service-file-not-found There is no file `missing.yaml`, seen from the folder of this one.',
        '1 error, 1 warning, 0 hints in 2 files',
      ],
      err: [],
    });
  });

  test('only the summary if there is nothing to say', async () => {
    expect(await validate(['sync.yaml'], { 'sync.yaml': good })).toEqual({
      code: 0,
      out: ['0 errors, 0 warnings, 0 hints in 1 file'],
      err: [],
    });
  });

  test('that a file of others was not checked', async () => {
    const { code, out } = await validate(['pod.yaml'], {
      'pod.yaml': 'apiVersion: v1\nkind: Pod\nport: x\n',
    });
    expect(code).toBe(0);
    expect(out).toEqual([
      'pod.yaml: neither a sync config nor a service config, so it was not checked',
      '0 errors, 0 warnings, 0 hints in 0 files',
    ]);
  });
});

describe('programs read', () => {
  test('one object, with positions of the language protocol', async () => {
    const { code, out, err } = await validate(['--json', 'sync.yaml'], { 'sync.yaml': bad });
    expect({ code, err }).toEqual({ code: 1, err: [] });
    expect(JSON.parse(out.join('\n'))).toEqual({
      files: [
        {
          path: 'sync.yaml',
          kind: 'sync',
          diagnostics: [
            {
              severity: 'error',
              code: 'invalid-priority',
              message: 'A priority must be 0, 1, 2 or 3. 0 is the most urgent.',
              range: { start: { line: 2, character: 17 }, end: { line: 2, character: 18 } },
            },
          ],
        },
      ],
    });
  });

  test('the kind of each file', async () => {
    const files = { 'a.yaml': good, 'b.yaml': odd, 'c.yaml': 'version: 3\n' };
    const { out } = await validate([...Object.keys(files), '--json'], files);
    const { files: checked } = JSON.parse(out.join('\n')) as { files: { kind: string }[] };
    expect(checked.map(({ kind }) => kind)).toEqual(['sync', 'service', 'foreign']);
  });

  test('what could be read, if something could not', async () => {
    const { code, out, err } = await validate(['--json', 'gone.yaml', 'sync.yaml'], { 'sync.yaml': good });
    expect(code).toBe(2);
    expect(JSON.parse(out.join('\n'))).toEqual({
      files: [{ path: 'sync.yaml', kind: 'sync', diagnostics: [] }],
    });
    expect(err).toEqual(['Cannot read gone.yaml: there is no such file.']);
  });
});

describe('the exit code is', () => {
  test('0 with warnings', async () => {
    expect((await validate(['service.yaml'], { 'service.yaml': odd })).code).toBe(0);
  });

  test.each([
    ['ENOENT', 'there is no such file'],
    ['EISDIR', 'it is a folder'],
    ['EACCES', 'this user may not read it'],
    ['EXOTIC', 'EXOTIC'],
  ])('2 for a file that cannot be read: %s', async (code, reason) => {
    expect(await validate(['x.yaml'], { 'x.yaml': failure(code) })).toEqual({
      code: 2,
      out: [],
      err: [`Cannot read x.yaml: ${reason}.`],
    });
  });

  test('2 even if another file has errors', async () => {
    expect((await validate(['x.yaml', 'y.yaml'], { 'y.yaml': bad })).code).toBe(2);
  });
});

describe('arguments', () => {
  test.each([
    [['--jsno', 'a.yaml'], 'There is no option --jsno. Did you mean --json?'],
    [['-v', 'a.yaml'], 'There is no option -v. See headwater validate --help.'],
    [[], 'Which files? Write headwater validate FILE…'],
    [['--json'], 'Which files? Write headwater validate FILE…'],
  ])('%j are refused', async (args, sentence) => {
    expect(await validate(args)).toEqual({ code: 2, out: [], err: [sentence] });
  });

  test('behind -- are files', async () => {
    expect((await validate(['--', '--json'], { '--json': good })).code).toBe(0);
  });
});

test('a file that a service config names is looked for beside it', async () => {
  const { out } = await validate(['a/service.yaml'], {
    'a/service.yaml': 'sync_config: { path: exists.yaml }\n',
  });
  expect(out).toEqual(['0 errors, 0 warnings, 0 hints in 1 file']);
});

test('a byte order mark takes no column, as in editors', async () => {
  const { out } = await validate(['sync.yaml'], {
    'sync.yaml': '\ufeffstraems: {}\nconfig: { edition: 3 }\n',
  });
  expect(out[0]).toMatch(/^sync\.yaml:1:1 error unknown-key/);
});
