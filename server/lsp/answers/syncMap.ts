/** The map of what syncs, with places in the file and in the migrations of the project. */
import type { Connection } from 'vscode-languageserver';
import { withRowSecurity } from '../../engine/catalog/join.ts';
import { type Analysis, analyze, readServiceSchema, syncMapOf } from '../../engine/index.ts';
import { type SyncMapParams, type SyncMapResult, syncMapRequest } from '../../protocol.ts';
import { isSameUri } from '../../uri.ts';
import type { KnownSchema } from '../workspace/schemas.ts';
import type { LanguageSession, OpenConfig } from '../workspace/session.ts';
import { toRange } from './convert.ts';

/** @param begun when the files of the folders are known */
export function answerSyncMap(connection: Connection, session: LanguageSession, begun: Promise<void>): void {
  connection.onRequest(syncMapRequest, async ({ uri, answer }: SyncMapParams): Promise<SyncMapResult> => {
    await begun;
    const asked = session.host.readUri(uri);
    const found =
      session.find(asked) ??
      session.all().find(({ document }) => isSameUri(session.host.readUri(document.uri), asked));
    if (found === undefined) return null;
    const schema = session.schemaOf(asked);
    return placedMap({ ...found, analysis: analysisFor(found, schema, answer) }, schema, session);
  });
}

/** Of what a service lacks, only its own answer tells. */
function analysisFor(
  { document, analysis }: OpenConfig,
  schema: KnownSchema | undefined,
  answer: unknown,
): Analysis {
  const asked = readServiceSchema(answer);
  if (asked === undefined) return analysis;
  const source = schema === undefined ? asked : withRowSecurity(asked, schema);
  return analyze(document.getText(), { ...source, kind: analysis.kind });
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
