/** The table of bundles: their entries, their outputs and their size limits. */
import type { BuildOptions } from 'esbuild';
import { emptyClusterPath } from '../../server/service/replication/embedded/database/clusterFile.ts';
import {
  databasePackage,
  extensionArchives,
} from '../../server/service/replication/embedded/database/extensionArchives.ts';

export interface Bundle {
  /** The path in `dist/`. */
  readonly out: string;
  readonly entry: string;
  /** The program that runs the bundle. It determines the module format and the modules that need not be bundled. */
  readonly host: 'extension' | 'web extension' | 'node' | 'command' | 'worker' | 'page';
  readonly ceiling: Ceiling;
  /** The packages to leave out of the bundle, and the files that are loaded instead. */
  readonly beside?: Readonly<Record<string, string>>;
}

/**
 * The size that a bundle must not exceed. A ceiling leaves room for the work until the next release: set it to about 1.15 times the
 * size at the last one. Before you raise a ceiling within a release, look for code that could be loaded later.
 */
export interface Ceiling {
  /** The minified size. For a page, the compressed size including its styles. */
  readonly kib: number;
  /** The users who pay for a larger bundle, and when. Node compiles 100 KiB in about 3 ms, and evaluates them in the same time. */
  readonly reason: string;
}

const firstFile = 'The first sync config that is opened waits for it.';
const firstCall = 'The first call to a service waits for it.';

const rehearsalBeside = { '(?:\\.\\.?/|\\w+/)*rehearsal/index\\.ts': './rehearsal.js' };

/** The file that the page needs in addition to its bundle. */
export const consolePage = { from: 'client/console/index.html', to: 'console/index.html' };

/**
 * The embedded database as it is published. Its code finds its WebAssembly and its files in its own folder. It starts with a copy
 * of the empty cluster, so it does not need `initdb`.
 */
export const database = {
  to: 'pglite',
  packages: [...new Set([databasePackage, ...extensionArchives.map((archive) => archive.package)])],
  /** Paths relative to the root of the repository. */
  files: [
    ...['index.cjs', 'pglite.wasm', 'pglite.data'].map((file) => publishedIn(databasePackage, file)),
    emptyClusterPath,
    ...extensionArchives.map((archive) => publishedIn(archive.package, `${archive.name}.tar.gz`)),
  ],
};

function publishedIn(name: string, file: string): string {
  return `node_modules/${name}/dist/${file}`;
}

