import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Terminal } from '../../../server/service/commands/command.ts';
import { runService } from '../../../server/service/commands/run.ts';
import { firstLinkIn, realPath } from '../../../server/shared/files.ts';
import { freePort } from '../../support/processes/freePort.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'headwater-'));
  write('service.yaml', '');
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('the service', () => {
  test('runs with an empty config, reports this in one line of JSON, and ends on a signal', async () => {
    const { code, printed } = await runUntilReady(['start', '--port', '0'], async ({ url }) => {
      expect(await statusOf(`${url}/probes/readiness`)).toBe(200);
      expect(await statusOf(`${url}/api/sync-rules/v1/current`)).toBe(401);
      expect(await statusOf(`${url}/sync/stream`, { method: 'POST' })).toBe(401);
    });
    expect(code).toBe(0);
    expect(printed).toHaveLength(1);
    expect(existsSync(join(folder, '.probes/ready'))).toBe(false);
  });

  test('can be started again in the folder where it was stopped', async () => {
    const once = () => runUntilReady(['--port', '0'], async () => {});
    expect((await once()).code).toBe(0);
    expect((await once()).code).toBe(0);
  });

  test('refuses a folder that another service uses', async () => {
    await runUntilReady(['--port', '0'], async () => {
      const second = await runWith(['--port', '0']);
      expect(second.code).toBe(150);
      expect(second.complained.join()).toMatch(/is in use by process \d+\. Stop the service/);
    });
  });

  test('refuses a port that is taken, and leaves nothing open', async () => {
    const server = await listening();
    const { port } = server.address() as { port: number };
    const taken = await runWith(['--port', String(port)]);
    server.close();
    expect(taken.code).toBe(150);
    expect(taken.complained.join()).toContain(`Port ${port} on 127.0.0.1 is taken by another program.`);
    expect((await runUntilReady(['--port', '0'], async () => {})).code).toBe(0);
  });

  test.each(['--port', '--database-port'])('names the option of a port that is taken: %s', async (option) => {
    const server = await listening();
    const { port } = server.address() as { port: number };
    const taken = await runWith(['--port', '0', option, String(port)]);
    server.close();
    expect(taken.complained.join()).toContain(`choose another \`${option}\`.`);
  });

  test('takes other ports instead of proposed ones that are taken', async () => {
    const [one, other] = [await listening(), await listening()];
    const [taken, takenToo] = [one, other].map((server) => (server.address() as { port: number }).port);
    const proposed = ['--port', `${taken}+`, '--database-port', `${takenToo}+`];
    const { code, printed } = await runUntilReady(proposed, async ({ url }) => {
      expect(await statusOf(`${url}/probes/readiness`)).toBe(200);
    });
    one.close();
    other.close();
    expect(code).toBe(0);
    const { port, database } = JSON.parse(printed[0] ?? '');
    expect(port).not.toBe(taken);
    expect(Number(new URL(database).port)).not.toBe(takenToo);
  });

  test('takes proposed ports that are free', async () => {
    const server = await listening();
    const { port } = server.address() as { port: number };
    await new Promise((resolve) => server.close(resolve));
    const { printed } = await runUntilReady(['--port', `${port}+`], async () => {});
    expect(JSON.parse(printed[0] ?? '')).toMatchObject({ port });
  });

  test('names the key of the port of its metrics, if that is taken', async () => {
    const server = await listening();
    const { port } = server.address() as { port: number };
    write('service.yaml', `telemetry: { disable_telemetry_sharing: true, prometheus_port: ${port} }`);
    const taken = await runWith(['--port', '0']);
    server.close();
    expect(taken.complained.join()).toContain('choose another `telemetry.prometheus_port`.');
  });

  test('answers probes also at the port of its metrics, unless they are off', async () => {
    const port = await freePort();
    const statusOfProbe = async (settings: string): Promise<number> => {
      write(
        'service.yaml',
        `${settings}telemetry: { disable_telemetry_sharing: true, prometheus_port: ${port} }`,
      );
      let status = 0;
      await runUntilReady(['--port', '0'], async () => {
        status = await statusOf(`http://127.0.0.1:${port}/probes/liveness`);
      });
      return status;
    };
    expect(await statusOfProbe('')).toBe(200);
    expect(await statusOfProbe('healthcheck: { probes: { use_filesystem: true } }\n')).toBe(404);
  });

  test('does not start with a sync config that has errors, and says where they are', async () => {
    write('service.yaml', 'sync_config: { path: sync.yaml }');
    write('sync.yaml', 'config: { edition: 3 }\nstreams:\n  s:\n    query: SELECT * FROM\n');
    const { code, complained } = await runWith(['--port', '0']);
    expect(code).toBe(150);
    expect(complained.join('\n')).toMatch(
      /\[SVC_R0001\] .*sync\.yaml cannot be deployed\. Line 4, column \d+: /,
    );
  });

  test('does not start if its configured sync config is missing', async () => {
    write('service.yaml', 'sync_config: { path: missing.yaml }');
    const { code, complained } = await runWith(['--port', '0']);
    expect(code).toBe(150);
    expect(complained.join('\n')).toMatch(/missing\.yaml cannot be deployed\. The file does not exist\./);
  });

  test('starts with a sync config that has errors if `exit_on_error` is false', async () => {
    write('service.yaml', 'sync_config: { content: "nothing: 1", exit_on_error: false }');
    const { code, complained } = await runUntilReady(['--port', '0'], async () => {});
    expect(code).toBe(0);
    expect(complained.join('\n')).toContain('`sync_config.content` cannot be deployed.');
  });

  test.each(['api', 'sync'])('refuses to share an embedded storage, in the role %s', async (role) => {
    const { code, complained } = await runWith(['-r', role, '--port', '0']);
    expect(code).toBe(150);
    expect(complained.join()).toContain('An embedded storage belongs to one process');
  });
});

