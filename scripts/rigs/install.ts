/**
 * Installs the programs of the rigs: a real VS Code (code-server's server and web workbench, from npm), a Node for it, and
 * Chromium. Later runs find them in the cache.
 */
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ensureCached } from './cache.ts';
import { ensureChromium } from './editors/chromium.ts';
import { run } from './process.ts';

/** A version of code-server. code-server 4.X.Y embeds VS Code 1.X.Y. */
export interface Release {
  readonly version: string;
  /** The number of changes of the code that fills its folder, so that an older cached folder is not used for a new one. */
  readonly revision: number;
  /** Changes an installed release, so that it works without its install scripts. */
  readonly adapt?: (directory: string, node: string) => Promise<void>;
}

/** `webWorkbench.ts` patches exactly this version. */
const newest: Release = { version: '4.139.1', revision: 1 };

/** The oldest version on npm that package.json supports: npm has none between VS Code 1.90, which is too old, and 1.93. */
export const oldest: Release = { version: '4.93.1', revision: 1, adapt: adaptOldRelease };

/** The programs that are needed to open VS Code in an existing browser. */
export interface VsCode {
  readonly kind: 'ready';
  /** The folder of the package `code-server`. */
  readonly codeServer: string;
  /** The Node that runs it. */
  readonly node: string;
  /** Messages about restrictions of the installed programs. */
  readonly notes: readonly string[];
}

export interface Ready extends VsCode {
  readonly chromium: string;
}

interface Missing {
  readonly kind: 'missing';
  readonly what: string;
  readonly fix: string;
}

export async function install(release = newest): Promise<Ready | Missing> {
  const chromium = await ensureChromium();
  if (chromium.kind === 'missing') return chromium;
  const vsCode = await installVsCode(release);
  return vsCode.kind === 'missing' ? vsCode : { ...vsCode, chromium: chromium.path };
}

export async function installVsCode(release = newest): Promise<VsCode | Missing> {
  const node = findNode();
  if (node.kind === 'missing') return node;
  const server = await ensureCodeServer(node.path, release);
  if (server.kind === 'missing') return server;
  const notes = existsSync(join(server.path, spdlog))
    ? []
    : ['The native log module could not be compiled, so output channels and log files stay empty.'];
  return { kind: 'ready', codeServer: server.path, node: node.path, notes };
}

type Search = { readonly kind: 'ready'; readonly path: string } | Missing;

/** Finds a Node for VS Code's server, which imports `registerHooks` and therefore needs at least 22.15. */
function findNode(): Search {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  return major > 22 || (major === 22 && minor >= 15)
    ? { kind: 'ready', path: process.execPath }
    : {
        kind: 'missing',
        what: `This is Node ${process.versions.node}, and VS Code needs 22.15 or newer`,
        fix: 'Run this through npm: the repository brings its own Node.',
      };
}

/** The folder of VS Code in that of an installed release. */
const vscodeFolder = 'node_modules/code-server/lib/vscode';

const spdlog = 'lib/vscode/node_modules/@vscode/spdlog/build/Release/spdlog.node';

async function ensureCodeServer(node: string, release: Release): Promise<Search> {
  if (process.platform === 'win32') {
    return {
      kind: 'missing',
      what: 'code-server does not run on Windows',
      fix: 'Use `npm run test:desktop` there.',
    };
  }
  const { version, revision, adapt } = release;
  try {
    const directory = await ensureCached(`code-server-${version}-r${revision}`, async (into) => {
      await fillCodeServer(into, node, version);
      await adapt?.(into, node);
    });
    return { kind: 'ready', path: join(directory, 'node_modules/code-server') };
  } catch (error) {
    return {
      kind: 'missing',
      what: `code-server ${version} could not be installed (${error instanceof Error ? error.message : error})`,
      fix: 'Check that npm reaches its registry, then run this again.',
    };
  }
}

/** Options without which npm would wait more than a minute if there is no network. */
const brief = ['--fetch-retry-mintimeout=1000', '--fetch-retry-maxtimeout=5000'];

async function fillCodeServer(directory: string, node: string, version: string): Promise<void> {
  const vscode = join(directory, vscodeFolder);
  writeFileSync(join(directory, 'package.json'), '{"private":true}\n');
  // Install scripts are not run, because code-server's own script rejects other versions of Node and needs Kerberos headers.
  const packages = ['--ignore-scripts', '--no-audit', '--no-fund', ...brief];
  await npm(['install', '--no-save', ...packages, `code-server@${version}`], directory, node);
  // Old releases depend on packages that do not accept each other's versions.
  await npm(['install', '--omit=dev', '--legacy-peer-deps', ...packages], vscode, node);
  // The package spdlog writes log files and output channels, and native-watchdog ends the extension host with its parent. Both need
  // a C++ compiler. `install` reports if there is none.
  await rebuild(['@vscode/spdlog', '@vscode/native-watchdog'], vscode, node);
  // These 270 MiB are not needed by any test of an extension.
  for (const unused of [
    'node_modules/@github',
    'node_modules/@microsoft/mxc-sdk',
    'extensions/copilot',
    'extensions/mermaid-markdown-features',
  ]) {
    rmSync(join(vscode, unused), { recursive: true, force: true });
  }
  for (const map of globSync('**/*.js.map', { cwd: vscode })) rmSync(join(vscode, map));
}

