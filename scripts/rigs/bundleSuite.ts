/** Bundles the suite of `test/integration` for an extension host into a single file that requires only `vscode`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { root } from '../root.ts';
import { artifacts } from './rig.ts';

/** The bundled suite. The same file runs in Node's extension host and in that of the web worker. */
export const suite = join(artifacts, 'suite/suite.js');

export async function bundleSuite(): Promise<void> {
  await build({
    absWorkingDir: root,
    entryPoints: ['test/integration/suite.ts'],
    outfile: suite,
    bundle: true,
    platform: 'browser',
    format: 'cjs',
    target: 'es2022',
    mainFields: ['browser', 'module', 'main'],
    external: ['vscode'],
    sourcemap: 'inline',
    plugins: [mochaAsScript],
    logLevel: 'warning',
  });
}

/**
 * Mocha's browser build looks for `module`, `exports` and `define`. In a bundle, it would find those of the bundle and replace
 * them. It also reads the query of the page, but there is no page.
 */
const mochaAsScript: Plugin = {
  name: 'mocha-as-script',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]mocha[\\/]mocha\.js$/ }, ({ path }) => ({
      contents: `globalThis.location ??= { search: '' };\n(function (module, exports, define) {\n${readFileSync(path, 'utf8')}\n}).call(globalThis);`,
    }));
  },
};
