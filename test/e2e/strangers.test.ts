import { deepEqual, equal, match } from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { temporaryFolder } from '../../scripts/rigs/temporary.ts';
import { patient } from '../../scripts/run/patience.ts';
import { untilDeviceIn } from '../support/editor/consoleFrame.ts';
import { untilNews } from '../support/editor/news.ts';
import { untilExplained, untilStatus } from '../support/editor/statusBar.ts';
import {
  answer,
  comes,
  editorLines,
  insist,
  keepFailures,
  linesOf,
  openFile,
  openServiceView,
  openWorkbench,
  pick,
  runCommand,
  save,
  serviceRows,
  takeScreenshot,
  type Workbench,
} from '../support/editor/workbench.ts';

interface Project {
  readonly name: string;
  /** Texts of the files by path. */
  readonly files: Readonly<Record<string, string>>;
  /** The table that lists the users. */
  readonly users: string;
  /** The row of the tree for a table with seed rows. */
  readonly rows: RegExp;
  /** Comes later, with a table that a stream then reads. */
  readonly migration: readonly [path: string, sql: string];
  /** Makes no table, since a type does not exist. */
  readonly broken: readonly [path: string, sql: string];
  /** Is changed after it was run. */
  readonly first: string;
}

const supabase: Project = {
  name: 'Supabase',
  files: {
    'supabase/config.toml': 'project_id = "diary"\n',
    'supabase/migrations/20240101000000_init.sql': `CREATE TYPE public.mood AS ENUM ('good', 'bad');
CREATE TABLE public.profiles (
  id uuid PRIMARY KEY REFERENCES auth.users (id) ON DELETE CASCADE,
  name text NOT NULL
);
CREATE TABLE public.notes (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  owner_id uuid NOT NULL DEFAULT auth.uid(),
  body text,
  mood public.mood
);
ALTER TABLE public.notes ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON public.notes FOR ALL TO authenticated USING (owner_id = auth.uid());
GRANT ALL ON public.notes TO authenticated;
CREATE PUBLICATION powersync FOR ALL TABLES;
`,
    'supabase/seed.sql': `INSERT INTO auth.users (id) VALUES ('00000000-0000-0000-0000-00000000000a');
INSERT INTO public.profiles VALUES ('00000000-0000-0000-0000-00000000000a', 'Ada');
INSERT INTO public.notes (owner_id, body, mood)
  SELECT '00000000-0000-0000-0000-00000000000a', 'Note ' || n, 'good' FROM generate_series(1, 3) AS n;
`,
    'powersync/sync-config.yaml': `config:
  edition: 3
streams:
  profiles:
    auto_subscribe: true
    query: SELECT * FROM profiles WHERE id = auth.user_id()
  notes:
    auto_subscribe: true
    query: SELECT * FROM notes WHERE owner_id = auth.user_id() OR auth.parameter('role') = 'admin'
`,
  },
  users: 'auth.users',
  rows: /notes\s*3 rows/,
  migration: [
    'supabase/migrations/20240201000000_tags.sql',
    'CREATE TABLE public.tags (id uuid PRIMARY KEY, note_id uuid REFERENCES notes (id), name text);\n',
  ],
  broken: [
    'supabase/migrations/20240301000000_places.sql',
    'CREATE INDEX ON notes (owner_id);\nCREATE TABLE public.places (id uuid PRIMARY KEY, at postion);\n',
  ],
  first: 'supabase/migrations/20240101000000_init.sql',
};

