/**
 * `npm start -- [--no-open] [--port N]`: builds, packages, and opens examples/todo in a VS Code that has
 * the extension installed and nothing else: a desktop one if there is a `code`, else one in the browser.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { delimiter, join } from 'node:path';
import { parseArgs } from 'node:util';
import { runScript } from './command.ts';
import { openDesktop } from './desktop.ts';
import { vsixPath } from './package.ts';
import { startCodeServer } from './rigs/codeServer.ts';
import { installVsCode } from './rigs/install.ts';
import { root } from './root.ts';

const example = join(root, 'examples/todo');
const shownFile = join(example, 'playground/sync.yaml');

interface Choices {
  readonly open: boolean;
  readonly port: number | undefined;
}

process.exitCode = await start();

async function start(): Promise<number> {
  const choices = readChoices();
  if (typeof choices === 'string') return refuse(choices);
  // Before the work, not after it.
  if (choices.port !== undefined && !(await isFree(choices.port))) {
    return refuse(`Port ${choices.port} is in use: end what uses it, or choose another one with --port.`);
  }
  if (!(await packageProduct())) return 1;
  const code = findCode();
  if (code !== undefined && choices.open && choices.port === undefined) {
    return openDesktop(code, vsixPath(), example, shownFile);
  }
  return serveInBrowser(choices);
}

/** What was asked for, or why that is not possible. */
function readChoices(): Choices | string {
  const usage = 'Use: npm start -- [--no-open] [--port NUMBER].';
  try {
    const { values } = parseArgs({ options: { 'no-open': { type: 'boolean' }, port: { type: 'string' } } });
    const port = values.port === undefined ? undefined : Number(values.port);
    if (port !== undefined && !(Number.isInteger(port) && port > 0 && port < 65_536)) {
      return `${values.port} is not a port. ${usage}`;
    }
    return { open: values['no-open'] !== true, port };
  } catch {
    return usage;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}

async function packageProduct(): Promise<boolean> {
  const { code, output } = await runScript('scripts/package.ts', [], { timeoutSeconds: 120 });
  if (code !== 0) console.error(output);
  return code === 0;
}

function findCode(): string | undefined {
  const name = process.platform === 'win32' ? 'code.cmd' : 'code';
  const folders = (process.env.PATH ?? '').split(delimiter);
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}

async function serveInBrowser({ open, port }: Choices): Promise<number> {
  console.log('Starting VS Code (the first time installs it, which takes a minute) …');
  const vsCode = await installVsCode();
  if (vsCode.kind === 'missing') return refuse(`${vsCode.what}. ${vsCode.fix}`);
  const server = await startCodeServer(vsCode, {
    purpose: 'user-interface',
    vsix: [vsixPath()],
    ...(port !== undefined && { port }),
  });
  const url = urlOf(server.host);
  console.log(`ready ${url}`);
  if (open) openInBrowser(url);
  console.log('Ctrl-C ends it.');
  // It ends with us: see rigs/process.ts. So this goes on only if it ends by itself.
  await server.ended;
  return refuse(`VS Code has ended by itself.\n${server.log()}`);
}

function urlOf(host: string): string {
  const payload = JSON.stringify([['openFile', `vscode-remote://${host}${shownFile}`]]);
  return `http://${host}/?${new URLSearchParams({ folder: example, payload })}`;
}

/** A convenience: where there is no browser, the printed address is enough. */
function openInBrowser(url: string): void {
  const hasScreen = process.env.DISPLAY !== undefined || process.env.WAYLAND_DISPLAY !== undefined;
  if (process.platform === 'darwin') spawnSync('open', [url]);
  else if (hasScreen) spawnSync('xdg-open', [url], { timeout: 5000 });
}

function refuse(sentence: string): number {
  console.error(sentence);
  return 1;
}
