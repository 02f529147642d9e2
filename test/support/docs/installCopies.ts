/**
 * Does what `npm install NAMES` does in the current folder, without a registry: copies the packages, and all that they need, from
 * the packages of this repository.
 */
import { cpSync, existsSync, lstatSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { root } from '../../../scripts/root.ts';

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly bin?: string | Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

const shelf = join(root, 'node_modules');

function installCopies(names: readonly string[], folder: string): void {
  const modules = join(folder, 'node_modules');
  for (const path of neededBy(names)) {
    const to = join(modules, relative(shelf, path));
    if (existsSync(to)) continue;
    cpSync(path, to, { recursive: true, verbatimSymlinks: true });
    linkPrograms(to, modules);
  }
  const path = join(folder, 'package.json');
  const manifest = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {};
  const added = names.map((name) => [name, `^${manifestIn(join(shelf, name)).version}`]);
  manifest.dependencies = { ...manifest.dependencies, ...Object.fromEntries(added) };
  writeFileSync(path, JSON.stringify(manifest, null, 2));
}

/** Returns the folders of these packages and of all that they need. Packages inside another package are copied with it. */
function neededBy(names: readonly string[]): ReadonlySet<string> {
  const found = new Set<string>();
  const left = names.map((name) => ({ name, from: shelf, isOptional: false }));
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const path = locate(next.name, next.from);
    if (path === undefined && !next.isOptional) throw new Error(`${next.name} is not among our packages.`);
    if (path === undefined || found.has(path)) continue;
    found.add(path);
    left.push(...needsOf(manifestIn(path)).map((need) => ({ ...need, from: path })));
  }
  return new Set([...found].filter((path) => !relative(shelf, path).includes('node_modules')));
}

/** Finds a package as Node does, from a package upwards. */
function locate(name: string, from: string): string | undefined {
  for (let at = from; at.startsWith(shelf); at = dirname(at)) {
    const path = basename(at) === 'node_modules' ? join(at, name) : join(at, 'node_modules', name);
    if (existsSync(join(path, 'package.json'))) return path;
  }
  return undefined;
}

function needsOf(manifest: Manifest): readonly { readonly name: string; readonly isOptional: boolean }[] {
  const { dependencies = {}, optionalDependencies = {}, peerDependencies = {} } = manifest;
  return Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })
    .filter((name) => manifest.peerDependenciesMeta?.[name]?.optional !== true)
    .map((name) => ({ name, isOptional: name in optionalDependencies }));
}

function linkPrograms(path: string, modules: string): void {
  const { name, bin = {} } = manifestIn(path);
  const programs = typeof bin === 'string' ? { [basename(name)]: bin } : bin;
  mkdirSync(join(modules, '.bin'), { recursive: true });
  for (const [program, file] of Object.entries(programs)) {
    const link = join(modules, '.bin', program);
    if (lstatSync(link, { throwIfNoEntry: false }) === undefined)
      symlinkSync(relative(dirname(link), join(path, file)), link);
  }
}

function manifestIn(path: string): Manifest {
  return JSON.parse(readFileSync(join(path, 'package.json'), 'utf8')) as Manifest;
}

if (import.meta.main) installCopies(process.argv.slice(2), process.cwd());
