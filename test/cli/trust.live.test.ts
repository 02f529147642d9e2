/** The requests that leave the process: a folder of a stranger, the shipped program, and a server that keeps what it gets. */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { patient } from '../../scripts/run/patience.ts';
import { type CliProcess, copyCli } from '../support/cli/cliProcess.ts';

let cli: CliProcess;
let folder: string;
let settings: string;
const received: (string | undefined)[] = [];
const server = createServer((request, response) => {
  received.push(request.headers.authorization);
  response.setHeader('content-type', 'application/json').end('{"data":{"connections":[]}}');
});

/** Returns the tokens that were received. A probe is sent without one. */
const tokens = (): readonly string[] => received.filter((token) => token !== undefined);

beforeAll(async () => {
  cli = copyCli();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});

afterAll(() => {
  server.close();
  cli.remove();
});

beforeEach(() => {
  received.length = 0;
  folder = mkdtempSync(join(tmpdir(), 'headwater-stranger-'));
  settings = mkdtempSync(join(tmpdir(), 'headwater-settings-'));
  return () => {
    for (const each of [folder, settings]) rmSync(each, { recursive: true });
  };
});

function run(file: string, args: readonly string[], env: object, input?: string) {
  return new Promise<{ readonly code: number | null; readonly said: string }>((resolve) => {
    const child = spawn(file, args, {
      cwd: folder,
      env: { PATH: process.env.PATH, XDG_CONFIG_HOME: settings, ...env },
      timeout: patient(60_000),
    });
    let said = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        said += text;
        // The answer is typed when the question is there, and not before.
        if (input !== undefined && text.includes('[y/N]')) child.stdin.write(input);
      });
    child.once('close', (code) => resolve({ code, said }));
  });
}

const status = (env: object = {}) => run(process.execPath, [cli.program, 'status'], env);

/** Runs `status` on its own terminal, at which this is typed when a question comes. */
const statusAtTerminal = (typed: string, env: object = {}) =>
  run('script', ['-qec', `'${process.execPath}' '${cli.program}' status`, '/dev/null'], env, typed);

const address = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const secret = { AWS_SECRET_ACCESS_KEY: 'hunter2' };
const link = (url = address()) => `api_url: ${url}\napi_key: !env AWS_SECRET_ACCESS_KEY\n`;

test('no variable of another tool is sent because a file names it', async () => {
  writeFileSync(join(folder, 'cli.yaml'), link());
  const { code, said } = await status(secret);
  expect({ code, received }).toEqual({ code: 2, received: [] });
  expect(said).toContain('AWS_SECRET_ACCESS_KEY');
  expect(said).not.toContain('hunter2');
});

test('no admin token is sent to what an app calls API_URL', async () => {
  writeFileSync(join(folder, '.env'), `API_URL=${address()}\nPS_ADMIN_TOKEN=admin\n`);
  writeFileSync(join(folder, 'service.yaml'), 'port: 9\napi: { tokens: [!env PS_ADMIN_TOKEN] }\n');
  const { code, said } = await status();
  expect({ code, received }).toEqual({ code: 2, received: [] });
  expect(said).toContain('Connecting to http://127.0.0.1:9 with the token from the variable PS_ADMIN_TOKEN.');
});

test('no token leaves this machine because a file names an address', async () => {
  writeFileSync(join(folder, 'cli.yaml'), 'api_url: http://sync.invalid\n');
  const { code, said } = await status({ PS_ADMIN_TOKEN: 'admin' });
  expect(code).toBe(2);
  expect(said).toMatch(/^cli\.yaml names http:\/\/sync\.invalid, .* --service http:\/\/sync\.invalid/);
});

// `script` is part of Linux, and has other options elsewhere.
describe.runIf(process.platform === 'linux')('at a terminal', () => {
  test('a yes is remembered, where only this user can read it', async () => {
    writeFileSync(join(folder, 'cli.yaml'), link());
    expect(await statusAtTerminal('y\n', secret)).toMatchObject({ code: 0 });
    expect(tokens()).toEqual(['Bearer hunter2']);
    const kept = join(settings, 'headwater/trust.json');
    expect(statSync(kept).mode & 0o777).toBe(0o600);
    expect(readFileSync(kept, 'utf8')).not.toContain('hunter2');
    const again = await status(secret);
    expect({ code: again.code, tokens: tokens().length }).toEqual({ code: 0, tokens: 2 });
  });

  test('anything else is a no', async () => {
    writeFileSync(join(folder, 'cli.yaml'), link());
    const { code, said } = await statusAtTerminal('\n', secret);
    expect({ code, received }).toEqual({ code: 2, received: [] });
    expect(said).toContain('Nothing was sent to');
  });
});
