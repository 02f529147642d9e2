/** The agent tools for VS Code. They call `headwater mcp`, which is started at the first call, once for each folder. */
import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

interface ToolPrograms {
  /** The path of the Node that runs the program. */
  readonly node: string;
  readonly program: string;
  /** Returns the current workspace folder that contains the file, or the first workspace folder. */
  readonly folderFor: (file: string | undefined) => string | undefined;
}

export interface ToolClient {
  /** Returns the answer as JSON, even if it is an error. */
  readonly call: (
    name: string,
    input: Readonly<Record<string, unknown>>,
    onCancel: (cancel: () => void) => void,
  ) => Promise<string>;
  readonly dispose: () => void;
}

export function openToolClient({ node, program, folderFor }: ToolPrograms): ToolClient {
  const connections = new Map<string, Connection>();

  function connectionIn(folder: string): Connection {
    const known = connections.get(folder);
    if (known !== undefined) return known;
    const child = spawn(node, [program, 'mcp', folder], {
      stdio: ['pipe', 'pipe', 'ignore'],
      env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
    });
    const connection = connect(child, () => connections.delete(folder));
    connections.set(folder, connection);
    return connection;
  }

  return {
    async call(name, input, onCancel) {
      const folder = folderFor(typeof input.file === 'string' ? input.file : undefined);
      if (folder === undefined) throw new Error('No folder on this machine is open.');
      return connectionIn(folder).call({ name: name.replace(prefix, ''), arguments: input }, onCancel);
    },
    dispose() {
      for (const { child } of connections.values()) child.kill();
    },
  };
}

/** The prefix of the tool names in package.json, because an editor also has the tools of other extensions. */
const prefix = 'headwater_';

interface Connection {
  readonly child: ChildProcess;
  readonly call: (params: object, onCancel: (cancel: () => void) => void) => Promise<string>;
}

interface Waiting {
  readonly resolve: (text: string) => void;
  readonly reject: (error: Error) => void;
}

function connect(child: ChildProcess, onEnd: () => void): Connection {
  const waiting = new Map<number, Waiting>();
  let last = 0;
  const end = (): void => {
    onEnd();
    for (const { reject } of waiting.values()) reject(new Error('The tool process has ended.'));
    waiting.clear();
  };
  child.on('error', end).on('close', end);
  // Writing to a process that has ended is not a failure.
  child.stdin?.on('error', () => {});
  const send = (message: object): void => {
    child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  };
  if (child.stdout)
    createInterface({ input: child.stdout }).on('line', (line) => {
      const { id, result, error } = JSON.parse(line) as Answer;
      const asked = waiting.get(id);
      waiting.delete(id);
      const text = result?.content[0]?.text;
      if (text === undefined) asked?.reject(new Error(error?.message ?? 'No answer.'));
      else asked?.resolve(text);
    });
  return {
    child,
    call: (params, onCancel) =>
      new Promise((resolve, reject) => {
        last += 1;
        const id = last;
        waiting.set(id, { resolve, reject });
        send({ id, method: 'tools/call', params });
        onCancel(() => {
          if (!waiting.delete(id)) return;
          send({ method: 'notifications/cancelled', params: { requestId: id } });
          reject(new Error('Cancelled.'));
        });
      }),
  };
}

interface Answer {
  readonly id: number;
  readonly result?: { readonly content: readonly { readonly text: string }[] };
  readonly error?: { readonly message: string };
}
