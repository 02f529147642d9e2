/**
 * Deploys to PowerSync Cloud. The config is reviewed here, and sent by PowerSync's own command line in a visible terminal. The
 * user signs in to that program directly.
 */
import {
  type LogOutputChannel,
  l10n,
  ShellExecution,
  ShellQuoting,
  Task,
  TaskRevealKind,
  TaskScope,
  type TextDocument,
  tasks,
  Uri,
  window,
  workspace,
} from 'vscode';
import { type ReviewParams, type ReviewResult, reviewRequest } from '../../../server/protocol.ts';
import { missingProgram } from '../../deploying/cloudWords.ts';
import {
  cloudDeployArguments,
  fetchedName,
  findOfficialProgram,
  officialInstallation,
} from '../../project/cloud.ts';
import { linkName } from '../../project/link.ts';
import { readTextAt } from '../configs.ts';
import { loadDeployQuestion, loadOnDemand } from '../loading.ts';
import type { Services } from '../services.ts';
import { complain, complainWith, say } from './telling.ts';

export interface CloudProject {
  /** The folder of the workspace, in which the program runs. */
  readonly root: Uri;
  /** The folder that contains `cli.yaml`. */
  readonly directory: Uri;
  readonly instance: string | undefined;
}

/** Returns the cloud project of a sync config. The link is in the folder of the config or of the workspace. */
export async function findCloudProject(config: Uri): Promise<CloudProject | undefined> {
  const root = workspace.getWorkspaceFolder(config)?.uri;
  if (root === undefined || config.scheme !== 'file') return undefined;
  const { readCloudLink } = await loadOnDemand();
  for (const directory of [Uri.joinPath(config, '..'), Uri.joinPath(root, 'powersync'), root]) {
    const text = await readTextAt(Uri.joinPath(directory, linkName));
    const link = text === '' ? undefined : readCloudLink(text);
    if (text !== '') return link && { root, directory, instance: link.instance };
  }
  return undefined;
}

export async function deployInTerminal(
  { log, language }: Services,
  document: TextDocument,
  { root, directory, instance = l10n.t('unknown') }: CloudProject,
): Promise<void> {
  const before = (await readTextAt(Uri.joinPath(directory, fetchedName))) || undefined;
  const review = await language.ask<ReviewResult>(reviewRequest, {
    uri: document.uri.toString(),
    text: document.getText(),
    ...(before !== undefined && { before }),
  } satisfies ReviewParams);
  if (review !== undefined && review.errors > 0)
    return complain(log, l10n.t('The file has errors, so it is not deployed.'));
  const program = findOfficialProgram(root.fsPath, process.env);
  if (program === undefined) return offerInstallation(log, root);
  const { askBeforeCloud } = await loadDeployQuestion();
  if (!(await askBeforeCloud(instance, review, before))) return;
  const args = cloudDeployArguments({
    directory: directory.path === root.path ? '.' : workspace.asRelativePath(directory, false),
    config: workspace.asRelativePath(document.uri, false),
  });
  const code = await runInTerminal(program, args, root);
  if (code === 0) say(log, l10n.t("PowerSync's command line has deployed it."));
  else if (code !== undefined)
    complain(log, l10n.t("PowerSync's command line has failed. Its terminal shows the reason."));
}

/** Runs the program, and returns its exit code; undefined if the user ended it. */
function runInTerminal(program: string, args: readonly string[], root: Uri): Promise<number | undefined> {
  const folder = workspace.getWorkspaceFolder(root);
  const quoted = [program, ...args].map((value) => ({ value, quoting: ShellQuoting.Strong }));
  const [command = program, ...rest] = quoted;
  const task = new Task(
    { type: 'shell', id: 'headwater-cloud' },
    folder ?? TaskScope.Workspace,
    l10n.t('Deploy to PowerSync Cloud'),
    'headwater',
    new ShellExecution(command, rest, { cwd: root.fsPath }),
  );
  task.presentationOptions = { reveal: TaskRevealKind.Always, focus: true };
  return new Promise((resolve, reject) => {
    const listener = tasks.onDidEndTaskProcess(({ execution, exitCode }) => {
      if (execution.task.definition.id !== task.definition.id) return;
      listener.dispose();
      resolve(exitCode);
    });
    tasks.executeTask(task).then(undefined, (error: unknown) => {
      listener.dispose();
      reject(error);
    });
  });
}

/** Writes the installation command into a terminal without running it, because the installation changes the project. */
async function offerInstallation(log: LogOutputChannel, root: Uri): Promise<void> {
  if (!(await complainWith(log, missingProgram(officialInstallation), l10n.t('Show Command')))) return;
  const terminal = window.createTerminal({ name: 'PowerSync', cwd: root });
  terminal.show();
  terminal.sendText(officialInstallation, false);
}
