/** A project on the disk of Windows, in a folder with blanks and other letters, and `headwater` in it. */
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { inject } from 'vitest';
import { root } from '../../../scripts/root.ts';
import { type WindowsProcess, windowsAt, windowsPath } from './machine.ts';
import type { StartOrder } from './orders.ts';

interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

type More = Partial<StartOrder> & { readonly input?: string };

export interface WindowsProject {
  /** As this machine writes it. */
  readonly folder: string;
  path(name: string): string;
  write(name: string, text: string): void;
  read(name: string): string;
  headwater(args: readonly string[], more?: More): Promise<Ran>;
  start(args: readonly string[], more?: More): WindowsProcess;
  remove(): void;
}

export const windows = windowsAt(inject('windowsPort'));
export const program = (name: string): string => windowsPath(join(root, 'dist', name));

export function openProject(files: Readonly<Record<string, string>> = {}): WindowsProject {
  const above = mkdtempSync(join(realpathSync.native(tmpdir()), 'headwater-'));
  const folder = join(above, 'My app é 日本');
  mkdirSync(folder);
  const path = (name: string): string => join(folder, name);
  const order = (args: readonly string[], more: More = {}) => ({
    cwd: windowsPath(folder),
    ...more,
    args: [program('cli.js'), ...args],
  });
  const project: WindowsProject = {
    folder,
    path,
    write(name, text) {
      mkdirSync(dirname(path(name)), { recursive: true });
      writeFileSync(path(name), text);
    },
    read: (name) => readFileSync(path(name), 'utf8'),
    headwater: (args, more) => windows.run(order(args, more)),
    start: (args, more) => windows.start(order(args, more)),
    remove: () => rmSync(above, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }),
  };
  for (const [name, text] of Object.entries(files)) project.write(name, text);
  return project;
}
