/**
 * Checks that no page, template, message or workflow runs or installs a program by a name that a stranger could register.
 * Every package that is fetched by its name must be in the list of names that have an owner, and Headwater is not one of
 * them yet.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { packageName } from '../../client/cli/init/packageName.ts';
import { root } from '../support/house/imports.ts';

/** Names with an owner, and where they come from. */
const owned: readonly string[] = [
  // npm
  ...[
    '@powersync/node',
    '@powersync/web',
    '@powersync/common',
    'powersync',
    'vite',
    'pg',
    'jose',
    'node',
    'drizzle-kit',
    '@vscode/vsce',
    'ovsx',
  ],
  // Actions of GitHub itself, and official images of Docker.
  ...['actions/checkout', 'actions/setup-node', 'actions/cache', 'actions/upload-artifact'],
  ...['github/codeql-action/upload-sarif', 'docker:node', 'docker:postgres'],
];

/** Returns the names that a text fetches. */
function fetchedBy(text: string): readonly string[] {
  return fetchers.flatMap(({ pattern, prefix = '' }) =>
    [...text.matchAll(pattern)].flatMap(([, args = '']) =>
      namesIn(args)
        .slice(0, prefix === 'all' ? undefined : 1)
        .map((name) =>
          prefix === 'docker:' ? `docker:${name.replace(/[:@].*$/, '')}` : withoutVersion(name),
        ),
    ),
  );
}

interface Fetcher {
  /** Captures the arguments. */
  readonly pattern: RegExp;
  /** `all` means that every argument is a package, not only the first. */
  readonly prefix?: 'docker:' | 'all';
}

/** Arguments up to the end of the line, the code or the quotes around it, or up to the next command. */
const args = String.raw`((?:[ \t]+[^\s\`'";|&()<>]+)+)`;

