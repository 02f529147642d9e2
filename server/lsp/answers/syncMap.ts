/** The map of a sync config, with places in the file and in the migrations of the project. */
import type { Connection } from 'vscode-languageserver';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { withRowSecurity } from '../../engine/catalog/join.ts';
import { type Analysis, analyze, readServiceSchema, syncMapOf } from '../../engine/index.ts';
import { type SyncMapParams, type SyncMapResult, syncMapRequest } from '../../protocol.ts';
import { isSameUri } from '../../shared/uri.ts';
import type { KnownSchema } from '../workspace/knownSchema.ts';
import type { LanguageSession, OpenConfig } from '../workspace/session.ts';
import { toRange } from './convert.ts';

/** @param begun resolves when the files of the folders have been listed */
export function answerSyncMap(connection: Connection, session: LanguageSession, begun: Promise<void>): void {
  connection.onRequest(
    syncMapRequest,
    async ({ uri, text, answer }: SyncMapParams): Promise<SyncMapResult> => {
      await begun;
      const asked = session.host.readUri(uri);
      const found =
        session.find(asked) ??
        session.all().find(({ document }) => isSameUri(session.host.readUri(document.uri), asked));
      const schema = session.schemaOf(asked);
      if (text !== undefined) {
        const document = TextDocument.create(uri, 'yaml', 0, text);
        return placedMap({ document, analysis: analyzeFor(text, schema, answer) }, schema, session);
      }
      if (found === undefined) return null;
      const analysis =
        answer === undefined ? found.analysis : analyzeFor(found.document.getText(), schema, answer);
      return placedMap({ ...found, analysis }, schema, session);
    },
  );
}

/** Analyses the text. Missing tables are reported only if the service has sent its schema. */
function analyzeFor(text: string, schema: KnownSchema | undefined, answer: unknown): Analysis {
  const asked = readServiceSchema(answer);
  if (asked === undefined) return analyze(text, { ...schema, kind: 'sync' });
  return analyze(text, { ...(schema ? withRowSecurity(asked, schema) : asked), kind: 'sync' });
}

function placedMap(
  { document, analysis: { config } }: OpenConfig,
  schema: KnownSchema | undefined,
  session: LanguageSession,
): SyncMapResult {
  if (config === undefined) return null;
  const { tables, streams, audiences } = syncMapOf(config, config.surroundings.catalog);
  return {
    tables: tables.map((table) => {
      const made = schema?.placeOf?.(table);
      const file = made && session.textOf(made.uri);
      if (made === undefined || file === undefined) return table;
      return { ...table, place: { uri: file.uri, range: toRange(file, made.span) } };
    }),
    streams: streams.map(({ at, ...stream }) => ({
      ...stream,
      place: { uri: document.uri, range: toRange(document, at) },
    })),
    audiences,
  };
}