const prisma: Project = {
  name: 'Prisma',
  files: {
    'prisma/schema.prisma': `datasource db {
  provider = "postgresql"
  url      = env("DATABASE_URL")
}
`,
    'prisma/migrations/migration_lock.toml': 'provider = "postgresql"\n',
    'prisma/migrations/20240101_init/migration.sql': `-- CreateTable
CREATE TABLE "User" ("id" TEXT NOT NULL, "name" TEXT, CONSTRAINT "User_pkey" PRIMARY KEY ("id"));
CREATE TABLE "notes" (
  "id" TEXT NOT NULL,
  "ownerId" TEXT NOT NULL,
  "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "notes_pkey" PRIMARY KEY ("id")
);
ALTER TABLE "notes" ADD CONSTRAINT "owner" FOREIGN KEY ("ownerId") REFERENCES "User" ("id");
`,
    'prisma/seed.sql': `INSERT INTO "User" VALUES ('00000000-0000-0000-0000-00000000000a', 'Ada');
INSERT INTO "notes" ("id", "ownerId") SELECT n::text, '00000000-0000-0000-0000-00000000000a' FROM generate_series(1, 3) AS n;
`,
    'powersync/sync-config.yaml': `config:
  edition: 3
streams:
  me:
    auto_subscribe: true
    query: SELECT * FROM "User" WHERE id = auth.user_id()
  notes:
    auto_subscribe: true
    query: SELECT * FROM notes WHERE "ownerId" = auth.user_id() OR auth.parameter('role') = 'admin'
`,
  },
  users: 'User',
  rows: /notes\s*3 rows/,
  migration: [
    'prisma/migrations/20240201_tags/migration.sql',
    'CREATE TABLE "tags" ("id" TEXT NOT NULL PRIMARY KEY, "noteId" TEXT, "name" TEXT);\n',
  ],
  broken: [
    'prisma/migrations/20240301_places/migration.sql',
    'CREATE INDEX ON "notes" ("ownerId");\nCREATE TABLE "places" ("id" TEXT PRIMARY KEY, "at" postion);\n',
  ],
  first: 'prisma/migrations/20240101_init/migration.sql',
};

for (const project of [supabase, prisma]) describeProject(project);

