/** A real VS Code on 127.0.0.1: code-server with data and settings of its own in a temporary folder. */
import type { ChildProcess } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../../test/support/processes/freePort.ts';
import { patient } from '../../run/patience.ts';
import type { VsCode } from '../install.ts';
import { run, startGroup, stopGroup } from '../process.ts';
import { quietSettings } from '../settings.ts';
import { temporaryFolder } from '../temporary.ts';

interface CodeServer {
  /** `host:port`, which is also the remote authority of its files. */
  readonly host: string;
  /** Returns the output so far. */
  log(): string;
  /** Resolves when it has ended, whether it was asked to or not. */
  readonly ended: Promise<void>;
  stop(): Promise<void>;
}

interface CodeServerOptions {
  /**
   * Tests in the extension host need VS Code's smoke-test driver, which on the other hand hides the
   * notifications and dialogs that a test of the user interface wants to see.
   */
  readonly purpose: 'extension-host' | 'user-interface';
  /** Paths of the extensions to install. */
  readonly vsix?: readonly string[];
  /** Opened where the address names none. */
  readonly folder?: string;
  /** Any free one, if not given. */
  readonly port?: number;
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Variables for the extensions in it. */
  readonly env?: Readonly<Record<string, string>>;
}

export async function startCodeServer(
  { codeServer, node }: Pick<VsCode, 'codeServer' | 'node'>,
  { purpose, vsix = [], folder, port, settings, env: given }: CodeServerOptions,
): Promise<CodeServer> {
  const home = temporaryFolder('vscode');
  mkdirSync(join(home, 'data/User'), { recursive: true });
  writeFileSync(join(home, 'data/User/settings.json'), JSON.stringify({ ...quietSettings, ...settings }));
  // Without this file, code-server writes one into the user's own configuration folder.
  writeFileSync(join(home, 'config.yaml'), '{}\n');

  const entry = join(codeServer, 'out/node/entry.js');
  const env = { ...environment(home), ...given };
  const own = ['--config', join(home, 'config.yaml'), '--user-data-dir', join(home, 'data')];
  const install = (extensions: string, path: string) =>
    run(node, [entry, ...own, '--extensions-dir', extensions, '--install-extension', path, '--force'], {
      env,
      timeoutMs: patient(60_000),
    });
  const places = [...own, '--extensions-dir', await extensionsOf(vsix, install)];

  const host = `127.0.0.1:${port ?? (await freePort())}`;
  const quiet = [
    ...['--auth', 'none', '--bind-addr', host, '--ignore-last-opened', '--disable-proxy'],
    ...['--disable-telemetry', '--disable-update-check'],
    ...['--disable-workspace-trust', '--disable-getting-started-override'],
  ];
  const driver =
    purpose === 'extension-host' && hasSmokeTestDriver(codeServer)
      ? ['--vscode-option', 'enable-smoke-test-driver']
      : [];
  const opened = folder === undefined ? [] : [folder];
  const child = startGroup(node, [entry, ...places, ...quiet, ...driver, ...opened], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let log = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      log += text;
    });
  }
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const problem = await untilItAnswers(host, child);
  if (problem !== undefined) {
    await stopGroup(child);
    throw new Error(`code-server ${problem}\n${log}`);
  }
  return { host, log: () => log, ended, stop: () => stopGroup(child) };
}

/** Folders with installed extensions, by the paths of their packages. */
const installed = new Map<string, string>();

/** Installing takes longer than starting a server, so servers with the same extensions share a folder. */
async function extensionsOf(
  vsix: readonly string[],
  install: (
    folder: string,
    path: string,
  ) => Promise<{ readonly code: number | null; readonly output: string }>,
): Promise<string> {
  const key = vsix.join('\n');
  const known = installed.get(key);
  if (known !== undefined) return known;
  const folder = temporaryFolder('extensions');
  for (const path of vsix) {
    const { code, output } = await install(folder, path);
    if (code !== 0) throw new Error(`${path} could not be installed: ${output}`);
  }
  installed.set(key, folder);
  return folder;
}

/** Ours, without what another VS Code, npm or a host of web services may have put there. */
function environment(home: string): NodeJS.ProcessEnv {
  const foreign = /^(VSCODE_|ELECTRON_|npm_|NODE_OPTIONS$|PORT$|PASSWORD$)/;
  const kept = Object.entries(process.env).filter(([name]) => !foreign.test(name));
  return {
    ...Object.fromEntries(kept),
    XDG_CONFIG_HOME: join(home, 'xdg'),
    XDG_DATA_HOME: join(home, 'xdg'),
    // The extension host does not remove its sockets when it is killed.
    XDG_RUNTIME_DIR: home,
    // No marketplace: the tests must not depend on one.
    EXTENSIONS_GALLERY: '{}',
  };
}

/** Releases up to VS Code 1.100 neither know nor need the option. */
function hasSmokeTestDriver(codeServer: string): boolean {
  return readFileSync(join(codeServer, 'out/node/cli.js'), 'utf8').includes('vscode-option');
}

/** Returns what went wrong, if anything. `/healthz` would answer even when VS Code cannot be loaded. */
async function untilItAnswers(host: string, child: ChildProcess): Promise<string | undefined> {
  const end = performance.now() + patient(60_000);
  while (performance.now() < end) {
    if (child.exitCode !== null) return `ended with code ${child.exitCode}`;
    const response = await fetch(`http://${host}/?ew=true`).catch(() => undefined);
    if (response?.ok) return undefined;
    await sleep(100);
  }
  return 'did not answer within 60 s';
}