describe('a command', () => {
  test.each([
    ['teardown', 150, '[SVC_S0102] This deletes everything'],
    ['dance', 2, 'There is no command dance.'],
    ['migrate sideways', 2, 'Write `migrate up`.'],
    ['migrate down', 1, 'cannot be downgraded'],
    ['compact -b todos', 1, 'todos is not the full name of a bucket'],
    ['-c nowhere.yaml', 150, 'There is no file nowhere.yaml.'],
  ])('that cannot be run prints the reason: %s', async (line, code, sentence) => {
    const result = await runWith(line.split(' '));
    expect(result.complained.join('\n')).toContain(sentence);
    expect(result.code).toBe(code);
  });

  test.each(['migrate up', 'compact', 'teardown TEARDOWN'])('works on an empty folder: %s', async (line) => {
    expect(await runWith(line.split(' '))).toMatchObject({ code: 0, complained: [] });
  });

  test('shows its options and its version', async () => {
    expect((await runWith(['--help'])).printed.join()).toContain('Usage: node service.js');
    expect((await runWith(['--version'])).printed).toEqual([
      JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')).version,
    ]);
  });
});

interface Result {
  readonly code: number;
  readonly printed: readonly string[];
  readonly complained: readonly string[];
}

function runWith(given: readonly string[]): Promise<Result> {
  return runUntilReady(given, async () => {});
}

async function runUntilReady(
  given: readonly string[],
  act: (ready: { readonly url: string }) => Promise<void>,
): Promise<Result> {
  const printed: string[] = [];
  const complained: string[] = [];
  let acted: Promise<void> = Promise.resolve();
  let stop = () => {};
  const terminal: Terminal = {
    print: (line) => {
      printed.push(line);
      if (line.startsWith('{"ready"')) acted = act(JSON.parse(line)).finally(() => stop());
    },
    complain: (line) => complained.push(line),
    files: { readFile, exists: existsSync, real: realPath, firstLinkIn },
    env: {},
    folder,
    onStop: (listener) => {
      stop = () => listener('SIGTERM');
      return () => {};
    },
    startWorker: () => {
      throw new Error('Nobody asked for workers.');
    },
  };
  const code = await runService(given, terminal);
  await acted;
  return { code, printed, complained: complained.filter((line) => !/ (info|warn) /.test(line)) };
}

function readFile(path: string): Uint8Array | undefined {
  return existsSync(path) ? readFileSync(path) : undefined;
}

function write(name: string, text: string): void {
  writeFileSync(join(folder, name), text);
}

async function statusOf(url: string, init?: RequestInit): Promise<number> {
  const response = await fetch(url, init);
  await response.body?.cancel();
  return response.status;
}

function listening(): Promise<Server> {
  const server = createServer();
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}
