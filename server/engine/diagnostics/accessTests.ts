/** Problems of access test files, and failing tests. */
import { didYouMean, error, type FindingGroup, type NearName, warning } from './entry.ts';

export const accessTestFindings = {
  'test-no-config': error<{ reason: 'missing' | 'not found' | 'foreign' | 'broken' } & { path?: string }>(
    'The config under test cannot be run',
    (a) =>
      ({
        missing:
          'No config is tested here. Write `config:` with the path of the sync config, from the folder of this file.',
        'not found': `There is no file \`${a.path}\`, seen from the folder of this one.`,
        foreign: `\`${a.path}\` is not a sync config: it has neither \`streams\` nor \`bucket_definitions\`.`,
        broken: `\`${a.path}\` has errors, so that no service runs it. Fix them first.`,
      })[a.reason],
  ),
  'test-unreadable-rows': error<{ path: string } & { reason: string }>(
    'Rows that cannot be read',
    (a) => `The rows of \`${a.path}\` cannot be read: ${a.reason}`,
  ),
  'test-unknown-name': error<{ what: string } & { name: string } & NearName>(
    'A name that the config under test does not have',
    (a) => `There is no ${a.what} \`${a.name}\`.${didYouMean(a)}`,
  ),
  'test-duplicate-name': error<{ what: string } & { name: string }>(
    'The same name, or the same row, twice',
    (a) => `There is another ${a.what} \`${a.name}\`. Rename or remove one of them.`,
  ),
  'test-unreadable-expectation': error<{ reason: string }>(
    'An expectation that cannot be read',
    (a) => a.reason,
  ),
  'test-unused-user': warning<{ name: string }>(
    'A user whom nobody tests',
    (a) => `No test expects anything of \`${a.name}\`.`,
  ),
  'test-never-synced': warning<{ table: string }>(
    'An expectation about a table that no stream syncs',
    (a) => `No stream gives rows of \`${a.table}\`, so nobody can ever have one.`,
  ),
  'test-unknown-columns': warning<{ table: string }>(
    'Columns of `*` where those of the table are not known',
    (a) =>
      `A query gives all columns of \`${a.table}\` with \`*\`, and which ones that are is not known. Users may get more than the rows of the tests have. Name the SQL files that make the tables: \`schema:\`.`,
  ),
  'test-unreadable-claim': error<{ reason: string }>(
    'A claim that cannot be read',
    (a) => `This is not a condition that SQLite can check: ${a.reason}`,
  ),
  'test-fails': error<{ reason: string }>('A test that fails', (a) => a.reason),
  'always-fails': error<{ reason: string }>('A claim that does not hold', (a) => a.reason),
} satisfies FindingGroup;
