/** The bundles: their entries, their outputs, and their size limits. */
import type { BuildOptions } from 'esbuild';
import {
  databasePackage,
  extensionArchives,
} from '../../server/service/replication/embedded/database/extensionArchives.ts';

export interface Bundle {
  /** Path in `dist/`. */
  readonly out: string;
  readonly entry: string;
  /** Who runs it: decides module format and what may stay outside. */
  readonly host: 'extension' | 'web extension' | 'node' | 'command' | 'worker' | 'page';
  /** KiB, minified, and of a page compressed, with its styles: about 1.3 times what it was when last set. Raise it in the commit that needs more, and say why. */
  readonly budget: number;
  /** Packages that stay out of it, and the files that are loaded instead. */
  readonly beside?: Readonly<Record<string, string>>;
}

/** What a page needs besides its bundle. */
export const consolePage = { from: 'client/console/index.html', to: 'console/index.html' };

/** The embedded database as it is published: its code finds its WebAssembly and its files beside itself. */
export const database = {
  to: 'pglite',
  packages: [...new Set([databasePackage, ...extensionArchives.map((archive) => archive.package)])],
  /** From the root. */
  files: [
    ...['index.cjs', 'pglite.wasm', 'pglite.data', 'initdb.wasm'].map((file) =>
      publishedIn(databasePackage, file),
    ),
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
    // Its last KiB is for ports that are only proposed, and for problems that stay in sight.
    budget: 86,
    beside: {
      '\\./languageClient\\.ts': './languageClient.js',
      '\\.{1,2}/onDemand\\.ts': './onDemand.js',
      '\\.{1,2}/seldom\\.ts': './seldom.js',
      '\\./tests\\.ts': './tests.js',
      '\\./panel\\.ts': './consolePanel.js',
    },
  },
  {
    out: 'seldom.js',
    entry: 'client/vscode/seldom.ts',
    host: 'extension',
    budget: 53,
    beside: { '\\.{1,2}/onDemand\\.ts': './onDemand.js' },
  },
  {
    out: 'consolePanel.js',
    entry: 'client/vscode/console/panel.ts',
    host: 'extension',
    budget: 20,
  },
  { out: 'tests.js', entry: 'client/vscode/tests/tests.ts', host: 'extension', budget: 12 },
  { out: 'languageClient.js', entry: 'client/vscode/languageClient.ts', host: 'extension', budget: 560 },
  { out: 'onDemand.js', entry: 'client/vscode/onDemand.ts', host: 'node', budget: 850 },
  {
    out: 'server.js',
    entry: 'server/lsp/node.ts',
    host: 'node',
    budget: 1170,
    beside: { '(?:\\.\\.?/|\\w+/)*seedRows\\.ts': './seedRows.js' },
  },
  { out: 'web/extension.js', entry: 'client/vscode/browser.ts', host: 'web extension', budget: 515 },
  { out: 'web/server.js', entry: 'server/lsp/browser.ts', host: 'worker', budget: 1130 },
  {
    out: 'cli.js',
    entry: 'client/cli/main.ts',
    host: 'command',
    // With validate --fix, the tools for agents, fixes for what other databases write otherwise, warnings near a limit, tables that SQL files need, and who gets each stream.
    budget: 926,
    beside: {
      '\\.{1,2}/onDemand\\.ts': './cliOnDemand.js',
      '(?:\\.\\./)+agents/session\\.ts': './cliAgents.js',
      '(?:\\.\\.?/|\\w+/)*seedRows\\.ts': './seedRows.js',
    },
  },
  // What a model learns about the tools, and how it calls them; without the engine.
  { out: 'cliAgents.js', entry: 'client/agents/session.ts', host: 'node', budget: 36 },
  {
    out: 'cliOnDemand.js',
    entry: 'client/cli/onDemand.ts',
    host: 'node',
    budget: 850,
    // An optional module that `pg` does not load by default.
    beside: { 'pg-native': 'pg-native' },
  },
  {
    out: 'service.js',
    entry: 'server/service/main.ts',
    host: 'command',
    // The last ones are for the console (sessions, its files, the history and the events), the forecast of limits, workers, packed rows, changes that survive the end of their connection, slots that show that a storage was put back, ports that are only proposed, looks at full disks, places in the file that a config was made from, and warnings while a database is made again.
    budget: 1322,
    // `pg` does not load the first by default. The second makes `ws` check text faster, but all of ours is
    // binary.
    beside: { 'pg-native': 'pg-native', 'utf-8-validate': 'utf-8-validate' },
  },
  // What a browser loads before it shows anything: 150 KiB at most, whatever is added.
  {
    out: 'console/console.js',
    entry: 'client/console/main.tsx',
    host: 'page',
    budget: 150,
    beside: { '\\./layoutWorker\\.ts': './layout.js' },
  },
  // Where the nodes of the map stand: it is computed beside the page.
  { out: 'console/layout.js', entry: 'client/console/map/layoutWorker.ts', host: 'page', budget: 3 },
  // The SQL files of access tests, for the language server and for headwater test.
  {
    out: 'seedRows.js',
    entry: 'server/service/replication/embedded/seeds/seedRows.ts',
    host: 'node',
    budget: 65,
  },
  { out: 'keeper.js', entry: 'client/local/keeper.ts', host: 'node', budget: 5 },
  {
    out: 'database.js',
    entry: 'server/service/replication/embedded/database/main.ts',
    host: 'node',
    // It runs the scripts of projects, in the world of Supabase.
    budget: 52,
    beside: { '@electric-sql/pglite': './pglite/index.cjs' },
  },
];

/** The oldest that we promise (package.json, `engines`): Node 22 for commands; VS Code's own for the rest. */
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
