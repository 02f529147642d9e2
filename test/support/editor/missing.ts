/** The names that an editor or the CLI reports as missing in the source. */
import type { DocumentDiagnosticReport } from 'vscode-languageserver';
import { bareHost } from '../../../server/lsp/host/host.ts';
import { canPull, connectClient } from './client.ts';
import { memoryFiles } from './memoryFiles.ts';

interface Message {
  readonly code: string;
  readonly message: string;
}

/** Returns the missing tables and columns in the findings of a file. */
export function missingNamesIn(messages: readonly Message[]): readonly string[] {
  return messages.filter(({ code }) => /^unknown-(?:table|column)$/.test(code)).map(({ message }) => message);
}

/** Returns the missing names in an answer of `headwater validate --json`. */
export function missingInAnswer(answer: unknown): readonly string[] {
  const { files } = answer as { readonly files: readonly { readonly diagnostics: readonly Message[] }[] };
  return missingNamesIn(files.flatMap(({ diagnostics }) => diagnostics));
}

export async function missingInEditor(
  files: Readonly<Record<string, string>>,
  config: string,
): Promise<readonly string[]> {
  const workspace = 'file:///w/';
  const texts = new Map(Object.entries(files).map(([path, text]) => [new URL(path, workspace).href, text]));
  const host = { ...bareHost, files: memoryFiles(texts) };
  const client = await connectClient(canPull, { host, folders: [workspace] });
  const uri = new URL(config, workspace).href;
  await client.open(uri, files[config] ?? '');
  const report: DocumentDiagnosticReport = await client.pull(uri);
  await client.dispose();
  return report.kind === 'full' ? missingNamesIn(report.items as unknown as readonly Message[]) : [];
}
