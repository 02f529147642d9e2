/**
 * `npm run new -- rule|command|route|tool NAME`: creates the files of a new rule, command, route or tool, and its rows in all
 * tables, with a test that fails until its logic is written. `TODO:` marks the missing parts.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createCommand } from './new/command.ts';
import { type Creation, type Name, problemWith, readName, textsOf } from './new/creation.ts';
import { createRoute } from './new/route.ts';
import { createRule } from './new/rule.ts';
import { createTool } from './new/tool.ts';
import { root } from './root.ts';
import { runScript } from './run/command.ts';

export const kinds: Readonly<Record<string, (name: Name) => Creation>> = {
  rule: createRule,
  command: createCommand,
  route: createRoute,
  tool: createTool,
};

/** Writes the files of a creation and returns their paths. */
function write(creation: Creation): readonly string[] {
  const texts = textsOf(creation, (path) => readFileSync(join(root, path), 'utf8').replaceAll('\r\n', '\n'));
  for (const [path, text] of texts) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return [...texts.keys()];
}

async function createAll(creations: readonly Creation[]): Promise<void> {
  const written = creations.flatMap(write);
  const sources = written.filter((path) => path.endsWith('.ts'));
  const biome = join(root, 'node_modules/@biomejs/biome/bin/biome');
  const formatted = await runScript(biome, ['check', '--write', ...new Set(sources)]);
  if (formatted.code !== 0) fail(formatted.output);
  // The tables must not be imported earlier, because they have the new rows only now.
  const { writeGenerated } = await import('./rules.ts');
  const problems = writeGenerated();
  for (const path of new Set(written)) console.log(`wrote ${path}`);
  for (const problem of problems) console.log(problem);
}

function fail(sentence: string): never {
  console.error(sentence);
  process.exit(1);
}

if (import.meta.main) {
  const args = process.argv.slice(2);
  const pairs = args.flatMap((kind, index) =>
    index % 2 === 0 ? [[kind, args[index + 1] ?? ''] as const] : [],
  );
  const usage = `Usage: npm run new -- ${Object.keys(kinds).join('|')} NAME, with a name such as large-bucket-key`;
  if (pairs.length === 0) fail(usage);
  const creations = pairs.map(([kind, text]) => {
    const name = readName(text);
    const create = kinds[kind];
    if (name === undefined || create === undefined) return fail(usage);
    const creation = create(name);
    const problem = problemWith(name, creation);
    return problem === undefined ? creation : fail(problem);
  });
  const existing = creations
    .flatMap(({ files }) => Object.keys(files))
    .filter((path) => existsSync(join(root, path)));
  if (existing.length > 0) fail(`${existing.join(', ')} exists already. Choose another name.`);
  await createAll(creations);
  console.log(`
Now write what is marked with TODO: (git grep -n TODO:), run npm run rules, and run npm run check.
Until the logic is written, this fails: ${creations.map(({ test }) => test).join(', ')}`);
}
