/** The task `headwater: validate`, which reports the findings for a folder in the terminal and in the Problems view. */
import {
  type Disposable,
  type ExtensionContext,
  ProcessExecution,
  Task,
  TaskGroup,
  TaskScope,
  tasks,
  Uri,
  workspace,
} from 'vscode';
import { syncPatterns } from '../../server/shared/places.ts';

interface Definition {
  readonly type: 'headwater';
  readonly task: 'validate';
  /** The paths of the files from the folder of the workspace. */
  readonly files?: readonly string[];
}

const mostFiles = 200;

export function provideTasks({ extensionUri }: ExtensionContext): Disposable {
  const program = Uri.joinPath(extensionUri, 'dist/cli.js').fsPath;
  return tasks.registerTaskProvider('headwater', {
    async provideTasks() {
      const found = await workspace.findFiles(syncPatterns[0], '**/node_modules/**', mostFiles);
      const files = found.map((uri) => workspace.asRelativePath(uri, false));
      return files.length === 0 ? [] : [toTask({ type: 'headwater', task: 'validate' }, files, program)];
    },
    resolveTask({ definition }) {
      const { task, files } = definition as Partial<Definition>;
      if (task !== 'validate' || files === undefined) return undefined;
      return toTask({ ...definition, type: 'headwater', task }, files, program);
    },
  });
}

function toTask(definition: Definition, files: readonly string[], program: string): Task {
  const execution = new ProcessExecution(process.execPath, [program, 'validate', '--', ...files], {
    env: { ELECTRON_RUN_AS_NODE: '1' },
  });
  const task = new Task(definition, TaskScope.Workspace, 'validate', 'headwater', execution, '$headwater');
  task.group = TaskGroup.Test;
  return task;
}
