import { isConfigName } from '../../../server/places.ts';
import { linkName } from '../../project/link.ts';
import { command } from '../command.ts';
import { CliFailure, explainFile } from '../failure.ts';
import { aboutToken, withService } from '../instance.ts';
import { type SchemaLookup, schemaLookup, schemaOptions } from '../schema.ts';
import { type CheckedFile, checkText, count } from '../validate/check.ts';
import { formats, type UnreadableFile } from '../validate/formats.ts';
import { checkOnService } from '../validate/service.ts';
import type { World } from '../world.ts';

export const validate = command({
  name: 'validate',
  summary: 'Check sync configs and service configs, offline',
  about: `Checks sync configs and service configs. What a file is, its content says. Without a file, all that are named
as configs in this folder and those in it. With --service or --directory, the
service checks sync configs, too: against its database as it is now; nothing is stored.

Exit code 0: no error (but maybe warnings); 1: at least one error; 2: a file could not be read.
${aboutToken}`,
  words: { names: '[FILE…]', least: 0, most: Number.POSITIVE_INFINITY },
  options: {
    format: {
      value: 'FORMAT',
      choices: ['text', 'json', 'github', 'sarif', 'junit'],
      summary: 'Text with the lines in question (usual), or what CI systems read',
    },
    ...schemaOptions,
  },
  examples: [
    'validate sync.yaml service.yaml',
    'validate --schema migrations sync.yaml',
    'validate --format github',
  ],
  run: async (call) => {
    const { world, has, paint } = call;
    const paths = call.words.length > 0 ? call.words : await findConfigs(world);
    const lookup = await schemaLookup(call);
    const read = await checkFiles(paths, lookup, world);
    let { files } = read;
    if (has('service') || (has('directory') && !has('schema'))) {
      call.progress.show('Asking the service …');
      files = await withService(call, (api) => checkOnService(api, files, world));
    }
    const code = read.unreadable.length > 0 ? 2 : count(files, 'error') > 0 ? 1 : 0;
    const format = has('json') ? 'json' : (call.text('format') ?? 'text');
    const said = formats[format as keyof typeof formats](files, paint, has('quiet'), read.unreadable);
    return typeof said === 'object' && 'json' in said
      ? { code, json: said.json, lines: [JSON.stringify(said.json, undefined, 2)] }
      : { code, lines: said };
  },
});

async function findConfigs({ files, folder }: World): Promise<readonly string[]> {
  const paths = (await files.list(folder)).filter(
    (path) => isConfigName(path) && !path.endsWith(`/${linkName}`),
  );
  if (paths.length === 0)
    throw new CliFailure('Which files? There are no configs here. Write headwater validate FILE…');
  return paths;
}

async function checkFiles(
  paths: readonly string[],
  lookup: SchemaLookup,
  world: World,
): Promise<{ readonly files: readonly CheckedFile[]; readonly unreadable: readonly UnreadableFile[] }> {
  const files: CheckedFile[] = [];
  const unreadable: UnreadableFile[] = [];
  for (const path of paths) {
    world.signal.throwIfAborted();
    const text = await world.files.read(path).catch((error: unknown) => {
      const message = explainFile('read', path, error);
      unreadable.push({ path, message });
      world.complain(message);
    });
    if (text !== undefined) files.push(checkText(path, text, await lookup(path, text), world));
  }
  return { files, unreadable };
}
