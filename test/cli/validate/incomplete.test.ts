/** `headwater validate` reports nothing as missing if it does not know all files, for example because a search was cut short. */
import { expect, test } from 'vitest';
import type { World } from '../../../client/cli/world.ts';
import { cliWorld, failure, headwater } from '../../support/cli/cliWorld.ts';

const files = {
  'sync.yaml': 'config: { edition: 3 }\nstreams: { gone: { query: SELECT * FROM gone } }\n',
  'migrations/1.sql': 'CREATE TABLE lists (id uuid PRIMARY KEY);',
};

/** The files of a folder with more files than are searched. */
function cutFiles(): World['files'] {
  const { files: whole } = cliWorld({}, new Map(Object.entries(files)), [], []);
  return {
    ...whole,
    list: async (folder, isWanted) => ({
      ...(await whole.list(folder, isWanted)),
      cut: { kind: 'entries', most: 500_000 },
    }),
  };
}

test('a missing table is reported after a complete search', async () => {
  const { out } = await headwater(['validate', 'sync.yaml'], { files });
  expect(out.join('\n')).toContain('No file of this project creates a table `gone`.');
});

test('nothing is missing after a search that was cut short, which is reported', async () => {
  const { out, err } = await headwater(['validate', 'sync.yaml'], { files, world: { files: cutFiles() } });
  expect(out.join('\n')).not.toContain('unknown-table');
  expect(err.join('\n')).toContain(
    'Not all files were searched, because there are more than 500,000 files and folders.',
  );
});

test('nothing is missing if a file cannot be read, which is named', async () => {
  const { out, err } = await headwater(['validate', 'sync.yaml'], {
    files: { ...files, 'migrations/2.sql': failure('EACCES') },
  });
  expect(out.join('\n')).not.toContain('unknown-table');
  expect(err.join('\n')).toContain('migrations/2.sql');
});

test('nothing is missing if a script runs code and no database can be started, and its place is named', async () => {
  const { out, err } = await headwater(['validate', 'sync.yaml'], {
    files: { ...files, 'migrations/2.sql': "\nDO $$ BEGIN EXECUTE 'x'; END $$;" },
  });
  expect(out.join('\n')).not.toContain('unknown-table');
  expect(err.join('\n')).toContain('migrations/2.sql:2.');
});
