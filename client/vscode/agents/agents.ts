/**
 * The tools for language models in VS Code. VS Code does not get the same tools over MCP, because it would list each of them
 * twice.
 */
import {
  type CancellationToken,
  Disposable,
  type ExtensionContext,
  LanguageModelTextPart,
  LanguageModelToolResult,
  lm,
  Uri,
  workspace,
} from 'vscode';
import type { ToolClient } from '../../agents/client.ts';
import { t } from '../../l10n.ts';
import { loadOnDemand } from '../loading.ts';

/** The types of tools, which extensions can use since VS Code 1.95, while we also support older versions. */
declare module 'vscode' {
  namespace lm {
    /** Absent in old versions. Until 1.94, it throws, because it is only a proposal. */
    const registerTool: ((name: string, tool: object) => Disposable) | undefined;
  }
  /** Exists if tools can be registered. */
  const LanguageModelToolResult: new (content: readonly object[]) => object;
  const LanguageModelTextPart: new (text: string) => object;
}

interface DeclaredTool {
  readonly name: string;
  readonly displayName: string;
  readonly tags: readonly string[];
}

interface Manifest {
  readonly contributes: { readonly languageModelTools: readonly DeclaredTool[] };
}

interface Invocation {
  readonly input: Readonly<Record<string, unknown>>;
}

export function provideAgents({ extensionUri, extension }: ExtensionContext): Disposable {
  const { contributes } = extension.packageJSON as Manifest;
  const node = process.execPath;
  const program = Uri.joinPath(extensionUri, 'dist/cli.js').fsPath;
  let client: Promise<ToolClient> | undefined;

  const toolOf = ({ name, displayName, tags }: DeclaredTool) => ({
    prepareInvocation: () =>
      tags.includes('changes') && {
        confirmationMessages: {
          title: displayName,
          message: t('Only the local service is changed.'),
        },
      },
    async invoke({ input }: Invocation, { onCancellationRequested }: CancellationToken) {
      client ??= loadOnDemand().then(({ openToolClient }) => openToolClient({ node, program, folderFor }));
      const text = await (await client).call(name, input, onCancellationRequested);
      return new LanguageModelToolResult([new LanguageModelTextPart(text)]);
    },
  });

  return Disposable.from(
    ...contributes.languageModelTools.flatMap((tool) => register(tool.name, toolOf(tool))),
    { dispose: () => void client?.then((opened) => opened.dispose()) },
  );
}

/** Registers a tool, if extensions can do that in this VS Code. */
function register(name: string, tool: object): readonly Disposable[] {
  try {
    return lm.registerTool === undefined ? [] : [lm.registerTool(name, tool)];
  } catch {
    return [];
  }
}

/** Returns the workspace folder of a file. Names are compared as the editor does on this system. */
function folderFor(file: string | undefined): string | undefined {
  const all = (workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
  const around = file === undefined ? undefined : workspace.getWorkspaceFolder(Uri.file(file));
  return (all.find(({ index }) => index === around?.index) ?? all[0])?.uri.fsPath;
}
