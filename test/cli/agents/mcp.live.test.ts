/**
 * Runs the built `headwater mcp` with the client of the official SDK, with the command line of the Inspector, and without a
 * client.
 */
import { execFile, spawn } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tokensIn, usualTokens } from '../../../client/agents/budget.ts';
import { tools } from '../../../client/agents/tools.ts';
import { root } from '../../../scripts/root.ts';
import { patient } from '../../../scripts/run/patience.ts';
import { calls, config } from '../../support/cli/toolCalls.ts';
import { type RunningProcess, startProcess, until } from '../../support/processes/runningProcess.ts';

const program = join(root, 'dist/cli.js');
const env = { PATH: process.env.PATH ?? '' };

/** The arguments for Node. */
const start = (...args: readonly string[]): string[] => [program, ...args];

let folder = '';
let project = '';
let dev: RunningProcess;

const files: Readonly<Record<string, string>> = {
  'outside.yaml': config,
  'project/sync.yaml': config,
  'project/schema.sql':
    "create table lists (id uuid primary key, owner_id text, name text);\ninsert into lists values ('00000000-0000-0000-0000-000000000001', 'ada', 'Groceries');\n",
  'project/lists.sync-test.yaml':
    "config: sync.yaml\nusers: { ada: { id: ada } }\nrows: { lists: [{ id: '1', owner_id: ada }] }\ntests: [{ name: own, expect: { ada: { lists: all } } }]\n",
};

beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'headwater-mcp-')));
  project = join(folder, 'project');
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  mkdirSync(join(project, '.git'));
  symlinkSync(join(folder, 'outside.yaml'), join(project, 'link.yaml'));
  dev = startProcess(process.execPath, start('dev', '--port', '0'), { cwd: project, env });
  await until(dev, () => dev.out().includes('is active'));
});

afterAll(async () => {
  dev.child.kill('SIGTERM');
  await dev.ended;
  rmSync(folder, { recursive: true, force: true });
});

/** Calls that need a service. */
const serviceCalls: typeof calls = [
  ['diff_access', {}, { yes: true }],
  ['service_status', {}, { yes: true }],
  ['deploy_local', {}, { yes: true }],
];

const allCalls = [...serviceCalls, ...calls];
const oneCallOfEach = tools.flatMap(({ name }) => allCalls.filter(([each]) => each === name).slice(0, 1));

test('the table has a call of each tool', () => {
  expect(oneCallOfEach.map(([name]) => name)).toEqual(tools.map(({ name }) => name));
});