/** Replaces what the install scripts of old releases would download or compile. */
async function adaptOldRelease(directory: string, node: string): Promise<void> {
  const vscode = join(directory, vscodeFolder);
  await rebuild(['native-watchdog'], vscode, node);
  // This package only hashes passwords, and the servers of tests have none.
  writeFileSync(join(directory, 'node_modules/argon2/argon2.js'), 'module.exports = {};\n');
  // The search of files. Newer releases depend on this package, which contains the programs.
  const search = join(directory, 'search');
  mkdirSync(search);
  writeFileSync(join(search, 'package.json'), '{"private":true}\n');
  await installPackage('@vscode/ripgrep-universal@1.18.0', search);
  const programs = join(search, 'node_modules/@vscode/ripgrep-universal/bin');
  const wanted = join(programs, `${process.platform}-${process.arch}`);
  cpSync(wanted, join(vscode, 'node_modules/@vscode/ripgrep/bin'), { recursive: true });
  rmSync(search, { recursive: true });
  refuseProposals(join(vscode, 'out/vs/workbench/api/node/extensionHostProcess.js'));
}

/**
 * Reverts the patch of code-server that lets every extension use proposals for the API. VS Code refuses that, and the functions of
 * a proposal throw.
 */
function refuseProposals(bundle: string): void {
  const text = readFileSync(bundle, 'utf8');
  const patched =
    /(function (\w+)\((\w+),(\w+)\)\{return)!0(\}function \w+\(\w+,\w+\)\{if\(!\2\(\w+,\w+\)\)throw new Error\(`Extension)/;
  if (!patched.test(text)) throw new Error('This code-server does not allow proposals as expected.');
  writeFileSync(bundle, text.replace(patched, '$1($3.enabledApiProposals||[]).includes($4)$5'));
}

/** Compiles native packages, if there is a compiler. */
async function rebuild(packages: readonly string[], folder: string, node: string): Promise<void> {
  await npm(['rebuild', ...packages, ...headersOption(node)], folder, node).catch(() => undefined);
}

/**
 * Returns npm's option for the headers of Node, which the compiler needs. npm would download them, but the package that contains
 * our Node has them.
 */
function headersOption(node: string): readonly string[] {
  const [headers] = globSync(join(dirname(node), '../node_modules/node-*/include/node/node.h'));
  return headers === undefined ? [] : [`--nodedir=${join(dirname(headers), '../..')}`];
}

/** Installs a package and its dependencies into a separate folder. */
export async function installPackage(
  name: string,
  directory: string,
  options: readonly string[] = [],
): Promise<void> {
  const quiet = ['--no-save', '--ignore-scripts', '--no-audit', '--no-fund', ...brief];
  const args = ['install', ...quiet, ...options, name];
  await npm(args, directory, process.execPath);
}

async function npm(args: readonly string[], cwd: string, node: string): Promise<void> {
  const inherited = Object.entries(process.env).filter(([name]) => !/^npm_(?!config_)/.test(name));
  const env = { ...Object.fromEntries(inherited), PATH: `${dirname(node)}:${process.env.PATH}` };
  const timeoutMs = 240_000;
  const { code, output, timedOut } = await run('npm', args, { cwd, env, timeoutMs });
  if (timedOut) throw new Error(`npm ${args[0]} took more than ${timeoutMs / 1000} s`);
  if (code !== 0) throw new Error(`npm ${args[0]}: ${reasonOf(output)}`);
}

/** Returns the first error line of npm that contains a reason. */
function reasonOf(output: string): string {
  const reason = /^npm error (?!code|errno|syscall)(.+)$/m.exec(output)?.[1];
  return (reason ?? output.trim()).slice(0, 200);
}

if (import.meta.main) {
  const result = await install();
  if (result.kind === 'missing') {
    console.error(`${result.what}. ${result.fix}`);
    process.exitCode = 1;
  } else {
    for (const note of result.notes) console.log(note);
    console.log(`VS Code: ${result.codeServer}\nNode: ${result.node}\nChromium: ${result.chromium}`);
  }
}
