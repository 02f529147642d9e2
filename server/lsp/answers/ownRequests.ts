/** Our own requests about configs: open files, and the deployed or next config of a service. */
import type { Connection, TextDocuments } from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { selectRecord } from '../../engine/index.ts';
import { clientTablesIn } from '../../features/clientTables.ts';
import { rulesOfRow } from '../../features/explainRow.ts';
import { missingByAnswer, review, reviewAccess } from '../../features/review.ts';
import { streamsIn } from '../../features/streams.ts';
import {
  type ClientTablesParams,
  type ClientTablesResult,
  clientTablesRequest,
  type ExplainRowParams,
  type ExplainRowResult,
  explainRowRequest,
  type MissingNamesParams,
  type MissingNamesResult,
  missingNamesRequest,
  type ProjectSchemaParams,
  type ProjectSchemaResult,
  projectSchemaRequest,
  type ReviewParams,
  type RowQueryParams,
  type RowQueryResult,
  reviewRequest,
  rowQueryRequest,
  type SchemaStatusParams,
  type StarterParams,
  type StarterResult,
  type StreamsParams,
  type SubscribableStream,
  schemaStatusRequest,
  starterRequest,
  streamsRequest,
} from '../../protocol.ts';
import { inSlices } from '../host/slices.ts';
import type { Folders } from '../workspace/folders.ts';
import { projectSchemaOf } from '../workspace/projectSchema.ts';
import type { Schemas } from '../workspace/schemas.ts';
import type { LanguageSession } from '../workspace/session.ts';
import { showingOf } from '../workspace/settings.ts';
import { starterOf } from '../workspace/starter.ts';

/** The time limit in milliseconds for finding out which users gain or lose rows, because a user waits for the review. */
const longestComparison = 2_000;

interface OwnParts {
  readonly documents: TextDocuments<TextDocument>;
  readonly folders: Folders;
  readonly schemas: Schemas;
  /** Resolves when the files of the folders have been listed. */
  readonly begun: Promise<void>;
}

export function answerOwnRequests(connection: Connection, session: LanguageSession, parts: OwnParts): void {
  const { documents, folders, schemas, begun } = parts;
  const { host, settings } = session;
  connection.onRequest(
    projectSchemaRequest,
    async (params: ProjectSchemaParams): Promise<ProjectSchemaResult> => {
      await begun;
      return projectSchemaOf(params, { folders, textOf: (uri) => documents.get(uri.text)?.getText(), host });
    },
  );
  connection.onRequest(schemaStatusRequest, ({ uri }: SchemaStatusParams) =>
    schemas.status(host.readUri(uri)),
  );
  connection.onRequest(explainRowRequest, (params: ExplainRowParams) => explainRow(params, session));
  connection.onRequest(rowQueryRequest, (table: RowQueryParams): RowQueryResult => selectRecord(table));
  connection.onRequest(reviewRequest, async ({ uri, text, before }: ReviewParams, token) => {
    const input = { before, source: schemas.of(host.readUri(uri)), showing: showingOf(settings()) };
    const end = host.clock.now() + longestComparison;
    const comparing = reviewAccess(text, input, () => host.clock.now() >= end);
    const access = await inSlices(comparing, host.clock, () => !token.isCancellationRequested);
    return { ...review(text, input), ...(access && { access }) };
  });
  connection.onRequest(
    missingNamesRequest,
    ({ text, answer }: MissingNamesParams): MissingNamesResult => missingByAnswer(text, answer) ?? null,
  );
  connection.onRequest(streamsRequest, ({ text }: StreamsParams): readonly SubscribableStream[] =>
    streamsIn(text),
  );
  connection.onRequest(starterRequest, async (params: StarterParams): Promise<StarterResult> => {
    await begun;
    return starterOf(params, { folders, schemas, host });
  });
  connection.onRequest(
    clientTablesRequest,
    ({ uri, text }: ClientTablesParams): ClientTablesResult =>
      clientTablesIn(text, schemas.of(host.readUri(uri))) ?? null,
  );
}

function explainRow({ uri, table, row }: ExplainRowParams, session: LanguageSession): ExplainRowResult {
  const open = session.find(session.host.readUri(uri));
  if (open === undefined) return null;
  const found = rulesOfRow(open.analysis, table, row);
  if (found === undefined) return null;
  const rules = found.rules.map(({ offset, ...rule }) => ({
    ...rule,
    place: open.document.positionAt(offset),
  }));
  return { row: found.row, rules };
}
