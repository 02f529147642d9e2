/** The service with a mistake put into it on purpose: what the check is worth shows when it finds each of them. */
import { readFileSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { optionsOf } from '../../scripts/bundles.ts';
import { root } from '../../scripts/root.ts';

export interface Mistake {
  readonly name: string;
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

export const mistakes: readonly Mistake[] = [
  {
    name: 'a row stays in the buckets that it has left',
    file: 'server/service/replication/rowChange.ts',
    from: 'ops.push(...removals(left, subkey));',
    to: '',
  },
  {
    name: 'a checkpoint is published in the middle of a transaction',
    file: 'server/service/replication/stream.ts',
    from: 'if (index !== end || mayWait(state, replication)) continue;',
    to: "if (event.kind === 'begin') continue; state.needsCheckpoint = true;",
  },
  {
    name: 'values that an update leaves out are lost',
    file: 'server/service/replication/flush.ts',
    from: 'if (unchanged === undefined || unchanged.length === 0) return { row: values, unknown: false };',
    to: 'return { row: values, unknown: false };',
  },
];

/** The path of the program. */
export async function buildWith(mistake: Mistake, folder: string): Promise<string> {
  const outfile = join(folder, 'service.js');
  await build({
    ...optionsOf.command,
    absWorkingDir: root,
    entryPoints: ['server/service/main.ts'],
    outfile,
    bundle: true,
    logLevel: 'silent',
    plugins: [putIn(mistake)],
  });
  await copyFile(join(root, 'dist/database.js'), join(dirname(outfile), 'database.js'));
  return outfile;
}

function putIn({ file, from, to }: Mistake): Plugin {
  return {
    name: 'mistake',
    setup({ onLoad }) {
      onLoad({ filter: /\.ts$/ }, ({ path }) => {
        if (path !== join(root, file)) return undefined;
        const text = readFileSync(path, 'utf8');
        if (text.split(from).length !== 2) throw new Error(`${file} does not have this once: ${from}`);
        return { contents: text.replace(from, to), loader: 'ts' };
      });
    },
  };
}
