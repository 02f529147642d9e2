import { applyEdits, writeExpectations } from '../../../server/engine/index.ts';
import { openJudge } from '../../../server/shared/claimJudge.ts';
import { isTestName } from '../../../server/shared/places.ts';
import { joinPath } from '../../../server/shared/uri.ts';
import { type Answer, type Call, command } from '../command.ts';
import { CliFailure } from '../failure.ts';
import { foldersToRoot, listFiles } from '../project/location.ts';
import { runAtEachSave } from '../project/watching.ts';
import { readMarked, writeText } from '../read.ts';
import { schemaLookup, schemaOptions } from '../schemaLookup.ts';
import { lcovLines, testFormats } from '../test/formats.ts';
import { filesOfTests, loadTests } from '../test/load.ts';
import { coverageLines } from '../test/report.ts';
import { type ClaimWorld, type FileResults, resultsOf } from '../test/results.ts';
import type { World } from '../world.ts';

export const test = command({
  name: 'test',
  summary: 'Run access tests: who gets which rows of a sync config',
  about: `Runs the tests in files named *.sync-test.yaml on the rows in these files, with the same code as a service. Without
arguments, it runs all test files in this folder and its subfolders. No service and no database is needed: SQL files that
\`from\` names are run in an in-memory PostgreSQL database, with the tables of the project.

A failed test shows the missing or unexpected row, and the query or condition that decided this. Claims under \`always\` are
first checked on all rows of the tests. Then Headwater searches for a counterexample: it builds small databases that could
break the claim, and prints the one it finds as a test. A claim is \`proven\` only if the databases that were tried represent
all others. Otherwise it is \`not refuted\`, which is not a proof, and the line says why. See docs/ACCESS.md.

Exit code 0: all tests passed, and no claim was refuted; 1: at least one test failed, or names something that does not exist;
2: a test file or its config could not be read.`,
  words: { names: '[FILE|FOLDER…]', least: 0, most: Number.POSITIVE_INFINITY },
  options: {
    format: {
      value: 'FORMAT',
      choices: ['text', 'json', 'github', 'junit'],
      summary: 'Text (default), or a format for CI systems',
    },
    filter: { value: 'TEXT', summary: 'Run only tests whose names contain this text' },
    coverage: {
      value: 'FORMAT',
      choices: ['text', 'json', 'lcov'],
      summary: 'Report which conditions of the config were never true, or never false',
    },
    search: {
      value: 'SECONDS',
      between: [0, 3600],
      summary: 'How long to search for a counterexample to each claim under always (default: 2)',
    },
    require: {
      value: 'VERDICT',
      choices: ['proven'],
      summary: 'Fail claims that are not `proven`',
    },
    update: { summary: 'Write the current result into tests that expect nothing yet (`expect: {}`)' },
    watch: { summary: 'Run the tests again each time a test or its config is saved, until Ctrl-C' },
    schema: schemaOptions.schema,
  },
  examples: ['test', 'test --watch rooms.sync-test.yaml', 'test --coverage lcov > coverage.info'],
  run: async (call) => {
    const paths = await testFiles(call.words, call.world);
    if (call.has('update')) await updateTests(paths, call);
    return call.has('watch') ? watchTests(paths, call) : runOnce(paths, call);
  },
});

type TestCall = Call<'format' | 'filter' | 'coverage' | 'schema' | 'search' | 'require'>;

/** Returns a lookup without the options for a service, because tests never use a service. */
function lookupFor(call: TestCall) {
  return schemaLookup({
    ...call,
    text: () => undefined,
    texts: () => call.texts('schema'),
  });
}

