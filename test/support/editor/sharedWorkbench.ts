/**
 * One workbench for suites that follow each other, such as all of `test/e2e/oneWindow/`, because opening a workbench takes more
 * processor time than all steps of a short suite. Each suite starts with its own files in the folder, without open editors or a
 * panel. After a failed step or a second try, the next suite opens a new workbench.
 */
import { cpSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import {
  keepFailures,
  openExplorer,
  openWorkbench,
  runCommand,
  type Workbench,
  type WorkbenchOptions,
  workspaceFixture,
} from './workbench.ts';

/** The workbench is shared with suites for which these are the same. */
type Window = Pick<WorkbenchOptions, 'settings' | 'env'>;

interface Share extends Window {
  /** Returns the folder with the files that the suite needs. */
  readonly from?: () => string | Promise<string>;
  /**
   * The state that the suite leaves behind. A workbench with a service is closed, because other suites would find the service. So is
   * one that no other suite can use, because also an idle workbench takes processor time.
   */
  readonly leaves?: 'nothing' | 'a service';
}

/** The workbench that the next suite gets, and its settings and variables. */
let kept: { readonly workbench: Workbench; readonly window: string } | undefined;

// This module is loaded outside of any suite, so mocha calls this hook after all test files.
after(() => takeKept()?.workbench.close());

/**
 * Opens or reuses the workbench for a suite. Must be called in the suite.
 * @param rig the prefix of the names of the suite's pictures
 */
export function shareWorkbench(
  rig: string,
  { from = () => workspaceFixture, settings = {}, env = {}, leaves = 'nothing' }: Share = {},
): () => Workbench {
  let workbench: Workbench;
  let isSound = false;
  const window = JSON.stringify({ settings, env });

  before(async () => {
    const files = await from();
    workbench = (await reuseKept(files, window)) ?? (await openWorkbench(files, { settings, env }));
    isSound = leaves === 'nothing';
  });

  keepFailures(rig, () => workbench);

  afterEach(function () {
    const test = this.currentTest;
    if (test === undefined || test.isFailed() || (test as RetriableTest).currentRetry() > 0) isSound = false;
  });

  after(async () => {
    if (isSound) kept = { workbench, window };
    else await workbench?.close();
  });

  return () => workbench;
}

/** A test of mocha, with a method that the types of mocha do not declare. */
type RetriableTest = Mocha.Test & { currentRetry(): number };

function takeKept(): typeof kept {
  const taken = kept;
  kept = undefined;
  return taken;
}

/** Returns undefined if no such workbench is kept, or if it cannot be prepared. */
async function reuseKept(files: string, window: string): Promise<Workbench | undefined> {
  const former = takeKept();
  if (former === undefined) return undefined;
  const { workbench } = former;
  try {
    if (former.window === window) {
      await prepare(workbench, files);
      return workbench;
    }
  } catch (error) {
    console.log(`The workbench could not be shared, so another one is opened: ${error}`);
  }
  await workbench.close();
  return undefined;
}

async function prepare({ page, folder }: Workbench, files: string): Promise<void> {
  await page.keyboard.press('Escape');
  await runCommand(page, 'Notifications: Clear All Notifications');
  await runCommand(page, 'View: Close All Editor Groups');
  const question = page.locator('.monaco-dialog-box .monaco-button', { hasText: "Don't Save" });
  const empty = page.locator('.editor-group-container.empty');
  await question.or(empty).first().waitFor();
  if (await question.isVisible()) await question.click();
  await empty.waitFor();
  const panel = page.locator('.part.panel');
  if (await panel.isVisible()) await page.keyboard.press('Control+J');
  await panel.waitFor({ state: 'hidden' });

  const former = readdirSync(folder);
  for (const name of former) rmSync(join(folder, name), { recursive: true });
  cpSync(files, folder, { recursive: true });
  await openExplorer(page);
  const rowOf = (name: string) =>
    page.locator(`.explorer-folders-view .monaco-list-row[aria-label="${name}"]`);
  const present = readdirSync(folder);
  for (const name of former) if (!present.includes(name)) await rowOf(name).waitFor({ state: 'detached' });
  for (const name of present) await rowOf(name).waitFor();
}
