/** The state outside of the server during a walk: open texts, a disk, settings and services. */
import type { ClientCapabilities } from 'vscode-languageserver';
import { bareHost } from '../../server/lsp/host/host.ts';
import { serviceSchemaRequest } from '../../server/protocol.ts';
import { type Client, connectClient } from '../support/editor/client.ts';
import { memoryFiles } from '../support/editor/memoryFiles.ts';
import type { Place } from './requests.ts';

export interface World {
  /** The open texts, in the order in which they were opened. */
  readonly open: Map<string, string>;
  readonly disk: Map<string, string>;
  folders: readonly string[];
  settings: unknown;
  /** The last answer of the services of each folder. */
  readonly answers: Map<string, unknown>;
}

/** The key of the answer for all folders without their own answer. */
export const everywhere = '';

export const folders: readonly string[] = ['file:///w/app/', 'file:///w/other/'];

const capabilities: ClientCapabilities = {
  textDocument: {
    diagnostic: {},
    completion: { completionItem: { snippetSupport: true } },
    codeAction: { disabledSupport: true },
  },
  workspace: {
    configuration: true,
    workspaceFolders: true,
    diagnostics: { refreshSupport: true },
    workspaceEdit: { documentChanges: true, resourceOperations: ['create'] },
  },
};

/** Starts a server that has this world from its start, without the history of the walk. */
export async function enter(world: World, log: (message: string) => void): Promise<Client> {
  const client = await connectClient(capabilities, {
    host: { ...bareHost, environmentNames: () => ['PGHOST', 'PGPASSWORD'], files: memoryFiles(world.disk) },
    folders: world.folders,
    initializationOptions: { commands: ['headwater.deploy'] },
    settings: () => world.settings,
    log,
  });
  for (const [folder, answer] of world.answers)
    await client.request(serviceSchemaRequest, {
      ...(folder !== everywhere && { folder }),
      answer,
      takenAt: '',
    });
  for (const [uri, text] of world.open) await client.open(uri, text);
  return client;
}

export function placesIn(world: World): readonly Place[] {
  return [...world.open].map(([uri, text]) => ({ uri, text }));
}
