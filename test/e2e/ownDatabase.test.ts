import { match } from 'node:assert/strict';
import { join } from 'node:path';
import { root } from '../../scripts/root.ts';
import { startAndDeploy } from '../support/editor/localService.ts';
import { untilStatus } from '../support/editor/statusBar.ts';
import {
  answer,
  editorLines,
  keepFailures,
  linesOf,
  openFile,
  openWorkbench,
  pick,
  runCommand,
  takeScreenshot,
  type Workbench,
} from '../support/editor/workbench.ts';

/** One session: each step starts where the one before has ended. */
describe('A local service that needs nothing else', () => {
  let workbench: Workbench;

  before(async () => {
    workbench = await openWorkbench(join(root, 'examples/todo'));
  });

  keepFailures('own-database', () => workbench);

  after(() => workbench?.close());

  it('has a database of its own, made by the tables of the project', async () => {
    const { page } = workbench;
    await openFile(page, 'sync.yaml');
    await startAndDeploy(page, 'With an embedded database');
    await takeScreenshot(page, 'own-database-1-healthy');
  });

  it('explains a row that is only thought of', async () => {
    const { page } = workbench;
    await runCommand(page, 'Headwater: Explain Row');
    await pick(page, 'lists');
    await answer(page, 'Explain Row: Row', '{"id": "1", "owner_id": "user-1", "name": "Groceries"}');
    await editorLines(page).filter({ hasText: 'Groceries' }).first().waitFor();
    match((await linesOf(editorLines(page))).join('\n'), /lists.*sync\.yaml:9:\d+\n.*"user-1"/);
    await takeScreenshot(page, 'own-database-2-explained');
  });

  it('restarts, and has what it had', async () => {
    const { page } = workbench;
    await runCommand(page, 'Headwater: Restart Local Service');
    await untilStatus(page, /local: (stopping|starting)/);
    await untilStatus(page, /^\s*local\s*$/);
  });

  it('stops', async () => {
    const { page } = workbench;
    await runCommand(page, 'Headwater: Stop Local Service');
    await untilStatus(page, /local: off/);
  });
});
