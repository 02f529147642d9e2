/** Problems of access test files, and failing tests. */
import { didYouMean, error, type FindingGroup, type NearName, warning } from './entry.ts';

export const accessTestFindings = {
  'test-no-config': error<{ reason: 'missing' | 'not found' | 'foreign' | 'broken' } & { path?: string }>(
    'Config under test has errors',
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
    'Invalid rows',
    (a) => `The rows of \`${a.path}\` cannot be read: ${a.reason}`,
  ),
  'test-unknown-name': error<{ what: string } & { of?: string } & { name: string } & NearName>(
    'Unknown name in an access test',
    (a) => `${ownerOf(a)} no ${a.what} \`${a.name}\`.${didYouMean(a)}`,
  ),
  'test-duplicate-name': error<{ what: string } & { of?: string } & { name: string }>(
    'Duplicate name or row in an access test',
    (a) => `${ownerOf(a)} another ${a.what} \`${a.name}\`. Rename or remove one of them.`,
  ),
  'test-unstorable-row': error<
    { column: string } & { problem: 'type' | 'list' | 'null' | 'missing' | 'computed' | 'unknown' } & {
      type?: string;
    }
  >(
    'Row that the source would not store',
    (a) =>
      ({
        type: `The source cannot store this value in \`${a.column}\`, because the type of the column is \`${a.type}\`.`,
        list: `The source cannot store this value in \`${a.column}\`, because it allows only listed values.`,
        null: `\`${a.column}\` cannot be NULL in the source. Write its value.`,
        missing: `\`${a.column}\` has no value here, and it cannot be NULL in the source. Write its value, because it decides the result.`,
        unknown: `\`${a.column}\` has no value here, and the known schema does not contain its default. Write its value, because it decides the result.`,
        computed: `\`${a.column}\` has no value here, and the source would compute one. Write its value, because it decides the result.`,
      })[a.problem],
  ),
  'test-trigger-effect': warning<
    { trigger: string; effect: 'unknown' | 'refuse' | 'write' } & { table: string }
  >(
    'Step with unknown effects of a trigger',
    (a) =>
      ({
        unknown: `The trigger \`${a.trigger}\` runs on this step, and it is not known which rows it writes.`,
        refuse: `The trigger \`${a.trigger}\` may refuse this step.`,
        write: `The trigger \`${a.trigger}\` may write rows of \`${a.table}\` on this step. Add a step that writes the same rows.`,
      })[a.effect],
  ),
  'test-unreadable-expectation': error<{ reason: string }>('Invalid expectation', (a) => a.reason),
  'test-unused-user': warning<{ name: string }>(
    'Untested user',
    (a) => `No test expects anything of \`${a.name}\`.`,
  ),
  'test-never-synced': warning<{ table: string }>(
    'Expectation for a table that is never synced',
    (a) => `No stream syncs rows of \`${a.table}\`, so no user can have one.`,
  ),
  'test-no-rows': warning<{ user: string } & { table?: string }>(
    'Expectation of no rows, without any row',
    (a) =>
      `This test has no row${a.table === undefined ? '' : ` of \`${a.table}\``}, so expecting none holds with any config. Add one that \`${a.user}\` must not get.`,
  ),
  'test-unknown-columns': warning<{ table: string }>(
    'Unknown columns behind `*`',
    (a) =>
      `A query gives all columns of \`${a.table}\` with \`*\`, and which ones that are is not known. Users may get more than the rows of the tests have. Name the SQL files that make the tables: \`schema:\`.`,
  ),
  'test-unreadable-claim': error<{ reason: string }>(
    'Invalid claim',
    (a) => `This is not a condition that SQLite can check: ${a.reason}`,
  ),
  'test-fails': error<{ reason: string }>('Failed access test', (a) => a.reason),
  'always-fails': error<{ reason: string }>('Refuted claim', (a) => a.reason),
} satisfies FindingGroup;

/** Returns the start of a sentence. `of` is the table that has a column or a row. */
function ownerOf({ of }: { readonly of?: string }): string {
  return of === undefined ? 'There is' : `\`${of}\` has`;
}
