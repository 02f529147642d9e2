import { fromNative, joinPath, namesIn, type Platform } from '../../../server/uri.ts';
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
    refuseReserved(folder, world.platform);
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
          throw new CliFailure(explainFile('write', world.files.shown(path), error));
        });
      (isNew ? created : kept).push(path);
    }
    return {
      code: 0,
      json: { created, kept },
      lines: [
        ...created.map((path) => `${world.files.shown(path)} is written.`),
        ...kept.map((path) => `${world.files.shown(path)} is there already, and stays as it is.`),
      ],
      advice: nextSteps(folder, world.platform),
    };
  },
});

/** Neither cmd nor the PowerShell of Windows itself can do two things as other shells do. */
function nextSteps(folder: string, platform: Platform): readonly string[] {
  if (folder === '.') return ['Next: headwater dev'];
  const quoted = /^[\w./\\:-]+$/.test(folder) ? folder : `"${folder}"`;
  if (platform !== 'win32') return [`Next: cd ${quoted} && headwater dev`];
  return [`Next: cd ${quoted}`, 'Then: headwater dev'];
}

/** Such a folder can be made with some programs, and then be deleted with few. */
function refuseReserved(folder: string, platform: Platform): void {
  const names = namesIn(fromNative(folder, platform));
  const reserved = names.find((name) => /^(?:con|prn|aux|nul|(?:com|lpt)[\d¹²³])(?:\.|$)/i.test(name));
  if (platform === 'win32' && reserved !== undefined)
    throw new CliFailure(
      `${folder} cannot be a folder: Windows keeps the name ${reserved} for itself. Choose another one.`,
    );
}
