/** Runs the unit tests about paths, files, processes and line endings in Node for Windows. */
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { root } from '../../scripts/root.ts';
import { windowsPath } from '../support/windows/machine.ts';
import { windows } from '../support/windows/project.ts';
import type { UnitResult } from '../support/windows/units.ts';

const names = [
  'files',
  'cli/*',
  'cli/{agents,init,validate}/*',
  'cli/project/dev',
  'client/{local,project}/*',
  'engine/{ddl,migrate,project,text}/*',
  'engine/yaml/{outline,quick,read,scalarEdits,sourceMap}',
  'lsp/{convert,places,projectSchema,schemas,spellings,uri}',
  'lsp/host/*',
  'scripts/{*,*/*}',
  'service/{config,ground}/*',
  'service/commands/arguments',
  'service/replication/embedded/*',
];

/** Test files that cannot be loaded there, with the reasons. */
const left: Readonly<Record<string, string>> = {
  'test/scripts/mutants/mutants.test.ts': 'parses with Rolldown, which is a program of this machine',
  'test/scripts/notices.test.ts': 'asks esbuild, which is a program of this machine',
  'test/scripts/sizes.test.ts': 'loads the packager of VS Code, which Node 22 cannot link there',
  'test/scripts/rigs/uiSuite.test.ts': 'loads mocha, which Node 22 cannot link there',
  'test/scripts/rigs/process.test.ts': 'is about process groups, which Windows does not have',
  ...Object.fromEntries(
    [
      'cli/generateSchema',
      'cli/test',
      'engine/project/prisma',
      'engine/project/rails',
      'service/ground/errors',
    ].map((name) => [`test/${name}.test.ts`, 'compares with snapshots, which Vitest itself reads']),
  ),
  'test/service/ground/privateFiles.test.ts': 'is about modes, which Windows does not have',
};

/** Tests that fail there, with the reasons. */
const failing: Readonly<Record<string, string>> = {
  'A link to a file is listed, but a link to a folder is not followed': 'Wine makes no symbolic links',
  'a broken link is reported as a missing file': 'Wine makes no symbolic links',
  'is not confined if it is a link, is below a link, or contains a link': 'Wine makes no symbolic links',
};

const files = globSync(
  names.map((name) => `test/${name}.test.ts`),
  { cwd: root },
)
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => !path.endsWith('.live.test.ts') && !(path in left))
  .sort();

const results = new Map<string, UnitResult>();

/** Runs the tests in two processes, because such machines have at least two processors. */
beforeAll(async () => {
  await Promise.all([0, 1].map((half) => runUnits(files.filter((_, index) => index % 2 === half))));
});

async function runUnits(some: readonly string[]): Promise<void> {
  const { code, out, err } = await windows.run({
    args: [join(root, 'test/support/windows/units.ts'), ...some.map((file) => join(root, file))].map(
      windowsPath,
    ),
    cwd: windowsPath(root),
    // The share of the random cases to try, because all of them are tried elsewhere.
    env: { HEADWATER_TEST_SHARE: '0.05' },
  });
  for (const line of out.split('\n').filter((each) => each.startsWith('{"file"'))) {
    const result: UnitResult = JSON.parse(line);
    results.set(result.file, result);
  }
  const missing = some.find((file) => !results.has(file));
  expect(`${code} ${missing === undefined ? '' : `${missing} ended it\n${err}`}`).toBe('0 ');
}

describe('unit tests', () => {
  test.each(files)('%s', (file) => {
    const { passed = 0, failed = [] } = results.get(file) ?? {};
    expect(failed.filter((text) => !(nameIn(text) in failing))).toEqual([]);
    expect(passed).toBeGreaterThan(0);
  });
});

/** Returns the title of a test, without the titles above it and the reason of its failure. */
function nameIn(text: string): string {
  return text.split('\n', 1)[0]?.split(' > ').at(-1) ?? '';
}
