import { describe, expect, test } from 'vitest';
import { failure, headwater, type RunEnd } from '../support/cli/cliWorld.ts';

type Said = Omit<RunEnd, 'files'>;

/** Runs `headwater validate` in a world with these files. */
async function validate(args: readonly string[], given: Record<string, string | Error> = {}): Promise<Said> {
  const { files: _, ...said } = await headwater(['validate', ...args], { files: given });
  return said;
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
        '  3 |   x: { priority: 4, query: SELECT * FROM t }',
        '    |                  ^',
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

  test('the worst thousand findings of a file, how many more there are, and the count of all', async () => {
    const wrong = Array.from({ length: 1500 }, (_, n) => `    nonsense${n}: 1\n`).join('');
    const text = `config:\n  edition: 3\nstreams:\n  s:\n    query: SELECT * FROM t\n${wrong}`;
    const { out } = await validate(['sync.yaml'], { 'sync.yaml': text });
    const heads = out.filter((line) => line.startsWith('sync.yaml:'));
    expect(heads).toHaveLength(1000);
    expect(heads.at(-1)).toMatch(/\(500 more are not shown\.\)$/);
    expect(out.at(-1)).toMatch(/^1500 errors/);
    const { out: json } = await validate(['--json', 'sync.yaml'], { 'sync.yaml': text });
    expect(JSON.parse(json.join('\n')).files[0].diagnostics).toHaveLength(1000);
  });

  test('that a file of others was not checked, which is an error if it was named', async () => {
    const files = { 'sync/service.yaml': 'apiVersion: v1\nkind: Pod\nport: x\n' };
    const named = await validate(['sync/service.yaml'], files);
    expect({ code: named.code, first: named.out[0] }).toEqual({
      code: 1,
      first: expect.stringContaining('sync/service.yaml:1:1 error no-config'),
    });
    const { code, out } = await validate(['sync'], { ...files, 'sync/sync.yaml': good });
    expect(code).toBe(0);
    expect(out).toEqual([
      'sync/service.yaml: neither a sync config nor a service config, so it was not checked',
      '0 errors, 0 warnings, 0 hints in 1 file',
    ]);
  });

  test.each([['sync.yaml'], []])('a conflict of versions by its name: %j', async (...words) => {
    const text = `<<<<<<< HEAD\n${good}=======\n${bad}>>>>>>> other\n`;
    for (const format of ['text', 'github', 'junit']) {
      const { code, out } = await validate(['--format', format, ...words], { 'sync.yaml': text });
      expect({ code, out: out.join('\n') }).toEqual({
        code: 1,
        out: expect.stringContaining('conflict-marker'),
      });
    }
  });
});

test('Folders, patterns and standard input are checked', async () => {
  const files = { 'a/sync.yaml': bad, 'b/sync-rules.yaml': good };
  expect((await validate(['a', 'b'], files)).out.at(-1)).toMatch(/in 2 files$/);
  expect((await validate(['*/sync*.yaml'], files)).out.at(-1)).toMatch(/in 2 files$/);
  expect((await validate(['.'], files)).out.at(-1)).toMatch(/in 2 files$/);
  expect((await validate(['.'], {})).err.join()).toMatch(/No configs found in \.\./);
  const input = async () => bad;
  const { code, out } = await headwater(['validate', '-'], { files, world: { input } });
  expect({ code, first: out[0] }).toEqual({ code: 1, first: expect.stringMatching(/^-:\d/) });
});

test('Files that only have the name of a config do not pass for one', async () => {
  const compose = 'services:\n  powersync:\n    image: powersync\n';
  const files = { 'powersync.yaml': compose, 'b/service.yaml': compose };
  for (const words of [[], ['.'], ['*/*.yaml', 'powersync*.yaml'], ['--format', 'json']]) {
    const { code, out, err } = await validate(words, files);
    expect({ code, out }).toEqual({ code: 2, out: [] });
    expect(err.join()).toMatch(
      /^No configs found here: neither \S+ nor 1 more are sync configs or service configs\. Specify/,
    );
  }
  expect(await validate([], { 'powersync.yaml': compose })).toMatchObject({
    err: [expect.stringContaining('powersync.yaml is neither a sync config nor a service config.')],
  });
  expect((await validate([], { ...files, 'sync.yaml': good })).code).toBe(0);
});

