/** Where the page of a code is. */
import type { InitializeParams } from 'vscode-languageserver';
import { readClientOptions } from './clientOptions.ts';

/** Undefined if the client did not say where the pages are. */
export function pageOf(code: string, client: InitializeParams): string | undefined {
  const { codePages } = readClientOptions(client);
  return codePages === undefined ? undefined : `${codePages}/${code}.md`;
}
