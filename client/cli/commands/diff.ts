import { type Call, command } from '../command.ts';
import { accessAnswer } from '../diff/access.ts';
import { changes } from '../diff/lines.ts';
import { rowsAnswer } from '../diff/rows.ts';
import { CliFailure } from '../failure.ts';
import { aboutToken, instanceOptions, withService } from '../instance.ts';
import { nameSyncConfig, readSyncText } from '../project/syncConfig.ts';
import { schemaLookup } from '../schema.ts';
import { loadTests } from '../test/load.ts';
import { analyzeValid } from '../validate/valid.ts';

export const diff = command({
  name: 'diff',
  summary: 'Compare a sync config with the active one of a service',
  about: `Shows what deploying the file would change: lines that only the active config has with -, lines that only the file has
with +.

With --access, it says who gains and who loses rows: it searches small databases for a row that reaches a device with one
config and not with the other. Everything that clients may subscribe to counts, whether or not they do. With --rows, both
configs run over the rows and users of an access test file. Both options accept --before, and then need no service.

Exit code 0: they are the same, or nobody gains or loses a row; 1: they differ, or no config is active; 2: the service did
not answer.

${aboutToken}`,
  words: { names: '[FILE]', least: 0, most: 1 },
  options: {
    ...instanceOptions,
    before: { value: 'FILE', summary: 'Compare with this sync config instead of the active one' },
    access: { summary: 'Show who gains and who loses rows' },
    rows: {
      value: 'FILE',
      summary: 'Show who gains and who loses rows, over the rows in this access test file',
    },
    search: {
      value: 'SECONDS',
      between: [0, 3600],
      summary: 'How long to search each stream that differs (default: 2)',
    },
  },
  examples: ['diff sync.yaml', 'diff --access', 'diff --access --before deployed.yaml sync.yaml'],
  run: async (call) => {
    const { world, paint } = call;
    const path = await nameSyncConfig(call);
    const text = await readSyncText(path, world.files);
    const before = await readBefore(call);
    const rows = call.text('rows');
    if (call.has('access') || rows !== undefined) {
      const lookup = await schemaLookup({ ...call, text: () => undefined, texts: () => [] });
      const known = await lookup(path, text);
      const after = analyzeValid(path, text, known).config;
      const old = analyzeValid(before.name, before.text, known).config;
      if (rows !== undefined) return rowsAnswer(old, after, await loadTests(rows, world, lookup), paint);
      const seconds = call.number('search') ?? 2;
      return accessAnswer({ before: old, after, known, seconds }, world, paint);
    }
    if (before.text === text)
      return {
        code: 0,
        json: { same: true, slot: before.name },
        lines: [before.isActive ? `${path} is what ${before.name} runs.` : `${path} is like ${before.name}.`],
      };
    const lines = changes(before.text, text);
    const { red, green, dim, bold } = paint;
    const tint = { '-': red, '+': green, ' ': (line: string) => line, '@': dim };
    return {
      code: 1,
      json: { same: false, slot: before.name, lines },
      lines: [
        bold(`--- ${before.name}`),
        bold(`+++ ${path}`),
        ...lines.map((line) => tint[line[0] as keyof typeof tint](line)),
      ],
    };
  },
});

interface Before {
  readonly name: string;
  readonly text: string;
  readonly isActive: boolean;
}

async function readBefore(call: Call<'service' | 'directory' | 'before'>): Promise<Before> {
  const named = call.text('before');
  const { files, signal } = call.world;
  if (named !== undefined) return { name: named, text: await readSyncText(named, files), isActive: false };
  const { active } = await withService(call, (api) => api.diagnose({ content: true }, signal));
  if (active?.content === undefined) throw new CliFailure('No sync config is active.', 1);
  return { name: active.slot, text: active.content, isActive: true };
}
