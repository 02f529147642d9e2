/** Starts a real VS Code on 127.0.0.1: code-server with its own data and settings in a temporary folder. */
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
  /** The address `host:port`, which is also the remote authority of its files. */
  readonly host: string;
  /** Returns the output so far. */
  log(): string;
  /** Resolves when the server has ended for any reason. */
  readonly ended: Promise<void>;
  stop(): Promise<void>;
}

/** A key of the user for a command. */
export interface Keybinding {
  readonly key: string;
  readonly command: string;
  readonly args?: unknown;
}

interface CodeServerOptions {
  /**
   * The purpose. Tests in the extension host need VS Code's smoke-test driver, but the driver hides notifications and dialogs that
   * a test of the user interface needs to see.
   */
  readonly purpose: 'extension-host' | 'user-interface';
  /** Paths of the extensions to install. */
  readonly vsix?: readonly string[];
  /** The folder to open if the address names none. */
  readonly folder?: string;
  /** The port; absent: any free port. */
  readonly port?: number;
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly keybindings?: readonly Keybinding[];
  /** Environment variables for the extensions. */
  readonly env?: Readonly<Record<string, string>>;
}

export async function startCodeServer(
  { codeServer, node }: Pick<VsCode, 'codeServer' | 'node'>,
  { purpose, vsix = [], folder, port, settings, keybindings = [], env: given }: CodeServerOptions,
): Promise<CodeServer> {
  const home = temporaryFolder('vscode');
  mkdirSync(join(home, 'data/User'), { recursive: true });
  writeFileSync(join(home, 'data/User/settings.json'), JSON.stringify({ ...quietSettings, ...settings }));
  // An editor with a server takes settings of the scope `machine-overridable` only from here.
  mkdirSync(join(home, 'data/Machine'));
  writeFileSync(join(home, 'data/Machine/settings.json'), JSON.stringify(ofMachine(settings)));
  writeFileSync(join(home, 'data/User/keybindings.json'), JSON.stringify(keybindings));
  // The empty file prevents code-server from writing one into the user's own configuration folder.
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

/** Folders with installed extensions, by the paths of the packages. */
const installed = new Map<string, string>();

/**
 * Returns a folder with installed extensions. Servers with the same extensions share it, because installing takes longer than
 * starting a server.
 */
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

/** Returns our environment without variables of another VS Code, of npm or of a hosting service. */
function environment(home: string): NodeJS.ProcessEnv {
  const foreign = /^(VSCODE_|ELECTRON_|npm_|NODE_OPTIONS$|PORT$|PASSWORD$)/;
  const kept = Object.entries(process.env).filter(([name]) => !foreign.test(name));
  return {
    ...Object.fromEntries(kept),
    XDG_CONFIG_HOME: join(home, 'xdg'),
    XDG_DATA_HOME: join(home, 'xdg'),
    // The extension host does not remove its sockets if it is killed.
    XDG_RUNTIME_DIR: home,
    // There is no marketplace, because tests must not depend on one.
    EXTENSIONS_GALLERY: '{}',
  };
}

/** Whether the release has the option. Releases up to VS Code 1.100 neither have it nor need it. */
function hasSmokeTestDriver(codeServer: string): boolean {
  return readFileSync(join(codeServer, 'out/node/cli.js'), 'utf8').includes('vscode-option');
}

/** Returns an error message if the server does not work. `/healthz` would answer even if VS Code could not be loaded. */
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

function ofMachine(settings: CodeServerOptions['settings'] = {}): object {
  return Object.fromEntries(Object.entries(settings).filter(([name]) => name.startsWith('headwater.')));
}
