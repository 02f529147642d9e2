/**
 * Builds the extension `redhat.vscode-yaml` for a workbench: its language server from npm with a minimal client, which has the
 * extension's name and the relevant settings. The extension itself is not on npm.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createVSIX } from '@vscode/vsce';
import { build } from 'esbuild';
import { root } from '../../root.ts';
import { ensureCached } from '../cache.ts';
import { installPackage } from '../install.ts';

const version = '2.0.0';
/** The number of this version of the extension. */
const revision = 1;

/**
 * Returns the path of the VSIX.
 *
 * @param age whether the extension has the setting that keeps it from looking up schemas; versions before 1.24 have none
 */
export async function yamlExtension(age: 'current' | 'old' = 'current'): Promise<string> {
  const name = `vscode-yaml-${version}-r${revision}`;
  const directory = await ensureCached(name, (into) => fill(into));
  const server = join(directory, 'node_modules/yaml-language-server/bin/yaml-language-server');
  const vsix = join(directory, `vscode-yaml-${age}.vsix`);
  writeFileSync(join(directory, 'package.json'), JSON.stringify(manifestOf(age)));
  await build({
    stdin: { contents: main(server), resolveDir: root },
    outfile: join(directory, 'main.js'),
    bundle: true,
    platform: 'node',
    format: 'cjs',
    external: ['vscode'],
    logLevel: 'warning',
  });
  await createVSIX({ cwd: directory, packagePath: vsix, dependencies: false, ...lax });
  return vsix;
}

function fill(directory: string): Promise<void> {
  writeFileSync(join(directory, 'package.json'), '{"private":true}\n');
  return installPackage(`yaml-language-server@${version}`, directory);
}

const lax = { allowMissingRepository: true, skipLicense: true, allowStarActivation: true };

const manifestOf = (age: 'current' | 'old'): object => ({
  publisher: 'redhat',
  name: 'vscode-yaml',
  version: '1.0.0',
  engines: { vscode: '^1.91.0' },
  main: './main.js',
  files: ['main.js'],
  activationEvents: ['onLanguage:yaml'],
  contributes: {
    configurationDefaults: {
      '[yaml]': {
        'editor.insertSpaces': true,
        'editor.tabSize': 2,
        'editor.quickSuggestions': { other: true, comments: false, strings: true },
        'editor.autoIndent': 'keep',
      },
    },
    configuration: {
      properties: {
        'yaml.validate': { type: 'boolean', default: true },
        'yaml.completion': { type: 'boolean', default: true },
        'yaml.hover': { type: 'boolean', default: true },
        'yaml.schemas': { type: 'object', default: {} },
        'yaml.schemaStore.enable': { type: 'boolean', default: false },
        'yaml.customTags': { type: 'array', default: [] },
        ...(age === 'current' && {
          'yaml.disableSchemaDetection': { type: ['array', 'string'], default: [] },
        }),
      },
    },
  },
});

function main(server: string): string {
  return `
    const { LanguageClient } = require('vscode-languageclient/node');
    const run = { command: process.execPath, args: [${JSON.stringify(server)}, '--stdio'] };
    const client = new LanguageClient('yaml', 'YAML', run, {
      documentSelector: [{ language: 'yaml' }],
      synchronize: { configurationSection: ['yaml'] },
    });
    exports.activate = () => client.start();
    exports.deactivate = () => client.stop();`;
}