export const bundles: readonly Bundle[] = [
  {
    out: 'extension.js',
    entry: 'client/vscode/node.ts',
    host: 'extension',
    ceiling: { kib: 110, reason: 'Every window of VS Code loads it when it opens.' },
    beside: {
      '\\./languageClient\\.ts': './languageClient.js',
      '\\.{1,2}/onDemand\\.ts': './onDemand.js',
      '\\.{1,2}/seldom\\.ts': './seldom.js',
      '\\./commands/askDeploy\\.ts': './askDeploy.js',
      '\\./tests\\.ts': './tests.js',
      '\\./panel\\.ts': './consolePanel.js',
    },
  },
  {
    out: 'seldom.js',
    entry: 'client/vscode/seldom.ts',
    host: 'extension',
    ceiling: { kib: 80, reason: 'A user waits for it at the first command.' },
    beside: { '\\.{1,2}/onDemand\\.ts': './onDemand.js' },
  },
  {
    out: 'askDeploy.js',
    entry: 'client/vscode/commands/askDeploy.ts',
    host: 'extension',
    ceiling: { kib: 18, reason: 'A user waits for it before a deploy.' },
  },
  {
    out: 'consolePanel.js',
    entry: 'client/vscode/console/panel.ts',
    host: 'extension',
    ceiling: { kib: 20, reason: 'A user waits for it when the console opens in a tab.' },
  },
  {
    out: 'tests.js',
    entry: 'client/vscode/tests/tests.ts',
    host: 'extension',
    ceiling: { kib: 12, reason: 'The first file of access tests waits for it.' },
  },
  {
    out: 'languageClient.js',
    entry: 'client/vscode/languageClient.ts',
    host: 'extension',
    ceiling: { kib: 500, reason: firstFile },
  },
  {
    out: 'onDemand.js',
    entry: 'client/vscode/onDemand.ts',
    host: 'node',
    ceiling: { kib: 790, reason: firstCall },
  },
  {
    out: 'server.js',
    entry: 'server/lsp/node.ts',
    host: 'node',
    ceiling: { kib: 1330, reason: firstFile },
    beside: rehearsalBeside,
  },
  {
    out: 'web/extension.js',
    entry: 'client/vscode/browser.ts',
    host: 'web extension',
    ceiling: { kib: 475, reason: 'Every window of VS Code for the Web downloads it.' },
  },
  {
    out: 'web/server.js',
    entry: 'server/lsp/browser.ts',
    host: 'worker',
    ceiling: { kib: 1290, reason: 'A browser downloads it before the first sync config is checked.' },
  },
  {
    out: 'cli.js',
    entry: 'client/cli/main.ts',
    host: 'command',
    ceiling: {
      kib: 1120,
      reason: 'Every run of the command line loads it, also in shell completion and git hooks.',
    },
    beside: {
      '\\.{1,2}/onDemand\\.ts': './cliOnDemand.js',
      '(?:\\.\\./)+agents/session\\.ts': './cliAgents.js',
      ...rehearsalBeside,
    },
  },
  // This bundle contains the descriptions and calls of tools for a model, without the engine.
  {
    out: 'cliAgents.js',
    entry: 'client/agents/session.ts',
    host: 'node',
    ceiling: { kib: 36, reason: 'A coding agent waits for it when it starts `headwater mcp`.' },
  },
  {
    out: 'cliOnDemand.js',
    entry: 'client/cli/onDemand.ts',
    host: 'node',
    ceiling: { kib: 755, reason: firstCall },
    // An optional module that `pg` does not load by default.
    beside: { 'pg-native': 'pg-native' },
  },
  {
    out: 'service.js',
    entry: 'server/service/main.ts',
    host: 'command',
    ceiling: {
      kib: 1500,
      reason: 'A service reads and compiles it at every start, and each of its workers again.',
    },
    // The first package is not loaded by `pg` by default. The second one makes `ws` validate text faster, but our messages are all
    // binary.
    beside: { 'pg-native': 'pg-native', 'utf-8-validate': 'utf-8-validate' },
  },
  {
    out: 'console/console.js',
    entry: 'client/console/main.tsx',
    host: 'page',
    ceiling: { kib: 150, reason: 'A browser downloads it before it shows anything.' },
    beside: { '\\./layoutWorker\\.ts': './layout.js' },
  },
  // This bundle computes the layout of the map in a worker, in parallel with the page.
  {
    out: 'console/layout.js',
    entry: 'client/console/map/layoutWorker.ts',
    host: 'page',
    ceiling: { kib: 3, reason: 'A browser downloads it before it shows the map.' },
  },
  // This bundle runs the SQL files of a project in a temporary database: for access tests, for the tables of a project, and for
  // headwater dev --plan.
  {
    out: 'rehearsal.js',
    entry: 'server/service/replication/rehearsal/index.ts',
    host: 'node',
    ceiling: { kib: 85, reason: 'The first access test with an SQL file waits for it.' },
  },
  {
    out: 'keeper.js',
    entry: 'client/local/keeper.ts',
    host: 'node',
    ceiling: {
      kib: 5,
      reason: 'It stays in memory as long as the local service runs, in a process of its own.',
    },
  },
  {
    out: 'database.js',
    entry: 'server/service/replication/embedded/database/main.ts',
    host: 'node',
    ceiling: { kib: 80, reason: 'The embedded database waits for it when it starts.' },
    beside: { '@electric-sql/pglite': './pglite/index.cjs' },
  },
];

/** The oldest supported Node (package.json, `engines`): Node 22 for commands, and VS Code's own for all other bundles. */
const node: BuildOptions = {
  platform: 'node',
  format: 'cjs',
  target: 'node20',
  define: { 'import.meta.dirname': '__dirname' },
};
const browser: BuildOptions = {
  platform: 'browser',
  target: 'es2022',
  mainFields: ['browser', 'module', 'main'],
};

export const optionsOf: Readonly<Record<Bundle['host'], BuildOptions>> = {
  extension: { ...node, external: ['vscode'] },
  'web extension': { ...browser, format: 'cjs', external: ['vscode'] },
  node,
  command: { ...node, target: 'node22', banner: { js: '#!/usr/bin/env node' } },
  worker: { ...browser, format: 'iife' },
  page: { ...browser, format: 'esm', jsx: 'automatic', jsxImportSource: 'preact' },
};
