/**
 * Compares the bundles with docs/ARCHITECTURE.md: their contents, the modules outside, and the modules that are loaded at once.
 */
import type { Metafile } from 'esbuild';
import { beforeAll, describe, expect, test } from 'vitest';
import { makeBundle } from '../scripts/bundles/bundle.ts';
import { bundles } from '../scripts/bundles/bundles.ts';

/** Packages whose code is in a bundle. */
const protocol = ['vscode-jsonrpc', 'vscode-languageserver-protocol', 'vscode-languageserver-types'];
const client = [
  ...['balanced-match', 'brace-expansion', 'minimatch', 'vscode-languageclient'],
  ...[...protocol, 'vscode-languageserver-textdocument'],
];
const server = [...protocol, 'vscode-languageserver', 'vscode-languageserver-textdocument', 'yaml'];
const postgres = [
  ...[
    'pg',
    'pg-cloudflare',
    'pg-connection-string',
    'pg-int8',
    'pg-pool',
    'pg-protocol',
    'pg-types',
    'pgpass',
  ],
  ...['postgres-array', 'postgres-bytea', 'postgres-date', 'postgres-interval', 'split2', 'xtend'],
];
const packages: Readonly<Record<string, readonly string[]>> = {
  'extension.js': [],
  'languageClient.js': [...client, 'semver'],
  'onDemand.js': ['undici', 'yaml'],
  'seldom.js': ['fast-string-truncated-width'],
  'tests.js': [],
  'web/extension.js': client,
  'server.js': server,
  'web/server.js': server,
  'cli.js': ['fast-string-truncated-width', 'yaml'],
  'cliAgents.js': [],
  'cliOnDemand.js': [...postgres, 'undici'],
  'askDeploy.js': [],
  'consolePanel.js': [],
  'console/console.js': ['@preact/signals', '@preact/signals-core', 'preact', 'uplot'],
  'console/layout.js': [],
  'keeper.js': [],
  'rehearsal.js': [],
  'service.js': [...postgres, 'bson', 'jose', 'ws', 'yaml'],
};

const packageName = /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//;

describe.each(bundles)('dist/$out', (what) => {
  let metafile: Metafile;

  beforeAll(async () => {
    metafile = (await makeBundle(what)).metafile;
  });

  test('contains the packages that it needs, and no other', () => {
    const inputs = Object.values(metafile.outputs).flatMap((output) => Object.entries(output.inputs));
    const used = inputs.filter(([, { bytesInOutput }]) => bytesInOutput > 0).map(([path]) => path);
    const found = new Set(used.flatMap((path) => packageName.exec(path)?.[1] ?? []));
    expect([...found].sort()).toEqual([...(packages[what.out] ?? [])].sort());
  });

  test('contains of the server only what its side may know', () => {
    const inputs = Object.keys(metafile.inputs);
    const isExtension = /^client\/vscode\//.test(what.entry);
    const isKeeper = what.out === 'keeper.js';
    const program = isKeeper
      ? /^server\/(?!shared\/(places|uri|files|gitignore|turns)\.ts$)|^client\/(?!local\/|project\/childProcess\.ts$)/
      : /^client\/(vscode|local|preview)\//;
    const strange = isExtension
      ? /^server\/(?!protocol\.ts$|shared\/(places|uri|envText|files|gitignore|turns|userName)\.ts$)/
      : program;
    expect(inputs.filter((path) => strange.test(path))).toEqual([]);
  });

  test('leaves outside only what its host has', () => {
    const outputs = Object.values(metafile.outputs);
    const external = outputs.flatMap(({ imports }) => imports).map(({ path }) => path);
    const hosts = {
      extension: /^(vscode|node:.+|[a-z_/]+)$/,
      'web extension': /^vscode$/,
      worker: /^$/,
      page: /^$/,
    };
    const available = hosts[what.host as keyof typeof hosts] ?? /^(node:.+|[a-z_/]+)$/;
    const beside = Object.values(what.beside ?? {});
    expect(external.filter((path) => !available.test(path) && !beside.includes(path))).toEqual([]);
  });
});

const builtIn = ['child_process', 'crypto', 'events', 'fs', 'net', 'path', 'util'].map(
  (name) => `node:${name}`,
);

describe('activation', () => {
  test('loads parts of Node, and all that is large only on demand', async () => {
    const extension = bundles.find(({ out }) => out === 'extension.js');
    if (extension === undefined) throw new Error('There is no bundle of the extension.');
    const { outputs } = (await makeBundle(extension)).metafile;
    const imports = Object.values(outputs).flatMap((output) => output.imports);
    const loaded = (kind: (typeof imports)[number]['kind']) =>
      [...new Set(imports.filter((each) => each.kind === kind).map(({ path }) => path))].sort();
    expect(loaded('require-call')).toEqual([...builtIn, 'vscode']);
    expect(loaded('dynamic-import')).toEqual([
      './askDeploy.js',
      './consolePanel.js',
      './languageClient.js',
      './onDemand.js',
      './seldom.js',
      './tests.js',
    ]);
  });
});
