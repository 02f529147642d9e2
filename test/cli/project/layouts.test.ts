/** Projects as different tools lay them out: the editor and the command line know the same of each. */
import { describe, expect, test } from 'vitest';
import { headwater } from '../../support/cli/cliWorld.ts';
import { layoutConfig, layouts } from '../../support/editor/layouts.ts';
import { missingInAnswer, missingInEditor } from '../../support/editor/missing.ts';

describe('The editor and the command line know the tables', () => {
  test.each(layouts.map((layout) => [layout.name, layout] as const))(
    'of %s',
    async (_, { files, config }) => {
      const all = { ...files, [config]: layoutConfig };
      const { out } = await headwater(['validate', '--json', config], { files: all });
      const missing = missingInAnswer(JSON.parse(out.join('\n')));
      expect(missing).toEqual([expect.stringContaining('gone'), expect.stringContaining('nowhere')]);
      expect(await missingInEditor(all, config)).toEqual(missing);
    },
  );
});

describe('The editor and the command line claim nothing', () => {
  test.each([
    ['Django', { 'manage.py': '', 'app/migrations/0001_initial.py': 'migrations.CreateModel' }],
    ['Laravel', { 'database/migrations/1_create_lists_table.php': "Schema::create('lists');" }],
    ['Knex', { 'migrations/1_lists.js': "knex.schema.createTable('lists');" }],
    ['TypeORM', { 'src/entities/List.ts': "@Entity('lists') export class List {}" }],
    ['Sequelize', { 'migrations/1-lists.js': "queryInterface.createTable('lists');" }],
    ['Ecto', { 'priv/repo/migrations/1_lists.exs': 'create table(:lists)' }],
    ['Drizzle', { 'src/schema.ts': "export const lists = pgTable('lists', {});" }],
    ['SQLite', { 'drizzle/0000_a.sql': 'CREATE TABLE `lists` (`id` text PRIMARY KEY);' }],
  ])('of the code of %s', async (_, files) => {
    const config = 'powersync/sync-config.yaml';
    const all: Readonly<Record<string, string>> = { ...files, [config]: layoutConfig };
    const { out } = await headwater(['validate', '--json', config], { files: all });
    expect(missingInAnswer(JSON.parse(out.join('\n')))).toEqual([]);
    expect(await missingInEditor(all, config)).toEqual([]);
  });
});
