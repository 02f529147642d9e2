/** One row of the table in `features.ts`, and the forms of requests that a row answers. */
import {
  type Connection,
  LSPErrorCodes,
  ResponseError,
  type ServerCapabilities,
  type TextDocumentIdentifier,
  type TextDocumentPositionParams,
} from 'vscode-languageserver';
import type { LanguageSession, OpenConfig } from '../workspace/session.ts';

/**
 * One feature of the protocol. The answer itself is computed in `server/features` by a pure function from an analysis and offsets
 * to offsets. Here it is only converted.
 */
export interface Feature {
  /** The capabilities that are announced to the client at the start. */
  readonly capabilities: ServerCapabilities;
  readonly answer: (connection: Connection, session: LanguageSession) => void;
}

interface FileParams {
  readonly textDocument: TextDocumentIdentifier;
}

/**
 * An answer that is not a promise, because its offsets are converted to places in a document that may change during a wait. Answers
 * that have to wait use {@link afterReading}.
 */
type AtOnce = object & { readonly then?: undefined };

/** Handles a request about a config. The answer is null if the file is not one of our configs, or if there is nothing to answer. */
export function inConfig<P extends FileParams, R extends AtOnce>(
  session: LanguageSession,
  answer: (config: OpenConfig, params: P) => R | undefined,
): (params: P) => R | null {
  return (params) => {
    const config = configOf(session, params);
    return (config && answer(config, params)) ?? null;
  };
}

function configOf(session: LanguageSession, { textDocument }: FileParams): OpenConfig | undefined {
  return session.find(session.host.readUri(textDocument.uri));
}

/**
 * Handles a request about a config whose answer has to wait. If the file changes in the meantime, the places in the answer would be
 * wrong, so the client must ask again.
 */
export function afterReading<P extends FileParams, T, R extends AtOnce>(
  session: LanguageSession,
  read: (config: OpenConfig, params: P) => Promise<T>,
  answer: (config: OpenConfig, params: P, found: T) => R | undefined,
): (params: P) => Promise<R | null | ResponseError<void>> {
  return async (params) => {
    const config = configOf(session, params);
    if (config === undefined) return null;
    const { version } = config.document;
    const found = await read(config, params);
    if (config.document.version !== version)
      return new ResponseError(LSPErrorCodes.ContentModified, 'The file has changed since the request.');
    return answer(config, params, found) ?? null;
  };
}

/** Handles a request about one place in a config. */
export function atPosition<P extends TextDocumentPositionParams, R extends AtOnce>(
  session: LanguageSession,
  answer: (config: OpenConfig, offset: number, params: P) => R | undefined,
): (params: P) => R | null {
  return inConfig(session, (config, params: P) =>
    answer(config, config.document.offsetAt(params.position), params),
  );
}
