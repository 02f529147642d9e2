import { analyze } from '../../../server/engine/index.ts';
import { type Answer, type Call, command } from '../command.ts';
import { CliFailure, explainFile } from '../failure.ts';
import { aboutToken, withService } from '../instance.ts';
import type { Options } from '../options.ts';
import { describeTool } from '../project/remedy.ts';
import { runAtEachSave } from '../project/watching.ts';
import { type SchemaLookup, schemaLookup, schemaOptions, schemaPathsOf } from '../schemaLookup.ts';
import { checkOnService } from '../validate/checkOnService.ts';
import { type CheckedFile, checkText, count } from '../validate/checkText.ts';
import { fixFiles } from '../validate/fix.ts';
import { formats, type UnreadableFile } from '../validate/formats.ts';
import { filesToCheck, inputName, type NamedFile, refuseNone, refuseUnread } from '../validate/named.ts';
import type { World } from '../world.ts';

const options = {
  format: {
    value: 'FORMAT',
    choices: ['text', 'json', 'github', 'sarif', 'junit'],
    summary: 'Text with the affected lines (default), or a format for CI systems',
  },
  strict: { summary: 'Treat warnings as errors' },
  'max-warnings': {
    value: 'NUMBER',
    between: [0, 1_000_000],
    summary: 'Exit with 1 if there are more warnings than this',
  },
  fix: { summary: 'Apply the fixes that have only one possible result, write the files, then check them' },
  watch: { summary: 'Check again each time one of the files is saved, until Ctrl-C' },
  ...schemaOptions,
} as const satisfies Options;

export const validate = command({
  name: 'validate',
  summary: 'Check sync configs and service configs, offline',
  about: `Checks sync configs and service configs. The file type is detected from its content. Without arguments, it checks all
config files in this folder and its subfolders, except in folders that .gitignore excludes; - is standard input. Tables and
columns come from the SQL, Prisma or Rails files of the project, unless --schema names another source. SQL that runs code, such
as a DO block, runs in a temporary database. With --service or --directory, the service also checks sync configs against the
current state of its database; it stores nothing.

Exit code 0: no errors (there may be warnings); 1: at least one error, or more warnings than allowed; 2: a file could not
be read.

${aboutToken}`,
  words: { names: '[FILE|FOLDER…]', least: 0, most: Number.POSITIVE_INFINITY },
  options,
  examples: [
    'validate sync.yaml service.yaml',
    'validate --schema migrations sync.yaml',
    'validate --format github',
    'validate --fix sync.yaml',
    'validate --watch',
  ],
  run: async (call) => {
    if (!call.has('watch')) return checkOnce(call);
    if (call.words.includes(inputName)) throw new CliFailure('--watch cannot be used with standard input.');
    const files = async () => {
      const paths = (await filesToCheck(call.words, call.world)).map(({ path }) => path);
      return [...paths, ...(await schemaPathsOf(call, paths))];
    };
    return runAtEachSave({ files, run: () => checkOnce(call) }, call.world);
  },
});

type ValidateCall = Call<keyof typeof options>;

async function checkOnce(call: ValidateCall): Promise<Answer> {
  const { world, has, paint } = call;
  const named = await filesToCheck(call.words, world);
  const lookup = await schemaLookup(call);
  if (!has('quiet')) await sayUnknownTables(named, lookup, call);
  if (has('fix'))
    for (const path of await fixFiles(named, lookup, world))
      if (!has('quiet'))
        world.complain(`Fixed the problems in ${world.files.shown(path)} that have only one possible fix.`);
  const read = await checkFiles(named, lookup, world);
  if (read.unreadable.length === 0) refuseNone(read.files, world);
  let { files } = read;
  if (has('service') || (has('directory') && !has('schema'))) {
    call.progress.show('Asking the service …');
    files = await withService(call, (api) => checkOnService(api, files, world));
  }
  const mostWarnings = has('strict') ? 0 : (call.number('max-warnings') ?? Number.POSITIVE_INFINITY);
  const isRefused = count(files, 'error') > 0 || count(files, 'warning') > mostWarnings;
  const code = read.unreadable.length > 0 ? 2 : isRefused ? 1 : 0;
  // Text is for people, and all other formats are for programs. `--format` takes precedence over `--json`.
  const format = call.text('format') ?? (has('json') ? 'json' : 'text');
  const told =
    format === 'text' ? files.map((file) => ({ ...file, path: world.files.shown(file.path) })) : files;
  const said = formats[format as keyof typeof formats](told, paint, has('quiet'), read.unreadable);
  if ('json' in said) return { code, json: said.json, lines: [JSON.stringify(said.json, undefined, 2)] };
  if (has('json')) throw new CliFailure(`--json cannot be combined with --format ${format}.`);
  return { code, lines: said };
}

/** Warns about configs whose tables are unknown, because they can have mistakes that were not found. */
async function sayUnknownTables(
  named: readonly NamedFile[],
  lookup: SchemaLookup,
  { world, has }: ValidateCall,
): Promise<void> {
  if (has('schema') || has('service') || has('directory')) return;
  const unknown: string[] = [];
  const doubts = new Set<string>();
  for (const { path } of named) {
    const text = path === inputName ? '' : await world.files.read(path).catch(() => '');
    const isSync = analyze(text, { fileName: path }).kind === 'sync';
    const known = isSync ? await lookup(path, text) : undefined;
    if (isSync && known === undefined) unknown.push(world.files.shown(path));
    if (known?.doubt !== undefined) doubts.add(known.doubt);
  }
  for (const doubt of doubts)
    world.complain(
      `${doubt} So missing tables and columns are not reported. To check them, use --schema postgresql://….`,
    );
  const tool = unknown.length === 0 ? undefined : await describeTool(world);
  if (tool !== undefined)
    world.complain(
      `The tables of ${unknown.join(', ')} were not checked, because no file that creates them can be read here. ${tool}. Or use --schema postgresql://… to read a database that has them.`,
    );
}

async function checkFiles(
  named: readonly NamedFile[],
  lookup: SchemaLookup,
  world: World,
): Promise<{ readonly files: readonly CheckedFile[]; readonly unreadable: readonly UnreadableFile[] }> {
  const files: CheckedFile[] = [];
  const unreadable: UnreadableFile[] = [];
  for (const each of named) {
    const { path } = each;
    world.signal.throwIfAborted();
    const text = await (path === inputName ? world.input() : world.files.read(path)).catch(
      (error: unknown) => {
        const message = explainFile('read', world.files.shown(path), error);
        unreadable.push({ path, message });
        world.complain(message);
      },
    );
    if (text !== undefined)
      files.push(refuseUnread(checkText(path, text, await lookup(path, text), world), each));
  }
  return { files, unreadable };
}
