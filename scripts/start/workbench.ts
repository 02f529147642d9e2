/** Opens VS Code with the extension and the example: on the desktop if `code` is available, otherwise in the browser. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { vsixPath } from '../package.ts';
import { startCodeServer } from '../rigs/editors/codeServer.ts';
import { installVsCode } from '../rigs/install.ts';
import { beforeTheEnd } from '../rigs/process.ts';
import type { Choices } from './choices.ts';
import { openDesktop } from './desktop.ts';

export interface Opening {
  /** The absolute path of the folder. The other path is also absolute. */
  readonly folder: string;
  readonly file: string;
  readonly settings: Readonly<Record<string, unknown>>;
  /** Environment variables for the extension. */
  readonly env: Readonly<Record<string, string>>;
}

export type Workbench =
  | {
      readonly kind: 'browser';
      /** The address that opens the folder. */
      readonly address: string;
      /** The address that opens the folder and the file. */
      readonly url: string;
      readonly ended: Promise<string>;
    }
  /** A desktop VS Code. It ends normally when the user closes the window. */
  | { readonly kind: 'desktop'; readonly program: string; readonly ended: Promise<number> }
  | { readonly kind: 'missing'; readonly sentence: string };

export async function openWorkbench(opening: Opening, { open, port }: Choices): Promise<Workbench> {
  const program = findCode();
  if (program !== undefined && open && port === undefined) return openDesktop(program, vsixPath(), opening);
  const vsCode = await installVsCode();
  if (vsCode.kind === 'missing') return { kind: 'missing', sentence: `${vsCode.what}. ${vsCode.fix}` };
  const { folder, file, settings, env } = opening;
  try {
    const options = { vsix: [vsixPath()], folder, settings, env, ...(port !== undefined && { port }) };
    const server = await startCodeServer(vsCode, { purpose: 'user-interface', ...options });
    // The server must stop before the service, because it would restart the service.
    beforeTheEnd(server.stop);
    const payload = JSON.stringify([['openFile', `vscode-remote://${server.host}${file}`]]);
    const address = `http://${server.host}/`;
    const url = `${address}?${new URLSearchParams({ folder, payload })}`;
    if (open) openInBrowser(url);
    const ended = server.ended.then(() => `VS Code has ended by itself.\n${server.log()}`);
    return { kind: 'browser', address, url, ended };
  } catch (error) {
    return { kind: 'missing', sentence: error instanceof Error ? error.message : String(error) };
  }
}

function findCode(): string | undefined {
  const name = process.platform === 'win32' ? 'code.cmd' : 'code';
  const folders = (process.env.PATH ?? '').split(delimiter);
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}

/** Opens a browser if there is one. Otherwise, the printed address is enough. */
function openInBrowser(url: string): void {
  const hasScreen = process.env.DISPLAY !== undefined || process.env.WAYLAND_DISPLAY !== undefined;
  if (process.platform === 'darwin') spawnSync('open', [url]);
  else if (hasScreen) spawnSync('xdg-open', [url], { timeout: 5000 });
}
