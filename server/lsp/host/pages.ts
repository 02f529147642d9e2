/** Addresses of the pages that explain codes. */
import type { InitializeParams } from 'vscode-languageserver';
import { readClientOptions } from './clientOptions.ts';

/** Returns undefined if the client did not announce the address of the pages. */
export function pageOf(code: string, client: InitializeParams): string | undefined {
  const { codePages } = readClientOptions(client);
  return codePages === undefined ? undefined : `${codePages}/${code}.md`;
}
