/**
 * Runs `scripts/<name>.ts` on any machine with Node 20 and npm: installs the packages of package-lock.json if they are missing,
 * then starts the script with the pinned Node (the dev dependency `node`).
 *
 * This file is plain JavaScript without modern syntax, so that an older Node can still explain the problem.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const name = process.argv[2];
const args = process.argv.slice(3);
// The package.json has no "type", so Node would print a warning for every TypeScript file.
const nodeOptions = ['--disable-warning=MODULE_TYPELESS_PACKAGE_JSON'];
const running = process.versions.node.split('.').map(Number);

if (running[0] < 20) {
  fail(
    `Headwater is built with Node 20 or newer, and this is Node ${process.versions.node}: install a newer one from https://nodejs.org.`,
  );
}
if (!installed()) install();
// The tests start hundreds of processes, and without a cache each of them would compile the same files.
if (!process.env.NODE_COMPILE_CACHE)
  process.env.NODE_COMPILE_CACHE = join(root, 'node_modules/.cache/compiled');
generate(pinnedNode());
run(pinnedNode(), join('scripts', `${name}.ts`));

/** Whether node_modules contains exactly the versions of package-lock.json, according to npm's own record of the installation. */
function installed() {
  const record = join(root, 'node_modules/.package-lock.json');
  if (!existsSync(record)) return false;
  const found = JSON.parse(readFileSync(record, 'utf8')).packages;
  const wanted = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages;
  return Object.keys(wanted).every((path) => {
    // The root itself is skipped, and so are binaries for other platforms, which npm does not install.
    if (path === '' || wanted[path].optional || wanted[path].devOptional) return true;
    return found[path] !== undefined && found[path].version === wanted[path].version;
  });
}

function install() {
  console.log('Installing dependencies (npm ci) …');
  // If there is no network, npm would otherwise retry each of some hundred packages for minutes.
  const patience = ['--fetch-retries=1', '--fetch-retry-mintimeout=1000', '--fetch-timeout=20000'];
  const reachable = npm(['view', 'node', 'version'].concat(patience), 'ignore') === 0;
  const options = ['--no-audit', '--no-fund', '--loglevel=error'];
  if (reachable) {
    if (npm(['ci', '--prefer-offline'].concat(options), 'inherit') === 0) return;
    fail('npm could not install the dependencies, for the reason above: correct it, then run this again.');
  }
  if (npm(['ci', '--offline'].concat(options), 'ignore') === 0) return;
  fail('The npm registry cannot be reached, and its cache has too little: connect, then run this again.');
}

/** Runs npm, preferably the one that started this script, and returns its exit code. */
function npm(commandLine, output) {
  const path = process.env.npm_execpath;
  const options = {
    cwd: root,
    stdio: ['ignore', output, output],
    shell: path === undefined && process.platform === 'win32',
  };
  const program = path === undefined ? 'npm' : process.execPath;
  return spawnSync(program, (path === undefined ? [] : [path]).concat(commandLine), options).status;
}

function pinnedNode() {
  const pinned = join(root, 'node_modules/node/bin', process.platform === 'win32' ? 'node.exe' : 'node');
  if (existsSync(pinned)) return pinned;
  // This is the first version that runs TypeScript files and supports `import.meta.main`.
  if (running[0] > 24 || (running[0] === 24 && running[1] >= 2)) return process.execPath;
  return fail(
    'The pinned Node is missing because its install script did not run: run `npm rebuild node --ignore-scripts=false`, or use Node 24.2 or newer.',
  );
}

/** Generates the modules that are not committed, if they are missing or outdated. */
function generate(node) {
  const made = spawnSync(node, nodeOptions.concat(join('scripts', 'generate.ts')), {
    cwd: root,
    stdio: 'inherit',
  });
  if (made.status !== 0) fail('The modules that are not committed could not be made, for the reason above.');
}

/** Runs the script in its own process group, so that all processes that it starts can be ended together with it. */
function run(node, script) {
  const group = process.platform !== 'win32';
  const child = spawn(node, nodeOptions.concat(script, args), {
    cwd: root,
    stdio: 'inherit',
    detached: group,
  });
  const signal = (which) => {
    try {
      process.kill(group ? -child.pid : child.pid, which);
    } catch (_) {
      // The process has already ended.
    }
  };
  let interrupted = false;
  const interrupt = (which) => {
    if (interrupted) return;
    interrupted = true;
    // On Windows, the process has received Ctrl-C like this one, and a signal would interrupt its cleanup.
    if (group) signal(which);
    // The delay is for closing servers and browsers and removing temporary folders.
    setTimeout(() => signal('SIGKILL'), 15_000).unref();
  };
  for (const which of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGBREAK']) process.on(which, () => interrupt(which));
  // Polling the parent is necessary, because npm may be killed without being able to notify this process.
  const parent = process.ppid;
  setInterval(() => process.ppid !== parent && interrupt('SIGTERM'), 500).unref();
  process.on('exit', () => signal('SIGKILL'));
  child.on('error', (error) => fail(`${node} cannot be started: ${error.message}`));
  child.on('exit', (code, killedBy) => {
    process.exit(code === null ? 128 + constants.signals[killedBy] : code);
  });
}

function fail(sentence) {
  console.error(sentence);
  return process.exit(1);
}
