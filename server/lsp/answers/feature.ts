/** A row of the table in `features.ts`, and the forms of requests that it answers. */
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
 * One feature of the protocol. The answer itself is a pure function in `server/features`, from an analysis
 * and offsets to offsets; here it is only converted.
 */
export interface Feature {
  /** The capabilities that the client learns at the start. */
  readonly capabilities: ServerCapabilities;
  readonly answer: (connection: Connection, session: LanguageSession) => void;
}

interface FileParams {
  readonly textDocument: TextDocumentIdentifier;
}

/**
 * An answer without a promise: offsets of an analysis become places in the document, which may change while one waits. Answers
 * that have to wait use {@link afterReading}.
 */
type AtOnce = object & { readonly then?: undefined };

/** Answers null if the file is not one of our configs, or if there is no answer. */
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
 * The same for an answer that has to wait for something. If the file changes in the meantime, its places are
 * no longer those of the question, and the client asks again.
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
      return new ResponseError(LSPErrorCodes.ContentModified, 'The file was changed meanwhile.');
    return answer(config, params, found) ?? null;
  };
}

/** The same for a request about one place of a file. */
export function atPosition<P extends TextDocumentPositionParams, R extends AtOnce>(
  session: LanguageSession,
  answer: (config: OpenConfig, offset: number, params: P) => R | undefined,
): (params: P) => R | null {
  return inConfig(session, (config, params: P) =>
    answer(config, config.document.offsetAt(params.position), params),
  );
}