const fetchers: readonly Fetcher[] = [
  { pattern: new RegExp(String.raw`\b(?:npx|bunx)\b${args}`, 'g') },
  {
    pattern: new RegExp(
      String.raw`\b(?:npm (?:exec|x|create|init)|(?:pnpm|yarn|bun) (?:dlx|exec|x|create))\b${args}`,
      'g',
    ),
  },
  {
    pattern: new RegExp(
      String.raw`\b(?:npm (?:install|i|add|update)|pnpm (?:add|install|i)|yarn (?:global )?add|bun (?:add|install|i)|deno (?:install|run|add))\b${args}`,
      'g',
    ),
    prefix: 'all',
  },
  {
    pattern: new RegExp(
      String.raw`\b(?:pipx? (?:install|run)|uvx|brew install|gem install|cargo install|go install)\b${args}`,
      'g',
    ),
  },
  { pattern: /--install-extension[ \t=]+([^\s`'"]+)/g },
  { pattern: /\buses:[ \t]*([\w.-]+\/[^\s`'"]+@[^\s`'"]+)/g },
  { pattern: new RegExp(String.raw`\bdocker (?:pull|run|create)\b${args}`, 'g'), prefix: 'docker:' },
  { pattern: /^[ \t]*image:[ \t]*(\S+)/gm, prefix: 'docker:' },
  { pattern: /^FROM[ \t]+([a-z][\w./-]*:\S+)/gm, prefix: 'docker:' },
  // The form in settings of editors and agents: "command": "npx", "args": ["-y", "name"].
  {
    pattern:
      /["']?command["']?\s*[:=]\s*\[?\s*["'](?:npx|bunx|pnpm|yarn|npm|uvx)["'](?:\s*,\s*["']?args["']?\s*[:=]\s*\[|\s*,)([^\]]*)\]/g,
  },
];

/** Returns the names in the arguments, without options, paths on the disk and other words that are never fetched. */
function namesIn(text: string): readonly string[] {
  if (/--no(?:-install)?\b/.test(text)) return [];
  const words = text.split(/[\s,"']+/).filter((word) => word !== '');
  return words.filter(
    (word) => !/^-|^\.{0,2}\/|^file:|\.(?:tgz|vsix)$|^\$\{?\{?|^\\$|^(?:dlx|exec|x|run)$/.test(word),
  );
}

function withoutVersion(name: string): string {
  return name.replace(/^(.[^@]*)@.*$/, '$1');
}

function paths(): readonly string[] {
  const listed = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' }).split('\0');
  return listed.filter((path) => shown.test(path) && !hidden.test(path));
}

/** Files that users read, get or run, and the workflows, which run with the rights of the project. */
const shown =
  /^(?:[\w.]+\.md$|docs\/|examples\/|walkthrough\/|\.ci\/|client\/|server\/|schemas\/|scripts\/|l10n\/|\.github\/|Dockerfile$|package(?:\.nls.*)?\.json$)/;
const hidden = /\.(?:png|svg|gif|woff2?|wasm|gz|db|ico)$/;

const files = paths().map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));

test('Nothing is fetched by a name that has no owner', () => {
  const found = files.flatMap(({ path, text }) =>
    fetchedBy(text)
      .filter((name) => !owned.includes(name))
      .map((name) => `${path}: ${name}`),
  );
  expect(found).toEqual([]);
});

test('All kinds of files are checked', () => {
  for (const path of ['README.md', 'docs/CI.md', 'client/cli/init/agents.ts', 'Dockerfile', 'package.json'])
    expect(files.map((file) => file.path)).toContain(path);
  expect(files.flatMap(({ text }) => fetchedBy(text)).length).toBeGreaterThan(10);
});

describe('A name without an owner is found in:', () => {
  test.each([
    ['npx headwater validate --strict', 'headwater'],
    ['- run: npx headwater validate', 'headwater'],
    ['`npx -y headwater`', 'headwater'],
    ['npx --yes headwater@latest dev', 'headwater'],
    ['npx @headwater/cli dev', packageName],
    ['npm i headwater', 'headwater'],
    ['npm install -g headwater', 'headwater'],
    ['npm install --save-dev vitest headwater', 'headwater'],
    ['npm exec -- headwater', 'headwater'],
    ['npm x headwater', 'headwater'],
    ['npm create headwater@latest', 'headwater'],
    ['pnpm dlx headwater', 'headwater'],
    ['pnpm add -D headwater', 'headwater'],
    ['yarn dlx headwater', 'headwater'],
    ['yarn global add headwater', 'headwater'],
    ['bunx headwater', 'headwater'],
    ['bun x headwater', 'headwater'],
    ['pipx run headwater', 'headwater'],
    ['uvx headwater', 'headwater'],
    ['brew install headwater', 'headwater'],
    ['code --install-extension headwater.headwater', 'headwater.headwater'],
    ['  - uses: headwater/validate@v1', 'headwater/validate'],
    ['docker run --rm headwater/headwater', 'docker:headwater/headwater'],
    ['docker pull ghcr.io/headwater/service:1', 'docker:ghcr.io/headwater/service'],
    ['    image: headwater', 'docker:headwater'],
    ['FROM headwater/base:1 AS build', 'docker:headwater/base'],
    ['{ "command": "npx", "args": ["headwater", "mcp"] }', 'headwater'],
    ['{ "command": "npx", "args": ["-y", "headwater", "mcp"] }', 'headwater'],
    ['{ command = "npx", args = ["headwater", "mcp"] }', 'headwater'],
    ["cmd = { command: ['npx', 'headwater', 'lsp'] }", 'headwater'],
    ['{ "command": "pnpm", "args": ["dlx", "headwater"] }', 'headwater'],
  ])('%s', (text, name) => {
    expect(fetchedBy(text)).toContain(name);
    expect(owned).not.toContain(name);
  });
});

test.each([
  'npm install --save-dev ./headwater-cli-*.tgz',
  'code --install-extension headwater-*.vsix',
  'node_modules/.bin/headwater validate',
  'npx --no-install vitest run',
  'npm install && npm test',
  'npm ci',
  'headwater dev',
  '{ "command": "node", "args": ["node_modules/@headwater/cli/dist/cli.js", "mcp"] }',
])('Fetches nothing by a name: %s', (text) => {
  expect(fetchedBy(text)).toEqual([]);
});
