/** What a row of the table in `features.ts` is, and the two forms of requests that it answers. */
import type {
  Connection,
  ServerCapabilities,
  TextDocumentIdentifier,
  TextDocumentPositionParams,
} from 'vscode-languageserver';
import type { LanguageSession, OpenConfig } from '../workspace/session.ts';

/**
 * One feature of the protocol. The answer itself is a pure function in `server/features`, from an analysis and
 * offsets to offsets; what stands here is the conversion.
 */
export interface Feature {
  /** What the client is told of it at the start. */
  readonly capabilities: ServerCapabilities;
  readonly answer: (connection: Connection, session: LanguageSession) => void;
}

/** Answers a request about a file with null if that is no config of ours, or if there is nothing to say. */
export function inConfig<P extends { readonly textDocument: TextDocumentIdentifier }, R>(
  session: LanguageSession,
  answer: (config: OpenConfig, params: P) => R | undefined,
): (params: P) => R | null {
  return (params) => {
    const config = session.find(session.host.readUri(params.textDocument.uri));
    return (config && answer(config, params)) ?? null;
  };
}

/** The same for a request about one place of a file. */
export function atPosition<P extends TextDocumentPositionParams, R>(
  session: LanguageSession,
  answer: (config: OpenConfig, offset: number, params: P) => R | undefined,
): (params: P) => R | null {
  return inConfig(session, (config, params: P) =>
    answer(config, config.document.offsetAt(params.position), params),
  );
}
