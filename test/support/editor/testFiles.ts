/** A workspace in memory with access tests, and a client of the language server for this workspace. */
import type { Diagnostic, DocumentDiagnosticReport } from 'vscode-languageserver';
import type { RunSeeds } from '../../../server/engine/index.ts';
import { bareHost } from '../../../server/lsp/host/host.ts';
import { openJudge } from '../../../server/shared/claimJudge.ts';
import { roomsConfig } from '../engine/accessTests.ts';
import { type Client, canPull, connectClient } from './client.ts';
import { memoryFiles } from './memoryFiles.ts';

export const folder = 'file:///w/';
export const testsUri = `${folder}rooms.sync-test.yaml`;
export const configUri = `${folder}sync.yaml`;

export const roomsTables = `CREATE TABLE rooms (id text PRIMARY KEY, org text NOT NULL);
CREATE TABLE messages (id text PRIMARY KEY, room_id text, body text);
CREATE TABLE members (id text PRIMARY KEY, room_id text, user_id text);
`;

export const roomsTests = `config: sync.yaml
users:
  ada: { id: u1, claims: { org: acme } }
  eve: { id: u2, claims: { org: evil } }
rows:
  rooms:
    - { id: r1, org: acme }
  members:
    - { id: m1, room_id: r1, user_id: u1 }
tests:
  - name: a room is for its org
    expect:
      ada: { rooms: [r1] }
      eve: nothing
`;

interface TestWorkspace {
  readonly client: Client;
  readonly texts: Map<string, string>;
}

/** @param further files to add to the config and its tables */
export async function openTestWorkspace(
  further: Readonly<Record<string, string>> = {},
  options: {
    readonly tests?: 'shown';
    readonly judge?: 'none';
    /** Runs SQL files in a database. */
    readonly runSeeds?: RunSeeds;
    readonly sql?: 'only read';
    /** Delays the list of files until this promise resolves. */
    readonly listed?: Promise<void>;
    /** The current time in milliseconds. Absent: the clock of the machine. */
    readonly now?: () => number;
  } = {},
): Promise<TestWorkspace> {
  const texts = new Map(
    Object.entries({ 'sync.yaml': roomsConfig, 'migrations/1.sql': roomsTables, ...further }).map(
      ([path, text]) => [new URL(path, folder).href, text],
    ),
  );
  const files = memoryFiles(texts);
  const host = {
    ...bareHost,
    files: {
      ...files,
      list: async (...asked: Parameters<typeof files.list>) => {
        await options.listed;
        return files.list(...asked);
      },
    },
    ...(options.judge !== 'none' && { openJudge }),
    ...(options.runSeeds && { runSeeds: options.runSeeds }),
    clock: {
      ...bareHost.clock,
      ...(options.now && { now: options.now }),
      ...(options.runSeeds && { wait: bareHost.clock.rest }),
    },
  };
  const workspaceEdit = { documentChanges: true };
  const client = await connectClient(
    {
      ...canPull,
      textDocument: { ...canPull.textDocument, definition: { linkSupport: true } },
      workspace: { workspaceEdit, diagnostics: { refreshSupport: true } },
    },
    {
      host,
      folders: [folder],
      initializationOptions: {
        commands: ['headwater.runTests'],
        ...(options.tests && { tests: options.tests }),
        ...(options.sql && { sql: options.sql }),
      },
    },
  );
  return { client, texts };
}

export function itemsOf(report: DocumentDiagnosticReport): readonly Diagnostic[] {
  if (report.kind !== 'full') throw new Error('Nothing has changed.');
  return report.items;
}
