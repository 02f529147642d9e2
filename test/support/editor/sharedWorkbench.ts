/**
 * One workbench for the test files of `test/e2e/oneWindow/`, because opening a workbench takes more processor time than all steps
 * of a short file. Each test file starts with its own files in the folder, without open editors or a panel. After a failed step or
 * a second try, the next file opens a new workbench.
 */
import { cpSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import {
  keepFailures,
  openExplorer,
  openWorkbench,
  runCommand,
  type Workbench,
  workspaceFixture,
} from './workbench.ts';

interface Share {
  /** Returns the folder with the files that the suite needs. */
  readonly from?: () => string;
  /** The state that the suite leaves behind. A workbench with a service is closed, because other files would find the service. */
  readonly leaves?: 'nothing' | 'a service';
}

/** The workbench that the next test file gets. */
let kept: Workbench | undefined;

// This module is loaded outside of any suite, so mocha calls this hook after all test files.
after(() => takeKept()?.close());

/**
 * Opens or reuses the workbench for a suite. Must be called in the suite.
 * @param rig the prefix of the names of the suite's pictures
 */
export function shareWorkbench(
  rig: string,
  { from = () => workspaceFixture, leaves = 'nothing' }: Share = {},
): () => Workbench {
  let workbench: Workbench;
  let isSound = false;

  before(async () => {
    const files = from();
    workbench = (await reuseKept(files)) ?? (await openWorkbench(files));
    isSound = leaves === 'nothing';
  });

  keepFailures(rig, () => workbench);

  afterEach(function () {
    const test = this.currentTest;
    if (test === undefined || test.isFailed() || (test as RetriableTest).currentRetry() > 0) isSound = false;
  });

  after(async () => {
    if (isSound) kept = workbench;
    else await workbench.close();
  });

  return () => workbench;
}

/** A test of mocha, with a method that the types of mocha do not declare. */
type RetriableTest = Mocha.Test & { currentRetry(): number };

function takeKept(): Workbench | undefined {
  const taken = kept;
  kept = undefined;
  return taken;
}

/** Returns undefined if no workbench is kept, or if it cannot be prepared. */
async function reuseKept(files: string): Promise<Workbench | undefined> {
  const workbench = takeKept();
  if (workbench === undefined) return undefined;
  try {
    await prepare(workbench, files);
    return workbench;
  } catch (error) {
    console.log(`The workbench could not be shared, so another one is opened: ${error}`);
    await workbench.close();
    return undefined;
  }
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
