/** Programs of this folder, each in a process of its own: what measures must not wait for what attacks. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** Commands that set a priority. Without the right to raise it, `nice` warns and starts the program with the usual one. */
export const favoured = ['nice', '-n', '-10'] as const;
export const usual = ['nice', '-n', '0'] as const;
export const last = ['nice', '-n', '10'] as const;
export type Priority = typeof favoured | typeof usual | typeof last;

/** Node guesses that our files are modules: `docs/GOTCHAS.md`. */
const quietly = '--disable-warning=MODULE_TYPELESS_PACKAGE_JSON';

/** It gets `argument` as JSON, speaks through its channel, and has to end when that is closed. */
export function startBeside(file: string, argument: object, [command, ...priority]: Priority): ChildProcess {
  const path = fileURLToPath(new URL(file, import.meta.url));
  const args = [...priority, process.execPath, quietly, path, JSON.stringify(argument)];
  return spawn(command, args, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
}

/** The first message that is of this kind; fails when the process ends first. */
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