test('Warnings are as many as are allowed', async () => {
  const files = {
    'sync.yaml': 'config: { edition: 3 }\nstreams:\n  x: { query: SELECT id FROM gone }\n',
    'schema.sql': 'create table gone2 (id text);create table gone (id2 text);',
  };
  const codeOf = async (...options: string[]) => (await validate([...options, 'sync.yaml'], files)).code;
  expect(await codeOf()).toBe(0);
  expect(await codeOf('--strict')).toBe(1);
  expect(await codeOf('--max-warnings', '0')).toBe(1);
  expect(await codeOf('--max-warnings', '9')).toBe(0);
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
      unreadable: [{ path: 'gone.yaml', message: 'Cannot read gone.yaml: there is no such file.' }],
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
    ['EACCES', 'permission denied'],
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
    [[], 'No configs found here. Specify their files, or create a project with headwater init.'],
    [
      ['--format', 'xml'],
      'Invalid value for --format: xml. Use one of these: text, json, github, sarif, junit.',
    ],
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
    'a/exists.yaml': '',
  });
  expect(out).toEqual(['0 errors, 0 warnings, 0 hints in 1 file']);
});

test('a byte order mark takes no column, as in editors', async () => {
  const { out } = await validate(['sync.yaml'], {
    'sync.yaml': '\ufeffstraems: {}\nconfig: { edition: 3 }\n',
  });
  expect(out[0]).toMatch(/^sync\.yaml:1:1 error unknown-key/);
});

test('without a file, all that are named as configs are checked', async () => {
  const others = { 'other.yaml': 'x: 1\n', 'powersync/cli.yaml': 'type: self-hosted\n', 'readme.md': '' };
  const { out } = await validate([], { 'a/sync.yaml': good, 'service.yaml': odd, ...others });
  expect(out.at(-1)).toBe('0 errors, 1 warning, 0 hints in 2 files');
  expect(out.join('\n')).not.toContain('cli.yaml');
});

describe('the schema of the source is known from', () => {
  const config = 'config: { edition: 3 }\nstreams:\n  x: { query: "SELECT id, nmae FROM lists" }\n';
  const sql = 'create table lists (id uuid primary key, name text);';
  const snapshot = '{"tables":[{"name":"lists","columns":[{"name":"id"},{"name":"name"}]}]}';

  test.each([
    ['a file', 'schema.sql'],
    ['a folder', 'migrations'],
    ['a snapshot', 'schema.json'],
  ])('%s', async (_, schema) => {
    const files = {
      'sync.yaml': config,
      'schema.sql': sql,
      'migrations/1.sql': sql,
      'schema.json': snapshot,
    };
    const { out } = await validate(['--schema', schema, 'sync.yaml'], files);
    expect(out[0]).toMatch(/unknown-column .*`?nmae/);
    // Tables that files of the project create are known without being named.
    expect((await validate(['sync.yaml'], files)).out[0]).toMatch(/unknown-column .*`?nmae/);
    expect((await validate(['sync.yaml'], { 'sync.yaml': config })).out[0]).toMatch(/^0 errors/);
  });

  test('the same files for a sync config inside a service config, which the doctor places alike', async () => {
    const files = {
      'schema.sql': sql,
      'service.yaml': `replication: { connections: [{ type: embedded }] }\nsync_config:\n  content: |\n${config.replace(/^(?=.)/gm, '    ')}`,
    };
    expect((await validate([], files)).out.join('\n')).toMatch(
      /service\.yaml:6:\d+ warning unknown-column .*nmae/,
    );
    const { out } = await headwater(['doctor'], { files });
    expect(out.join('\n')).toMatch(/service\.yaml:6: .*nmae/);
  });

  test.each([
    ['web/drizzle.config.ts', 'npx drizzle-kit export > schema.sql'],
    ['src/data-source.ts', 'after typeorm migration:run'],
    ['knexfile.js', 'after knex migrate:latest'],
  ])('nobody, where %s makes the tables: then it is said what works', async (file, remedy) => {
    const files = { 'sync.yaml': config, [file]: '' };
    const { code, err } = await validate(['sync.yaml'], files);
    expect(err).toEqual([expect.stringContaining(`(${file}): `)]);
    expect(err[0]).toContain(remedy);
    expect(err[0]).toContain('--schema postgresql://…');
    expect(code).toBe(0);
    expect((await validate(['--quiet', 'sync.yaml'], files)).err).toEqual([]);
    expect((await validate(['sync.yaml'], { ...files, 'schema.sql': sql })).err).toEqual([]);
  });

  test('nothing where no table is made, which is said', async () => {
    const { code, err } = await validate(['--schema', 'a.sql', 'sync.yaml'], {
      'sync.yaml': config,
      'a.sql': '',
    });
    expect({ code, err }).toEqual({ code: 2, err: ['No tables are created in a.sql.'] });
  });
});

