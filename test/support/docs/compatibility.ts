/**
 * The names and versions of other software that pages may state. Each is read from the place that decides what the tests run with,
 * or what the product checks, so that a page cannot claim another one.
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../house/imports.ts';

export interface Claim {
  readonly line: number;
  /** The software, such as `Node` or `@powersync/web`. */
  readonly name: string;
  /** Absent if the page only names the software. */
  readonly version?: string;
  readonly sentence: string;
}

/** Systems, processors, browsers and frameworks of apps, tested or not. */
const names =
  'Linux|Windows|macOS|Mac OS|Wine|Debian|Ubuntu|Alpine|Fedora|CentOS|FreeBSD|Android|iOS|iPadOS|x64|x86_64|amd64|arm64|aarch64|musl|glibc|' +
  'Chromium|Chrome|Firefox|Safari|React Native|Flutter|Kotlin|Swift|Dart|Capacitor|\\.NET|Expo|Tauri|Electron|Deno|Bun|@powersync/[\\w-]+';
const versioned =
  'Node(?:\\.js)?|VS Code|Visual Studio Code|PostgreSQL|Postgres|Neovim|npm|SQLite|Vite|TypeScript';
const number = 'v?\\d+(?:\\.\\d+)*\\+?';
const numbers = `${number}(?:(?:,| to| and| or|,? and in| or in)\\s+${number})*`;
const claims = new RegExp(
  `(?<![\\w/.-])(?:(${names})(?![\\w-])(?:[\`_*]*\\s+(${numbers}))?|(${versioned})\\s+(${numbers}))|[Vv]ersions?\\s+(${numbers})\\s+of\\s+\`(@powersync/[\\w-]+)\`|SDKs?\\s+for\\s+((?:the\\s+)?[\\w.#]+)`,
  'g',
);

/** @param page the text of a page; comments, headings and addresses of links state nothing */
export function claimsIn(page: string): readonly Claim[] {
  const prose = page.replaceAll(/<!--[\s\S]*?-->|^#.*$|\]\([^)]*\)/gm, (part) =>
    part.replaceAll(/[^\n]/g, ' '),
  );
  return [...prose.matchAll(claims)].flatMap((found) => {
    const [, name, versions, software, softwareVersions, ofVersions, of, sdk] = found;
    const facts = {
      line: prose.slice(0, found.index).split('\n').length,
      name: sdk === undefined ? (name ?? software ?? of ?? '') : `SDK for ${sdk.replaceAll(/\s+/g, ' ')}`,
      sentence: sentenceAt(prose, found.index),
    };
    const stated = (versions ?? softwareVersions ?? ofVersions)?.match(/\d+(?:\.\d+)*/g) ?? [];
    return stated.length === 0 ? [facts] : stated.map((version) => ({ ...facts, version }));
  });
}

/** Whether the page denies that the software was tried. */
export function isDenied({ sentence }: Claim): boolean {
  return /\b(?:not|nothing|no|never|cannot|could not)\b/i.test(sentence);
}

function sentenceAt(text: string, index: number): string {
  const start = Math.max(...['. ', '.\n', '\n\n', '| '].map((end) => text.lastIndexOf(end, index) + 1));
  const [sentence = ''] = text.slice(start).split(/\.\s|\n\n/, 1);
  return sentence;
}

/** Whether a claim is derived. A page may shorten a version: 24 for 24.21.0. */
export function isDerived({ name, version }: Claim): boolean {
  const versions = derived.get(name);
  if (versions === undefined) return false;
  return version === undefined || versions.some((each) => each === version || each.startsWith(`${version}.`));
}

const textOf = (path: string): string => readFileSync(join(root, path), 'utf8');

/** Returns what the groups of the expression match in a file, which must contain it. */
function read(path: string, expression: RegExp): readonly string[] {
  const [, ...found] = expression.exec(textOf(path)) ?? [];
  if (found.length === 0) throw new Error(`${path} no longer contains ${expression}.`);
  return found;
}

