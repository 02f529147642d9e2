import { analyze, applyEdits } from '../../../server/engine/index.ts';
import { formatConfig as editsOf } from '../../../server/features/formatting/formatting.ts';
import { command } from '../command.ts';
import { readMarked, writeText } from '../read.ts';
import { filesToCheck } from '../validate/named.ts';

export const format = command({
  name: 'format',
  summary: 'Format the SQL in configs',
  about: `Formats the SQL of sync configs, including those inside a service config, and writes the files that change. The YAML
around it stays the same. Without arguments, it formats all config files in this folder and its subfolders.

Exit code 0: done; 1: with --check, a file would change.`,
  words: {
    names: '[FILE|FOLDER…]',
    least: 0,
    most: Number.POSITIVE_INFINITY,
  },
  options: { check: { summary: 'Write nothing; only list the files that would change' } },
  examples: ['format', 'format --check sync.yaml'],
  run: async ({ words, has, world }) => {
    const changed: string[] = [];
    const named = await filesToCheck(words, world);
    for (const { path } of named) {
      world.signal.throwIfAborted();
      const { mark, text } = await readMarked(path, world.files);
      const formatted = applyEdits(text, editsOf(analyze(text, { fileName: path })));
      if (formatted === text) continue;
      changed.push(path);
      if (!has('check')) await writeText(path, mark + formatted, world.files);
    }
    const verb = has('check') ? 'needs to be formatted' : 'was formatted';
    return {
      code: has('check') && changed.length > 0 ? 1 : 0,
      json: { changed },
      lines:
        changed.length === 0
          ? [
              named.length === 1 && named[0]
                ? `${world.files.shown(named[0].path)} is already formatted`
                : `All ${named.length} files are already formatted`,
            ]
          : changed.map((path) => `${world.files.shown(path)} ${verb}`),
    };
  },
});
