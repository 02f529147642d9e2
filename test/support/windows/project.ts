/** A project on the disk of Windows, and functions that run `headwater` in it. Its folder has spaces and non-ASCII letters. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
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
  /** The folder, in the notation of this machine. */
  readonly folder: string;
  path(name: string): string;
  write(name: string, text: string): void;
  read(name: string): string;
  headwater(args: readonly string[], more?: More): Promise<Ran>;
  start(args: readonly string[], more?: More): WindowsProcess;
  /**
   * Starts a program that opens a file as a virus scanner does: other programs may read and write the file, but not replace it.
   * The program closes the file soon after another file exists whose name begins with `until`: the draft that will replace it.
   */
  hold(name: string, until: string): Promise<WindowsProcess>;
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
    async hold(name, until) {
      const args = ['-e', holding(name, until)];
      const holder = windows.start({ args, cwd: windowsPath(folder) });
      await holder.shows(/held/);
      return holder;
    },
    remove: () => rmSync(above, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }),
  };
  for (const [name, text] of Object.entries(files)) project.write(name, text);
  return project;
}

/** Another path of a folder. In Wine, it is a link. */
export interface Alias {
  /** The path, in the notation of Windows. */
  readonly path: string;
  goAway(): void;
  comeBack(): void;
}

/** Whether tests can create aliases. On a real Windows, only administrators create shares, and all users would see a drive. */
export const hasAliases = inject('windowsDevices') !== undefined;

/** Returns the folder as a network share: `\\nas\headwater-x`. */
export function shareOf({ folder }: WindowsProject): Alias {
  const name = basename(dirname(folder));
  return aliasOf(folder, join('unc/nas', name), `\\\\nas\\${name}`);
}

/** Returns the folder as a separate drive, as `subst` creates it. */
export function driveOf({ folder }: WindowsProject): Alias {
  const letters = [...'wvutsrqponmlkjihgfed'].filter((letter) => !existsSync(deviceAt(`${letter}:`)));
  const letter = letters[process.pid % letters.length] ?? 'y';
  return aliasOf(folder, `${letter}:`, `${letter.toUpperCase()}:`);
}

function aliasOf(folder: string, device: string, path: string): Alias {
  const link = deviceAt(device);
  const comeBack = (): void => {
    mkdirSync(dirname(link), { recursive: true });
    // A killed run may have left a broken link.
    rmSync(link, { force: true });
    symlinkSync(folder, link);
  };
  comeBack();
  return { path, comeBack, goAway: () => rmSync(link, { force: true }) };
}

function deviceAt(name: string): string {
  return join(inject('windowsDevices') ?? '', name);
}

/** Returns a program that opens a file with SQLite, because other programs can replace a file that Node itself has opened. */
function holding(name: string, until: string): string {
  return `const { DatabaseSync } = require('node:sqlite');
    const held = new DatabaseSync(${JSON.stringify(name)});
    console.log('held');
    const watch = setInterval(() => {
      if (!fs.readdirSync('.').some((name) => name.startsWith(${JSON.stringify(until)}))) return;
      clearInterval(watch);
      setTimeout(() => held.close(), 100);
    }, 10);`;
}
