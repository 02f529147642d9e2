/** VS Code with the extension, on the example: a desktop one if there is a `code`, else one in the browser. */
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
  /** Both absolute. */
  readonly folder: string;
  readonly file: string;
  readonly settings: Readonly<Record<string, unknown>>;
  /** Variables for the extension. */
  readonly env: Readonly<Record<string, string>>;
}

export type Workbench =
  | {
      readonly kind: 'browser';
      /** Opens the folder. */
      readonly address: string;
      /** The address, which also opens the file. */
      readonly url: string;
      readonly ended: Promise<string>;
    }
  /** Its end is wished for: someone closes the window. */
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
    // Before the service: it would start that again.
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

/** Opens a browser if there is one. The printed address is enough otherwise. */
function openInBrowser(url: string): void {
  const hasScreen = process.env.DISPLAY !== undefined || process.env.WAYLAND_DISPLAY !== undefined;
  if (process.platform === 'darwin') spawnSync('open', [url]);
  else if (hasScreen) spawnSync('xdg-open', [url], { timeout: 5000 });
}