const lock = JSON.parse(textOf('package-lock.json')).packages;
const manifest = JSON.parse(textOf('package.json'));
const versionOf = (name: string): string => lock[`node_modules/${name}`].version;

/** The names, each with its versions. A name without versions can only be stated without one. */
const derived: ReadonlyMap<string, readonly string[]> = new Map([
  ['Node', nodes()],
  [
    'VS Code',
    [
      ...read('package.json', /"vscode": "\^(\d+\.\d+)/),
      `1${read('scripts/rigs/install.ts', /oldest: Release = \{ version: '4(\.[\d.]+)'/)}`,
      `1${read('scripts/rigs/install.ts', /newest: Release = \{ version: '4(\.[\d.]+)'/)}`,
    ],
  ],
  ['PostgreSQL', postgreses()],
  ['Neovim', neovims()],
  ...systems(),
  ...sdks(),
]);

function nodes(): readonly string[] {
  return [
    ...read('package.json', /"node": ">=([\d.]+)"/),
    ...read('scripts/bootstrap.mjs', /running\[0\] < (\d+)/),
    ...read('test/service/storage/folder.test.ts', /fails in Node before ([\d.]+) and ([\d.]+)'/),
    versionOf('node'),
  ];
}

/** The versions that the service asks for, and that of the embedded database. */
function postgreses(): readonly string[] {
  const asked = globSync('server/service/replication/**/*.ts', { cwd: root }).flatMap((path) => [
    ...textOf(path).matchAll(/server_version_num'\)::int [<>]=? (\d\d)0000/g),
  ]);
  return [
    ...asked.map(([, version = '']) => version),
    ...read('server/service/replication/embedded/database/connection.ts', /'server_version', '([\d.]+)'/),
  ];
}

/** The test knows two configs: for the oldest version, and from a later one. */
function neovims(): readonly string[] {
  const test = 'test/lsp/editors/neovim.live.test.ts';
  const [later] = read(test, /Number\(version\) >= (\d+)/).map(Number);
  return [...read(test, /Neovim (0\.\d+) or newer/), `0.${later}`, `0.${Number(later) - 1}`];
}

/**
 * The systems on which the tests run, and what the rigs bring. The workflow also has a job for macOS, but nobody has
 * seen it run, so macOS is missing.
 */
function systems(): readonly (readonly [string, readonly string[]])[] {
  const evidence: Readonly<Record<string, readonly [path: string, fragment: RegExp]>> = {
    Linux: ['.github/workflows/ci.yml', /runs-on: ubuntu-[\s\S]*?run: (\.ci\/run)/],
    Windows: ['package.json', /"test:windows": "(.+)"/],
    Wine: ['scripts/windows/wine.ts', /(Wine)/],
    Debian: ['scripts/rigs/apt.ts', /(Debian)/],
    Chromium: ['scripts/rigs/editors/chromium.ts', /(Chromium)/],
  };
  return Object.entries(evidence).map(([name, [path, fragment]]) => {
    read(path, fragment);
    return [name, []] as const;
  });
}

/** The packages of PowerSync that tests sync or compare with, including an older version under another name. */
function sdks(): readonly (readonly [string, readonly string[]])[] {
  const wanted: readonly [string, string][] = Object.entries(manifest.devDependencies);
  const installed = wanted.flatMap(([name, range]) => {
    const real = /^npm:(@powersync\/[\w-]+)@/.exec(range)?.[1] ?? name;
    return real.startsWith('@powersync/') ? [{ real, version: versionOf(name) }] : [];
  });
  const packages = [...new Set(installed.map(({ real }) => real))].map(
    (name) => [name, installed.filter(({ real }) => real === name).map(({ version }) => version)] as const,
  );
  const titles: Readonly<Record<string, string>> = { '@powersync/node': 'Node', '@powersync/web': 'the web' };
  const titled = packages.flatMap(([name]) =>
    name in titles ? [[`SDK for ${titles[name]}`, []] as const] : [],
  );
  return [...packages, ...titled];
}
