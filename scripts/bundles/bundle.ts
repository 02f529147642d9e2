import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BuildResult, build, type Plugin } from 'esbuild';
import { root } from '../root.ts';
import { type Bundle, optionsOf } from './bundles.ts';

type BundleResult = BuildResult<{ metafile: true; write: boolean }>;

/** Minified, so that what is tested is what is shipped; the source map lies beside it and is never packaged. */
export function bundle({ entry, out, host, beside = {} }: Bundle, write: boolean): Promise<BundleResult> {
  return build({
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
    write,
  });
}

/** A program wants to know its version, not the whole of package.json. */
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
