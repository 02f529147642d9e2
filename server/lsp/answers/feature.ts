/** What a row of the table in `features.ts` is, and what its answers are made from. */
import type { Connection, InitializeParams, ServerCapabilities } from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { Analysis } from '../../engine/index.ts';
import type { Host } from '../host/host.ts';
import type { Schema } from '../workspace/schemas.ts';
import type { Settings } from '../workspace/settings.ts';

/**
 * One feature of the protocol. The answer itself is a pure function in `server/features`, from an analysis and
 * offsets to offsets; what stands here is the conversion.
 */
export interface Feature {
  /** What the client is told of it at the start. */
  readonly capabilities: ServerCapabilities;
  readonly answer: (connection: Connection, session: Session) => void;
}

export interface Session {
  /** An open sync or service config as it is now; undefined for anything else. */
  readonly find: (uri: string) => OpenConfig | undefined;
  /** Those of the workspace: open ones in the order in which they were opened, then those on disk. */
  readonly all: () => readonly OpenConfig[];
  /** The folder of the workspace that a file is in; outside of all, its own. */
  readonly folderOf: (uri: string) => string;
  /** What is known of the source of a config. */
  readonly schemaOf: (uri: string) => Schema | undefined;
  /** A file of the workspace that makes tables. */
  readonly textOf: (uri: string) => TextDocument | undefined;
  readonly settings: () => Settings;
  /** What the client said of itself at the start. */
  readonly client: InitializeParams;
  readonly host: Host;
}

export interface OpenConfig {
  readonly document: TextDocument;
  readonly analysis: Analysis;
}