async function runOnce(paths: readonly string[], call: TestCall): Promise<Answer> {
  const { world, has, text, paint } = call;
  const lookup = await lookupFor(call);
  const coverage = text('coverage');
  const files: FileResults[] = [];
  for (const path of paths) {
    world.signal.throwIfAborted();
    const loaded = await loadTests(path, world, lookup);
    const hasClaims = loaded.subject !== undefined && loaded.file.always.length > 0;
    const opened = hasClaims ? await openJudge() : undefined;
    const requires = text('require') === 'proven' ? ('proven' as const) : undefined;
    const choice = {
      filter: text('filter'),
      requires,
      ...(coverage !== undefined && { withCoverage: true as const }),
    };
    files.push(resultsOf(loaded, choice, opened && { judge: opened.judge, startClock: clockOf(call) }));
    opened?.close();
  }
  const code = codeOf(files);
  if (coverage === 'lcov')
    return {
      code,
      lines: files.flatMap((file) => lcovLines(file.config ?? '', file.coverage ?? [])),
    };
  const format = has('json') || coverage === 'json' ? 'json' : (text('format') ?? 'text');
  const said = testFormats[format as keyof typeof testFormats](files, paint, has('quiet'));
  if ('json' in said) return { code, json: said.json, lines: [JSON.stringify(said.json, undefined, 2)] };
  const covered =
    coverage === undefined ? [] : files.flatMap((file) => coverageLines(file.coverage ?? [], paint));
  return { code, lines: [...said, ...covered] };
}

/** The default time for a search, in seconds. */
const usualSearch = 2;

function clockOf({ world, number }: TestCall): ClaimWorld['startClock'] {
  const limit = (number('search') ?? usualSearch) * 1000;
  return () => {
    const start = world.now();
    return {
      isTimeUp: () => {
        world.signal.throwIfAborted();
        return world.now() - start >= limit;
      },
    };
  };
}

function codeOf(files: readonly FileResults[]): 0 | 1 | 2 {
  if (files.some(({ config }) => config === undefined)) return 2;
  const isBad = ({ diagnostics, results }: FileResults) =>
    diagnostics.some(({ severity }) => severity === 'error') ||
    results.some(({ failures }) => failures.length > 0);
  return files.some(isBad) ? 1 : 0;
}

/** Returns the named files, the files in named folders, or all files here or in the surrounding repository. */
async function testFiles(words: readonly string[], world: World): Promise<readonly string[]> {
  if (words.length > 0) {
    const found: string[] = [];
    for (const word of words) {
      if (!world.files.isFolder(word)) {
        found.push(word);
        continue;
      }
      const inside = (await world.files.list(word, isTestName)).paths;
      if (inside.length === 0) throw new CliFailure(`There are no files named *.sync-test.yaml in ${word}.`);
      found.push(...inside.map((path) => joinPath(word, path)));
    }
    return [...new Set(found)];
  }
  for (const up of new Set([0, foldersToRoot(world)])) {
    const paths = (await listFiles(world, isTestName, up)).paths;
    if (paths.length > 0) return paths;
  }
  throw new CliFailure(
    'No access tests found here. Write tests in a file named *.sync-test.yaml, with `config:`, `users:`, `rows:` and `tests:`.',
  );
}

async function updateTests(paths: readonly string[], call: TestCall): Promise<void> {
  const { world } = call;
  const lookup = await lookupFor(call);
  for (const path of paths) {
    const loaded = await loadTests(path, world, lookup);
    if (loaded.subject === undefined) continue;
    const edits = writeExpectations(loaded.file, loaded.subject, { seeds: loaded.seeds });
    if (edits.length === 0) continue;
    const { mark, text } = await readMarked(path, world.files);
    await writeText(path, mark + applyEdits(text, edits), world.files);
    if (!call.has('quiet'))
      world.complain(
        `${path}: ${edits.length === 1 ? '1 expectation was' : `${edits.length} expectations were`} written. Check the new expectations: they record what users get, not what users should get.`,
      );
  }
}

async function watchTests(paths: readonly string[], call: TestCall): Promise<Answer> {
  const { world } = call;
  const files = async () => [
    ...paths,
    ...(await Promise.all(paths.map((path) => filesOfTests(path, world).catch(() => [])))).flat(),
  ];
  return runAtEachSave({ files, run: () => runOnce(paths, call) }, world);
}
