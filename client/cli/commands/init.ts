import { fromNative, joinPath, shownPath } from '../../../server/uri.ts';
import { command } from '../command.ts';
import { CliFailure, explainFile } from '../failure.ts';
import { secretsFile, templates } from '../init/templates.ts';

export const init = command({
  name: 'init',
  summary: 'Begin a project: a service config, a sync config and tables',
  about: `Writes what a first sync needs: service.yaml, sync.yaml, schema.sql, and .env with fresh secrets for this
machine. A file that is there already stays as it is.`,
  words: { names: '[FOLDER]', least: 0, most: 1 },
  options: {},
  examples: ['init', 'init my-app/sync'],
  run: async ({ words: [folder = '.'], world }) => {
    if (!world.files.isFolder(folder)) {
      if (world.files.exists(folder)) throw new CliFailure(`${folder} is a file.`);
      await world.files.makeFolder(folder).catch((error: unknown) => {
        throw new CliFailure(explainFile('write', folder, error));
      });
    }
    const created: string[] = [];
    const kept: string[] = [];
    for (const [name, text] of Object.entries(templates(world.secret))) {
      const path = joinPath(fromNative(folder, world.platform), name);
      const isNew = await world.files
        .create(path, text, name === secretsFile ? 'owner' : 'all')
        .catch((error: unknown) => {
          throw new CliFailure(explainFile('write', path, error));
        });
      (isNew ? created : kept).push(path);
    }
    const inside = folder === '.' ? '' : `cd ${folder} && `;
    return {
      code: 0,
      json: { created, kept },
      lines: [
        ...created.map((path) => `${shownPath(path, world.platform)} is written.`),
        ...kept.map((path) => `${shownPath(path, world.platform)} is there already, and stays as it is.`),
      ],
      advice: [`Next: ${inside}headwater dev`],
    };
  },
});
