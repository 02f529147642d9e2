/**
 * Runs `scripts/<name>.ts` on any machine with Node 20 and npm: installs what package-lock.json names
 * when it is missing, then hands over to the pinned Node (the dev dependency `node`).
 *
 * Plain JavaScript without modern syntax, so that a Node that is too old still says so in words.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const name = process.argv[2];
const args = process.argv.slice(3);
// package.json has no "type", so Node would warn about every TypeScript file.
const nodeOptions = ['--disable-warning=MODULE_TYPELESS_PACKAGE_JSON'];
const running = process.versions.node.split('.').map(Number);

if (running[0] < 20) {
  fail(
    `Headwater is built with Node 20 or newer, and this is Node ${process.versions.node}: install a newer one from https://nodejs.org.`,
  );
}
if (!installed()) install();
// The tests start hundreds of processes, which would otherwise all compile the same files.
if (!process.env.NODE_COMPILE_CACHE)
  process.env.NODE_COMPILE_CACHE = join(root, 'node_modules/.cache/compiled');
generate(pinnedNode());
run(pinnedNode(), join('scripts', `${name}.ts`));

/** Whether node_modules holds the very versions of package-lock.json; npm keeps its own record of what it put there. */
function installed() {
  const record = join(root, 'node_modules/.package-lock.json');
  if (!existsSync(record)) return false;
  const found = JSON.parse(readFileSync(record, 'utf8')).packages;
  const wanted = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages;
  return Object.keys(wanted).every((path) => {
    // The root itself; and binaries of other platforms, which npm leaves out.
    if (path === '' || wanted[path].optional || wanted[path].devOptional) return true;
    return found[path] !== undefined && found[path].version === wanted[path].version;
  });
}

function install() {
  console.log('Installing dependencies (npm ci) …');
  // Without a network, npm would try each of some hundred packages again and again, for minutes.
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

/** Runs the npm that runs us, if there is one, and returns its exit code. */
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
  // The first version that runs TypeScript files and knows `import.meta.main`.
  if (running[0] > 24 || (running[0] === 24 && running[1] >= 2)) return process.execPath;
  return fail(
    'The pinned Node is missing because its install script did not run: run `npm rebuild node --ignore-scripts=false`, or use Node 24.2 or newer.',
  );
}

/** Makes the modules that are not committed, where they are missing or out of date. */
function generate(node) {
  const made = spawnSync(node, nodeOptions.concat(join('scripts', 'generate.ts')), {
    cwd: root,
    stdio: 'inherit',
  });
  if (made.status !== 0) fail('The modules that are not committed could not be made, for the reason above.');
}

/** The script runs in a process group of its own, so that whatever it started can be ended with it. */
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
      // Already gone.
    }
  };
  let interrupted = false;
  const interrupt = (which) => {
    if (interrupted) return;
    interrupted = true;
    // On Windows, it has heard of Ctrl-C as we have, and a signal would end it in the middle of what it does.
    if (group) signal(which);
    // Time to close servers and browsers and to remove temporary folders.
    setTimeout(() => signal('SIGKILL'), 15_000).unref();
  };
  for (const which of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGBREAK']) process.on(which, () => interrupt(which));
  // npm may be killed without a chance to tell us.
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
