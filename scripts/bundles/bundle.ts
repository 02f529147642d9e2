import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BuildOptions, type BuildResult, build, type Plugin } from 'esbuild';
import { root } from '../root.ts';
import { type Bundle, optionsOf } from './bundles.ts';

type BundleResult = BuildResult<{ metafile: true }>;

/** Writes a minified bundle, so that tests run the shipped code. The source map is in the same folder and is never packaged. */
export function writeBundle(bundle: Bundle): Promise<BundleResult> {
  return build(buildOptions(bundle));
}

/** Creates the same bundle in memory. */
export function makeBundle(bundle: Bundle): Promise<BuildResult<{ metafile: true; write: false }>> {
  return build({ ...buildOptions(bundle), write: false });
}

function buildOptions({ entry, out, host, beside = {} }: Bundle) {
  return {
    ...optionsOf[host],
    absWorkingDir: root,
    entryPoints: [entry],
    outfile: join('dist', out),
    bundle: true,
    minify: true,
    sourcemap: true,
    metafile: true,
    logLevel: 'silent',
    plugins: [shortManifest, keptBeside(beside)],
  } satisfies BuildOptions;
}

/** Replaces package.json with its version, because programs need nothing else of it. */
const shortManifest: Plugin = {
  name: 'short-manifest',
  setup({ onLoad }) {
    onLoad({ filter: /package\.json$/ }, ({ path }) => {
      if (path !== join(root, 'package.json')) return undefined;
      const { version } = JSON.parse(readFileSync(path, 'utf8')) as { version: string };
      return { contents: JSON.stringify({ version }), loader: 'json' };
    });
  },
};

function keptBeside(beside: NonNullable<Bundle['beside']>): Plugin {
  return {
    name: 'kept-beside',
    setup({ onResolve }) {
      for (const [name, path] of Object.entries(beside)) {
        onResolve({ filter: new RegExp(`^${name}$`) }, () => ({ path, external: true }));
      }
    },
  };
}
