import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { analyze, migrate, readSqlFiles } from '../server/engine/index.ts';
import { root } from './support/house/imports.ts';

const examples = globSync('*/client.mjs', { cwd: join(root, 'examples') }).map(dirname);

function read(path: string): string {
  return readFileSync(join(root, 'examples', path), 'utf8');
}

/** Returns the codes that are reported for a config, with the tables of the example. */
function codesIn(path: string, text = read(path)): string[] {
  const [example = ''] = path.split('/');
  const source = readSqlFiles([{ path: 'schema.sql', text: read(join(example, 'schema.sql')) }]);
  return analyze(text, { fileName: path, ...source }).findings.map(({ code }) => code);
}

describe.each(examples)('the example %s', (example) => {
  test.each(['sync.yaml', 'service.yaml'])('has no problem in %s', (name) => {
    expect(codesIn(`${example}/${name}`)).toEqual([]);
  });

  test('names each variable of its service in .env', () => {
    const named = [...read(`${example}/service.yaml`).matchAll(/!env (\w+)/g)].map(([, name]) => name);
    const given = [...read(`${example}/.env`).matchAll(/^(\w+)=/gm)].map(([, name]) => name);
    expect(given.sort()).toEqual(named.sort());
  });

  test('is in the list of examples', () => {
    expect(read('README.md')).toContain(`[${example}](${example})`);
  });
});

test('the config of the compose example has no problem', () => {
  expect(analyze(read('compose/sync-config.yaml'), { fileName: 'sync-config.yaml' }).findings).toEqual([]);
});

test('the legacy rules become streams without a problem', () => {
  const migration = migrate(read('legacy-rules/sync.yaml'));
  expect(migration).toMatchObject({ kind: 'migrated', notes: [] });
  expect(codesIn('legacy-rules/sync.yaml', 'text' in migration ? migration.text : '')).toEqual([]);
});

describe('the playground', () => {
  const path = 'todo/playground/sync.yaml';

  test('starts with a mistake', () => {
    expect(codesIn(path)).toContain('unknown-key');
  });

  test('has no mistake after the correction in its comment', () => {
    expect(codesIn(path, read(path).replace(/^stream:/m, 'streams:'))).toEqual([]);
  });
});
