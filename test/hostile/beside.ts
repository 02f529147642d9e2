/** Starts programs of this folder in separate processes, so that measuring never waits for attacking. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** Commands that set a priority. Without the right to raise it, `nice` warns and starts the program with the usual one. */
export const favoured = ['nice', '-n', '-10'] as const;
export const usual = ['nice', '-n', '0'] as const;
export const last = ['nice', '-n', '10'] as const;
export type Priority = typeof favoured | typeof usual | typeof last;

/** Suppresses the warning that Node had to guess that our files are modules: see `docs/GOTCHAS.md`. */
const quietly = '--disable-warning=MODULE_TYPELESS_PACKAGE_JSON';

/** Starts a program. It gets `argument` as JSON, sends messages over its channel, and must exit when the channel closes. */
export function startBeside(file: string, argument: object, [command, ...priority]: Priority): ChildProcess {
  const path = fileURLToPath(new URL(file, import.meta.url));
  const args = [...priority, process.execPath, quietly, path, JSON.stringify(argument)];
  return spawn(command, args, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
}

/** Returns the first message of this kind. Fails if the process ends before it sends one. */
export function messageOf<T>(child: ChildProcess, kind: string): Promise<T> {
  return new Promise((resolve, reject) => {
    child.on('message', (message: { readonly kind: string }) => {
      if (message.kind === kind) resolve(message as T);
    });
    child.once('error', reject);
    child.once('close', (code) => reject(new Error(`It ended with code ${code} before it said "${kind}".`)));
  });
}

export async function endOf(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'close');
}