describe("the SDK's client", () => {
  const client = new Client({ name: 'test', version: '1' });

  beforeAll(() =>
    client.connect(
      new StdioClientTransport({ command: process.execPath, args: start('mcp'), cwd: project, env }),
    ),
  );
  afterAll(() => client.close());

  interface Reply {
    readonly isError?: boolean;
    readonly structuredContent?: object;
    readonly content: readonly { readonly text: string }[];
  }

  const call = async (name: string, input: object) =>
    (await client.callTool({ name, arguments: { ...input } }, undefined, {
      timeout: patient(60_000),
    })) as unknown as Reply;

  test('lists the tools, and accepts their schemas', async () => {
    const listed = await client.listTools();
    expect(listed.tools.map(({ name }) => name)).toEqual(tools.map(({ name }) => name));
    const writing = listed.tools.filter(({ annotations }) => annotations?.readOnlyHint !== true);
    expect(writing.map(({ name }) => name)).toEqual(['deploy_local']);
  });

  // The SDK itself validates each answer against the output schema.
  test.each(allCalls)('calls %s %j', async (name, input, part) => {
    const { isError, structuredContent, content } = await call(name, input);
    expect(isError, content[0]?.text).not.toBe(true);
    expect(structuredContent).toMatchObject(part);
    expect(JSON.parse(content[0]?.text ?? '')).toEqual(structuredContent);
    expect(tokensIn(content[0]?.text ?? '')).toBeLessThanOrEqual(usualTokens);
  });

  test('gets the rows that the local service sends', async () => {
    const { structuredContent } = await call('preview_user', { user: 'ada', from_service: true });
    expect(JSON.stringify(structuredContent)).toContain('Groceries');
  });

  test('reads the reference, the codes and a page', async () => {
    const listed = await client.listResources();
    const uris = [...listed.resources.map(({ uri }) => uri), 'headwater://codes/unknown-table'];
    for (const uri of uris) {
      const [first] = (await client.readResource({ uri })).contents as readonly { text: string }[];
      expect(first?.text).toMatch(/^# /);
    }
    expect((await client.listResourceTemplates()).resourceTemplates).toHaveLength(1);
    await expect(client.readResource({ uri: 'headwater://codes/none' })).rejects.toThrow(/no code/);
    await expect(client.readResource({ uri: 'file:///etc/passwd' })).rejects.toThrow(/no resource/);
  });

  test('gets each prompt', async () => {
    const { prompts } = await client.listPrompts();
    expect(prompts).toHaveLength(3);
    for (const { name } of prompts)
      expect((await client.getPrompt({ name, arguments: { file: 'x.yaml' } })).messages).toHaveLength(1);
    await expect(client.getPrompt({ name: 'none' })).rejects.toThrow(/The prompts are: write_sync_config/);
  });

  test('gets no file from outside the workspace, whatever path it sends', async () => {
    const outside = ['../outside.yaml', join(folder, 'outside.yaml'), 'link.yaml', '/etc/passwd', '..', '/'];
    for (const file of outside)
      for (const name of ['validate_config', 'fix_config', 'describe_config', 'run_access_tests']) {
        const { isError, content } = await call(name, { file });
        expect(isError, `${name} ${file} ${content[0]?.text}`).toBe(true);
      }
    const { content } = await call('run_access_tests', {
      text: 'config: ../outside.yaml\ntests: [{ name: x, expect: {} }]\n',
    });
    expect(content[0]?.text).toMatch(/no such file|test-no-config/);
  });

  test('can send a thousand calls at once, and gets a thousand answers', async () => {
    const replies = await Promise.all(
      Array.from({ length: 1000 }, () => call('explain_row', { table: 'lists', row: { id: '1' } })),
    );
    expect(replies.filter(({ isError }) => isError === true)).toEqual([]);
  });

  test('still gets answers after a text that is too long and one that is nested very deeply', async () => {
    const { isError, content } = await call('validate_config', { text: 'x'.repeat(1_000_001) });
    expect(isError).toBe(true);
    expect(content[0]?.text).toMatch(/at most 1000000/);
    expect(await call('validate_config', { text: 'a: ['.repeat(100_000) })).not.toMatchObject({
      isError: false,
    });
    expect((await call('validate_config', {})).isError).not.toBe(true);
  });

  test('does not change the files of the project', () => {
    for (const [path, text] of Object.entries(files))
      expect(readFileSync(join(folder, path), 'utf8')).toBe(text);
  });
});

test('deploy_local deploys only to the local service, whatever the folder and the variables name', async () => {
  const strange = join(folder, 'strange');
  mkdirSync(join(strange, '.git'), { recursive: true });
  writeFileSync(join(strange, 'sync.yaml'), config);
  writeFileSync(
    join(strange, 'cli.yaml'),
    'type: self-hosted\napi_url: https://sync.example.com\napi_key: x\n',
  );
  writeFileSync(join(strange, '.env'), 'POWERSYNC_URL=https://sync.example.com\n');
  const [reply] = await ask(strange, [request(1, 'tools/call', { name: 'deploy_local', arguments: {} })]);
  expect(reply?.result?.content?.[0]?.text).toMatch(/There is no local service/);
});

describe('lines that no client sends', () => {
  test('are answered, and do not affect the lines after them', async () => {
    const replies = await ask(project, [
      'no json',
      '[]',
      '7',
      '{}',
      '{"jsonrpc":"1.0","id":1,"method":"ping"}',
      '{"jsonrpc":"2.0","id":{},"method":"ping"}',
      '{"jsonrpc":"2.0","id":2,"method":7}',
      '{"jsonrpc":"2.0","id":3,"method":"ping","params":[]}',
      request(4, '__proto__'),
      request(5, 'tools/call', {}),
      request(6, 'tools/call', { name: 'validate_config', arguments: 7 }),
      request(7, 'tools/call', { name: 'constructor' }),
      '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":99}}',
      '{"jsonrpc":"2.0","id":8,"result":{}}',
      `{"jsonrpc":"2.0","id":9,"method":"ping","params":{"x":"${'y'.repeat(9 * 1024 * 1024)}"}}`,
      request(10, 'ping'),
    ]);
    expect(replies.filter(({ id }) => id === null).map(({ error }) => error?.code)).toEqual([
      -32_700, -32_600, -32_600, -32_600, -32_600, -32_600,
    ]);
    const code = (wanted: number) => replies.find(({ id }) => id === wanted)?.error?.code;
    expect([1, 2, 3, 4, 5, 7].map(code)).toEqual([-32_600, -32_600, -32_602, -32_601, -32_602, -32_602]);
    expect(replies.find(({ id }) => id === 6)?.result?.isError).toBe(true);
    expect(replies.find(({ id }) => id === 10)?.result).toEqual({});
  });
});

describe("the Inspector's command line", () => {
  let inspector: string;

  beforeAll(() => {
    // The Inspector reads the manifest of the package that normally contains it.
    const home = join(folder, 'inspector');
    cpSync(join(root, 'node_modules/@modelcontextprotocol/inspector-cli'), join(home, 'cli'), {
      recursive: true,
    });
    symlinkSync(join(root, 'node_modules'), join(home, 'node_modules'), 'junction');
    writeFileSync(join(home, 'package.json'), '{"name":"@modelcontextprotocol/inspector","version":"1.0.3"}');
    inspector = join(home, 'cli/build/index.js');
  });

  const inspect = async (...args: string[]): Promise<unknown> => {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [inspector, process.execPath, ...start('mcp', project), ...args],
      { cwd: folder, env, timeout: patient(60_000) },
    );
    return JSON.parse(stdout);
  };

  test('lists the tools', async () => {
    expect(await inspect('--method', 'tools/list')).toMatchObject({
      tools: tools.map(({ name }) => ({ name })),
    });
  });

  test.each(oneCallOfEach)('calls %s', async (name, input, part) => {
    const given = Object.entries(input).flatMap(([key, value]) => [
      '--tool-arg',
      `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
    ]);
    const answer = await inspect('--method', 'tools/call', '--tool-name', name, ...given);
    expect(answer).toMatchObject({ structuredContent: part });
  });
});

interface Line {
  readonly id?: number | null;
  readonly error?: { readonly code: number; readonly message: string };
  readonly result?: { readonly isError?: boolean; readonly content?: readonly { readonly text: string }[] };
}

function request(id: number, method: string, params: object = {}): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method, params });
}

/** Returns all answers of the process, which ends when its input ends. */
async function ask(cwd: string, lines: readonly string[]): Promise<readonly Line[]> {
  const child = spawn(process.execPath, start('mcp'), { cwd, env, stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = new Promise((resolve) => child.once('close', resolve));
  const replies: Line[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => replies.push(JSON.parse(line) as Line));
  child.stdin.end(`${lines.join('\n')}\n`);
  expect(await ended).toBe(0);
  return replies;
}