describe('the service is asked, too', () => {
  const api = {
    validate: async () => [
      { level: 'fatal' as const, message: 'Table "public"."t" not found.', location: { start: 23, end: 30 } },
    ],
  };

  test('and what it says is an error like others', async () => {
    const { code, out } = await headwater(['validate', '--service', 'http://127.0.0.1:1', 'sync.yaml'], {
      files: { 'sync.yaml': good },
      api,
    });
    expect(code).toBe(1);
    expect(out[0]).toBe('sync.yaml:2:1 error service Table "public"."t" not found.');
  });

  test('and a problem outside of the file has no place, in any format', async () => {
    const message = 'The source cannot be reached.';
    const elsewhere = { validate: async () => [{ level: 'fatal' as const, message }] };
    const asked = async (format: string) => {
      const args = ['validate', '--service', 'http://127.0.0.1:1', '--format', format, 'a,b/sync.yaml'];
      const { code, out } = await headwater(args, { files: { 'a,b/sync.yaml': good }, api: elsewhere });
      expect(code).toBe(1);
      return out;
    };
    const line = `a,b/sync.yaml error service ${message}`;
    expect(await asked('text')).toEqual([line, '1 error, 0 warnings, 0 hints in 1 file']);
    expect(JSON.parse((await asked('json')).join('\n')).files[0].diagnostics).toEqual([
      { severity: 'error', code: 'service', message },
    ]);
    expect(await asked('github')).toEqual([`::error title=service::a,b/sync.yaml: ${message}`]);
    const [result] = JSON.parse((await asked('sarif')).join('\n')).runs[0].results;
    expect(result.locations).toEqual([{ physicalLocation: { artifactLocation: { uri: 'a,b/sync.yaml' } } }]);
    expect((await asked('junit')).join('\n')).toContain(`<failure message="${message}">${line}</failure>`);
  });

  test('only about sync configs', async () => {
    const { code } = await headwater(['validate', '--service', 'http://127.0.0.1:1', 'service.yaml'], {
      files: { 'service.yaml': odd },
      api,
    });
    expect(code).toBe(0);
  });
});

describe('other programs read', () => {
  const files = { 'a,b/sync.yaml': bad };

  test('annotations of GitHub', async () => {
    expect((await validate(['--format', 'github', 'a,b/sync.yaml'], files)).out).toEqual([
      '::error file=a%2Cb/sync.yaml,line=3,endLine=3,col=18,endColumn=19,title=invalid-priority::A priority must be 0, 1, 2 or 3. 0 is the most urgent.',
    ]);
  });

  test('SARIF', async () => {
    const { out } = await validate(['--format', 'sarif', 'a,b/sync.yaml'], files);
    const { version, runs } = JSON.parse(out.join('\n')) as {
      version: string;
      runs: { results: object[] }[];
    };
    expect(version).toBe('2.1.0');
    expect(runs[0]?.results).toMatchObject([
      {
        ruleId: 'invalid-priority',
        level: 'error',
        locations: [
          { physicalLocation: { region: { startLine: 3, startColumn: 18, endLine: 3, endColumn: 19 } } },
        ],
      },
    ]);
  });

  test('a path of SARIF as one URI, also with signs that would end its path', async () => {
    const { out } = await validate(['--format', 'sarif', 'a#b/50%? é.yaml'], { 'a#b/50%? é.yaml': bad });
    const uri: string = JSON.parse(out.join('\n')).runs[0].results[0].locations[0].physicalLocation
      .artifactLocation.uri;
    expect(uri).toBe('a%23b/50%25%3F%20%C3%A9.yaml');
    expect(new URL(uri, 'file:///').pathname).toBe(`/${uri}`);
  });

  test('JUnit', async () => {
    const all = { ...files, 'good.yaml': good, 'x<y.yaml': bad };
    const { out } = await validate(['--format', 'junit', ...Object.keys(all)], all);
    expect(out[2]).toBe('  <testsuite name="headwater validate" tests="3" failures="2">');
    expect(out.join('\n')).toContain('<testcase name="x&lt;y.yaml" classname="headwater">');
  });
});

describe('the line in question', () => {
  test('is not shown of a service config, whose lines may hold secrets', async () => {
    const { out } = await validate(['service.yaml'], {
      'service.yaml': 'prot: { tokens: [hunter2hunter2] }\nreplication: {}\n',
    });
    expect(out.join('\n')).not.toContain('hunter2');
  });

  test('is cut where it is long, around the mark', async () => {
    const long = `config: { edition: 3 }\nstreams:\n  x: { query: "SELECT ${'a, '.repeat(200)}f( FROM t" }\n`;
    const { out } = await validate(['sync.yaml'], { 'sync.yaml': long });
    expect(Math.max(...out.slice(1, 3).map((line) => line.length))).toBeLessThan(130);
    expect(out[2]).toContain('^');
  });

  test('cannot steer the terminal', async () => {
    const { out } = await validate(['sync.yaml'], { 'sync.yaml': bad.replace('x:', '"\u001b[2J":') });
    expect(out.join('\n')).not.toContain('\u001b');
  });
});
