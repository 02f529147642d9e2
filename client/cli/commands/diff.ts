import { command } from '../command.ts';
import { changes } from '../diff/lines.ts';
import { CliFailure } from '../failure.ts';
import { aboutToken, instanceOptions, withService } from '../instance.ts';
import { nameSyncConfig, readSyncText } from '../project/syncConfig.ts';

export const diff = command({
  name: 'diff',
  summary: 'Compare a sync config with what a service runs',
  about: `Shows what a deployment of the file would change: lines that are active only with -, lines of the file with +.

Exit code 0: they are the same; 1: they differ, or nothing is active; 2: the service cannot be asked.

${aboutToken}`,
  words: { names: '[FILE]', least: 0, most: 1 },
  options: instanceOptions,
  examples: ['diff sync.yaml'],
  run: async (call) => {
    const { files, signal } = call.world;
    const path = await nameSyncConfig(call);
    const text = await readSyncText(path, files);
    const { active } = await withService(call, (api) => api.diagnose({ content: true }, signal));
    if (active?.content === undefined) throw new CliFailure('No sync config is active.', 1);
    if (active.content === text)
      return {
        code: 0,
        json: { same: true, slot: active.slot },
        lines: [`${path} is what ${active.slot} runs.`],
      };
    const lines = changes(active.content, text);
    const { red, green, dim, bold } = call.paint;
    const tint = { '-': red, '+': green, ' ': (line: string) => line, '@': dim };
    return {
      code: 1,
      json: { same: false, slot: active.slot, lines },
      lines: [
        bold(`--- ${active.slot}`),
        bold(`+++ ${path}`),
        ...lines.map((line) => tint[line[0] as keyof typeof tint](line)),
      ],
    };
  },
});