/** One session: each step starts where the one before has ended. */
function describeProject({ name, users, files, rows, migration, broken, first }: Project): void {
  describe(`A stranger's project of ${name}`, () => {
    let workbench: Workbench;
    const ada = '00000000-0000-0000-0000-00000000000a';
    const isHealthy = /^\s*local\s*$/;

    before(async () => {
      const folder = temporaryFolder('stranger');
      for (const [path, text] of Object.entries(files)) put(folder, path, text);
      // The editor must not complete or close what the test types.
      const settings = { '[yaml]': { 'editor.autoIndent': 'none', 'editor.quickSuggestions': false } };
      workbench = await openWorkbench(folder, { settings });
    });

    keepFailures(`strangers-${name}`, () => workbench);

    after(() => workbench?.close());

    it('starts without a question, with the tables of its migrations', async () => {
      const { page } = workbench;
      await openFile(page, 'powersync/sync-config.yaml');
      await runCommand(page, 'Headwater: Start Local Service');
      await untilStatus(page, /local: nothing deployed/);
      await picture('1-started');
    });

    it('is deployed, and serves all of its streams', async () => {
      const { page } = workbench;
      await untilNews(page, /Deployed to local: 2 streams replicating\.$/, () =>
        runCommand(page, 'Headwater: Deploy Sync Config'),
      );
      await untilStatus(page, isHealthy);
      await openServiceView(page);
      await treeRows().filter({ hasText: 'Local database' }).first().waitFor();
      await treeRows().filter({ hasText: 'Active config' }).first().click();
      // A new database is seeded.
      await treeRows().filter({ hasText: rows }).first().waitFor();
      await picture('2-deployed');
    });

    it('has the rows to begin with after a reset with seeds', async () => {
      const { page } = workbench;
      await runCommand(page, 'Headwater: Reset Local Database');
      await dialog().waitFor();
      await picture('3-question');
      await untilNews(page, /The local database was created again: 1 file was run/, () =>
        dialog().getByRole('button', { name: 'Reset and Seed' }).click(),
      );
      await untilStatus(page, isHealthy);
      await treeRows().filter({ hasText: rows }).first().waitFor();
      await picture('4-seeded');
    });

    it('gives them to the user whose rows they are', async () => {
      const { page } = workbench;
      await runCommand(page, 'Headwater: Preview as User');
      const user = page.locator('.quick-input-list .monaco-list-row', { hasText: 'Ada' });
      await user.filter({ hasText: ada }).waitFor();
      await user.filter({ hasText: `From the table ${users}` }).waitFor();
      await picture('5-users');
      // The name is enough, without the id.
      await answer(page, 'Preview as User: Who', 'ad');
      const console = await untilDeviceIn(page, ada);
      await console.getByText(/^Live\. 4 rows in 2 buckets/).waitFor();
      await picture('5-device');
      await console.getByRole('button', { name: 'As text' }).click();
      await page.locator('.quick-input-title', { hasText: 'Subscriptions' }).waitFor();
      await picture('5-subscriptions');
      await answer(page, 'Preview as User: Subscriptions', '');
      await editorLines(page)
        .filter({ hasText: `Rows of ${ada} from local` })
        .waitFor();
      match((await linesOf(editorLines(page))).join('\n'), /Buckets: 2\. Rows: 4\./);
      await picture('6-previewed');
    });

    it('gives a token to a user that is chosen by name, with the claims that the config reads', async () => {
      const { page } = workbench;
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      await runCommand(page, 'Headwater: Create Client Token');
      await page.locator('.quick-input-list .monaco-list-row', { hasText: 'Ada' }).waitFor();
      await answer(page, 'Create Client Token', 'ada');
      await page.locator('.quick-input-title', { hasText: 'Claim role' }).waitFor();
      await picture('6-claim');
      await untilNews(page, /A token for 0+-0+-0+-0+-0+a was copied to the clipboard/, () =>
        answer(page, 'Claim role', 'admin'),
      );
      const token = await page.evaluate(() => navigator.clipboard.readText());
      const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
      deepEqual([claims.sub, claims.role], [ada, 'admin']);
    });

    it('runs a migration that comes, and deploys what reads its table', async () => {
      const { page } = workbench;
      await untilNews(page, /A new migration was applied to the local database/, () =>
        put(workbench.folder, ...migration),
      );
      await showConfig(page);
      await page.keyboard.press('Control+End');
      await page.keyboard.type('  tags:\n    query: SELECT * FROM tags');
      await untilStatus(page, /local: not deployed/);
      await save(page);
      await untilNews(page, /Deployed to local: 3 streams replicating\.$/, () =>
        runCommand(page, 'Headwater: Deploy Sync Config'),
      );
      await untilStatus(page, isHealthy);
      await picture('7-migrated');
    });

    it('warns of a table whose statement failed, and says where', async () => {
      const { page } = workbench;
      await untilNews(page, /A new migration was applied/, () => put(workbench.folder, ...broken));
      await showConfig(page);
      await page.keyboard.press('Control+End');
      // Enter would accept a completion for the previous table.
      await page.keyboard.press('Escape');
      await page.keyboard.press('Enter');
      await page.keyboard.type('  places:\n    query: SELECT * FROM places');
      await save(page);
      await untilNews(page, /4 streams replicating\..*There is no table places, which places reads/, () =>
        runCommand(page, 'Headwater: Deploy Sync Config'),
      );
      await untilStatus(page, /local: no table places/);
      await untilExplained(
        page,
        new RegExp(`unknown-table: There is no table places.*|SVC_S1152: .*${broken[0]}:2.*postion`),
        `strangers-${name}-8-failed`,
      );
      await treeRows().filter({ hasText: 'left out' }).first().waitFor();
      match((await linesOf(treeRows())).join('\n'), /:2\s*left out \(affects public\.places\): .*postion/);
      await picture('8-failed');
    });

    it('leads from the warning to the line', async () => {
      const { page } = workbench;
      await page.locator('.statusbar-item[id$="headwater.target"] a').click();
      await page.locator('.quick-input-list .monaco-list-row', { hasText: 'Reset Local Database' }).waitFor();
      await picture('9-menu');
      await pick(page, `Open ${broken[0]}:2`);
      await editorLines(page).filter({ hasText: 'postion' }).first().waitFor();
      await page.locator('#status\\.editor\\.selection', { hasText: 'Ln 2' }).waitFor();
    });

    it('runs the statement when it is corrected', async () => {
      const [path, sql] = broken;
      put(workbench.folder, path, sql.replace('postion', 'point'));
      await treeRows()
        .filter({ hasText: 'left out' })
        .first()
        .waitFor({ state: 'hidden', timeout: patient(50_000) });
      await untilStatus(workbench.page, isHealthy);
      await picture('9-corrected');
    });

    it('reports a file that changed since it was run, and is repaired by a reset', async () => {
      const { page } = workbench;
      put(workbench.folder, first, files[first]?.replace(/"?name"? text/i, "$& DEFAULT 'x'") ?? '');
      await treeRows()
        .filter({ hasText: 'changed after it was applied' })
        .first()
        .waitFor({ timeout: patient(50_000) });
      await picture('10-changed');
      const reset = dialog().getByRole('button', { name: 'Reset', exact: true });
      // The menu may be drawn again while it is clicked.
      await insist('The question before a reset does not appear.', async () => {
        if (await comes(reset)) return true;
        await page.keyboard.press('Escape');
        await page.locator('.statusbar-item[id$="headwater.target"] a').click();
        await pick(page, 'Reset Local Database');
        return false;
      });
      await untilNews(page, /The local database was created again: 3 files were run/, () => reset.click());
      await showConfig(page);
      await untilStatus(page, isHealthy);
      await treeRows().filter({ hasText: 'changed since' }).first().waitFor({ state: 'hidden' });
      await picture('11-mended');
    });

    it('reports a file that is gone', async () => {
      const { page } = workbench;
      rmSync(join(workbench.folder, dirname(migration[0]), migration[0].split('/').at(-1) ?? ''), {
        force: true,
      });
      await untilStatus(page, /was applied, but the file is gone/);
      await picture('12-gone');
    });

    it('keeps the address of its database when it starts again', async () => {
      const { page } = workbench;
      const address = async () =>
        /127\.0\.0\.1:\d+\/postgres/.exec((await linesOf(treeRows())).join('\n'))?.[0];
      const before = await address();
      match(before ?? '', /:\d+/);
      const entry = page.locator('.context-view .action-label', { hasText: 'Copy psql Command' });
      // A row that is drawn again while it is clicked shows no menu.
      await insist('The local database has no menu.', async () => {
        await treeRows().filter({ hasText: 'Local database' }).first().click({ button: 'right' });
        if (await comes(entry)) return true;
        await page.keyboard.press('Escape');
        return false;
      });
      await picture('13-context-menu');
      await page.keyboard.press('Escape');
      await runCommand(page, 'Headwater: Restart Local Service');
      await untilStatus(page, /local: (stopping|starting)/);
      await untilStatus(page, /was applied, but the file is gone/);
      await treeRows().filter({ hasText: 'Local database' }).first().waitFor();
      equal(await address(), before);
    });

    it('stops', async () => {
      const { page } = workbench;
      await runCommand(page, 'Headwater: Stop Local Service');
      await untilStatus(page, /local: off/);
    });

    const picture = (step: string) => takeScreenshot(workbench.page, `strangers-${name}-${step}`);
    const treeRows = (): Locator => serviceRows(workbench.page);
    const dialog = (): Locator => workbench.page.locator('.monaco-dialog-box');
  });
}

/** Shows the tab of an open file. In the list of files it may be out of sight. */
async function showConfig(page: Page): Promise<void> {
  await page.locator('.tab[data-resource-name="sync-config.yaml"]').click();
  await page.locator('.tab.active[data-resource-name="sync-config.yaml"]').waitFor();
  // Keys go to the tab until the editor has the focus.
  await page.locator('.part.editor .monaco-editor.focused').first().waitFor();
}

function put(folder: string, path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}
