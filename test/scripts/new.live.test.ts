/**
 * Runs `npm run new` in a copy of the tree. Its tests fail until the logic is written, and nothing else has to be written.
 */
import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { root } from '../../scripts/root.ts';

const ignored = /^(?:\.git|\.cache|node_modules|dist|artifacts|.*\.(?:vsix|tgz))$/;

let copy = '';

beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), 'headwater-new-'));
  for (const name of readdirSync(root).filter((each) => !ignored.test(each)))
    cpSync(join(root, name), join(copy, name), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'), 'junction');
});

afterAll(() => rmSync(copy, { recursive: true, force: true }));

interface NodeRun {
  readonly code: number;
  readonly output: string;
}

function runNode(...args: readonly string[]): Promise<NodeRun> {
  const nodeArgs = ['--disable-warning=MODULE_TYPELESS_PACKAGE_JSON', ...args];
  // A run of Vitest inside a test must not inherit the state of the outer one.
  const env = { ...process.env, NO_COLOR: '1', VITEST: undefined, VITEST_MODE: undefined };
  return new Promise((resolve) =>
    execFile(process.execPath, nodeArgs, { cwd: copy, env }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), output: `${stdout}${stderr}` }),
    ),
  );
}

/** Runs the tests of the created files. */
function runTests(): Promise<NodeRun> {
  const tests = [
    'engine/rules.fixtures',
    'cli/commands/sampleThing',
    'service/api/sampleThing',
    'client/agents/tools',
  ];
  return runNode(
    'node_modules/vitest/vitest.mjs',
    ...['run', '--config', 'vitest.config.mts', '--reporter', 'verbose', '-t', 'TODO|sample'],
    ...tests.map((each) => `test/${each}.test.ts`),
  );
}

/** Runs the tests that compare the whole tree with its tables. */
function runTreeTests(): Promise<NodeRun> {
  const tests = ['house', 'architecture', 'docs', 'engine/rules', 'cli/run'];
  const files = tests.map((each) => `test/${each}.test.ts`);
  return runNode('node_modules/vitest/vitest.mjs', 'run', '--config', 'vitest.config.mts', ...files);
}

function rewrite(path: string, ...changes: readonly (readonly [from: string | RegExp, to: string])[]): void {
  const file = join(copy, path);
  let text = readFileSync(file, 'utf8');
  for (const [from, to] of changes) {
    expect(text.search(from), `${path}: ${from}`).toBeGreaterThanOrEqual(0);
    text = text.replaceAll(from, to);
  }
  writeFileSync(file, text);
}

function replaceTodos(path: string): void {
  const file = join(copy, path);
  writeFileSync(file, readFileSync(file, 'utf8').replaceAll(/TODO: [^'`|\n*]*/g, 'Sample text.'));
}

function writeLogic(): void {
  const wrong = "SELECT * FROM tasks WHERE name = 'sample'";
  rewrite(
    'server/engine/checks/sample-thing.ts',
    [/ {2}checkSelect: [\s\S]*? {2}\},\n/g, ''],
    [
      "code: 'sample-thing',",
      `code: 'sample-thing',
  checkExpression: (expr, { report }) => {
    const isSample = expr.kind === 'literal' && expr.value.type === 'text' && expr.value.value === 'sample';
    if (isSample) report('sample-thing', expr.span, {});
  },`,
    ],
  );
  const page = 'docs/rules/sample-thing.md';
  rewrite(page, [/SELECT \* FROM tasks(?=\n```\n\n## Right)/g, wrong]);
  rewrite(
    'test/fixtures/rules/sample-thing.fixture',
    [/(?<=wrong:\n {4}query: ).*/g, wrong],
    [/#~.*/g, `#~${' '.repeat(42)}^^^^^^^^ warning sample-thing`],
  );
  rewrite(
    'client/cli/commands/sampleThing.ts',
    [/throw new CliFailure\([\s\S]*?\);/g, "return { code: 0, lines: ['sample'] };"],
    [/import \{ CliFailure.*\n/g, ''],
  );
  rewrite('test/cli/commands/sampleThing.test.ts', ['Sample text.', 'sample']);
  rewrite('server/service/api/sampleThing.ts', ['return {};', "return { sample: 'thing' };"]);
  rewrite('test/service/api/sampleThing.test.ts', ["'Sample text.'", "{ sample: 'thing' }"]);
  rewrite('test/support/cli/toolCalls.ts', ['Sample text.', 'sync.yaml']);
}

describe('A new rule, command, route and tool', () => {
  const written = new Set<string>();

  test('are created without type errors', async () => {
    const kinds = ['rule', 'command', 'route', 'tool'];
    const { code, output } = await runNode(
      'scripts/new.ts',
      ...kinds.flatMap((kind) => [kind, 'sample-thing']),
    );
    expect(code, output).toBe(0);
    expect(output).toContain('docs/rules/sample-thing.md: the example under "Wrong" reports nothing.');
    for (const [, path = ''] of output.matchAll(/^wrote (.+)$/gm)) written.add(path);
    const files = [...written].filter((path) => path.endsWith('.ts'));
    const config = { extends: './tsconfig.json', include: [], files };
    writeFileSync(join(copy, 'tsconfig.new.json'), JSON.stringify(config));
    const types = await runNode('node_modules/typescript/bin/tsc', '-p', 'tsconfig.new.json');
    expect(types.code, types.output).toBe(0);
  });

  test('have tests that fail until the logic is written', async () => {
    const { code, output } = await runTests();
    expect(code, output).toBe(1);
    expect(output).toMatch(/Tests +4 failed /);
  });

  test('pass all tests as soon as their own logic and texts are written', async () => {
    for (const path of written) replaceTodos(path);
    writeLogic();
    expect(await runNode('scripts/rules.ts')).toEqual({ code: 0, output: '' });
    const own = await runTests();
    expect(own.code, own.output).toBe(0);
    expect(own.output).toMatch(/Tests +\d+ passed/);
    const tree = await runTreeTests();
    expect(tree.code, tree.output).toBe(0);
  });

  test('are not created twice', async () => {
    const { code, output } = await runNode('scripts/new.ts', 'rule', 'sample-thing');
    expect({ code, output }).toEqual({ code: 1, output: expect.stringContaining('exists already') });
  });
});

test.each(['', 'rule', 'rule Large_Key', 'rules large-key'])(
  'npm run new -- %s shows the usage',
  async (line) => {
    const { code, output } = await runNode('scripts/new.ts', ...line.split(' ').filter(Boolean));
    expect({ code, output }).toEqual({
      code: 1,
      output: expect.stringMatching(/^Usage: npm run new -- rule\|/),
    });
  },
);
