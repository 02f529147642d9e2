import { equal } from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../scripts/root.ts';
import { patient } from '../../scripts/run/patience.ts';
import { untilStatus } from '../support/editor/statusBar.ts';
import {
  keepFailures,
  openRunningWorkbench,
  runCommand,
  takeScreenshot,
  type Workbench,
} from '../support/editor/workbench.ts';
import { type RunningProcess, startProcess, until } from '../support/processes/runningProcess.ts';

/** Far more than a service, a client and a workbench need together on an idle, fast machine. */
const startSeconds = 120;

describe('npm start', () => {
  let start: RunningProcess;
  let workbench: Workbench;

  before(async function () {
    this.timeout(patient((startSeconds + 60) * 1000));
    const args = [join(root, 'scripts/bootstrap.mjs'), 'start', '--no-open', '--built'];
    start = startProcess(process.execPath, args, { cwd: root, env: process.env });
    await until(start, () => start.out().includes('Ctrl-C ends it.'), startSeconds);
    const [, url = ''] = /^ready (.*)$/m.exec(start.out()) ?? [];
    workbench = await openRunningWorkbench(url, async () => {
      start.child.kill('SIGINT');
      await start.ended;
    });
  });

  keepFailures('start', () => workbench);

  after(() => workbench?.close());

  it('opens a workbench that takes the running service for its own, and healthy', async () => {
    await untilStatus(workbench.page, /^\s*local\s*$/);
    await takeScreenshot(workbench.page, 'start-1-healthy');
  });

  it('continues when the workbench starts the service again', async () => {
    await runCommand(workbench.page, 'Headwater: Restart Local Service');
    await until(start, () => start.out().includes('service  The local service ended.'));
    await untilStatus(workbench.page, /^\s*local\s*$/);
    start.child.stdin?.write('After the restart\n');
    await until(start, () => start.out().includes('client   + [ ] After the restart'));
  });

  it('leaves nothing of such a service either', async () => {
    const data = /Data {7}(\S+)/.exec(start.out())?.[1] ?? '';
    equal(existsSync(data), true);
    start.child.kill('SIGINT');
    equal(await start.ended, 130);
    equal(existsSync(data), false);
  });
});
