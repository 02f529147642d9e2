/** Quick fixes and refactorings. */
import {
  type CodeAction,
  type CodeActionContext,
  type CodeActionParams,
  CodeActionTriggerKind,
  type Command,
  type InitializeParams,
  type WorkspaceEdit,
} from 'vscode-languageserver';
import { TextDocument } from 'vscode-languageserver-textdocument';
import type { Analysis } from '../../engine/index.ts';
import type { Action, ActionKind } from '../../features/actions/action.ts';
import { actions } from '../../features/actions/actions.ts';
import { type FilesBeside, pathAt } from '../../features/actions/refactorings/syncFile.ts';
import { diagnostics, type PlainDiagnostic } from '../../features/diagnostics.ts';
import { formatConfig } from '../../features/formatting/formatting.ts';
import { beside, type Uri } from '../../shared/uri.ts';
import { pageOf } from '../host/pages.ts';
import type { LanguageSession, OpenConfig } from '../workspace/session.ts';
import { showingOf } from '../workspace/settings.ts';
import { toDiagnostic, toSpan, toTextEdit } from './convert.ts';
import { afterReading, type Feature } from './feature.ts';
import { openRemedies } from './remedies.ts';
import { actionsInTests } from './tests/actions.ts';
import { workspaceEdit } from './workspaceEdit.ts';

const kinds: readonly ActionKind[] = [
  'quickfix',
  'refactor.extract',
  'refactor.inline',
  'refactor.rewrite',
  'source.fixAll.headwater',
  'source.formatQueries.headwater',
];

/** Offers to format the SQL in files whose YAML another extension formats. */
function queryFormatting(analysis: Analysis): readonly Action[] {
  const edits = formatConfig(analysis);
  return edits.length === 0
    ? []
    : [{ title: 'Format all queries', kind: 'source.formatQueries.headwater', edits }];
}

export const actionFeature: Feature = {
  capabilities: { codeActionProvider: { codeActionKinds: [...kinds] } },
  answer(connection, session) {
    const client = session.client.capabilities;
    const canDisable = client.textDocument?.codeAction?.disabledSupport === true;
    const canCreate = client.workspace?.workspaceEdit?.resourceOperations?.includes('create') === true;
    const remediesIn = openRemedies(connection, session);
    const read = async ({ document, analysis }: OpenConfig, { range, context }: CodeActionParams) => {
      const selection = toSpan(document, range);
      const isWanted = askerOf(context) === 'user' && kindFilter(context.only)('refactor.rewrite');
      const [files, remedies] = await Promise.all([
        filesBeside(session, session.host.readUri(document.uri), pathAt({ analysis, selection })),
        isWanted ? remediesIn(analysis, selection) : [],
      ]);
      return { files, remedies };
    };
    const actionsIn = afterReading(session, read, ({ document, analysis }, params, { files, remedies }) => {
      const { range, context } = params;
      const at = session.host.readUri(document.uri);
      const selection = toSpan(document, range);
      const wants = kindFilter(context.only);
      const askedBy = askerOf(context);
      const showing = showingOf(session.settings());
      const shown = diagnostics(analysis, showing, session.limits());
      const formatting = wants('source.formatQueries.headwater') ? queryFormatting(analysis) : [];
      return [...actions(analysis, { selection, wants, files, askedBy, showing }), ...remedies, ...formatting]
        .filter(({ creates, refusal }) => (!creates || canCreate) && (refusal === undefined || canDisable))
        .map((action) => toCodeAction({ document, at }, shown, action, session.client));
    });
    const actionsAt = async (params: CodeActionParams) => {
      const tests = session.tests.at(session.host.readUri(params.textDocument.uri));
      return tests === undefined ? actionsIn(params) : actionsInTests(tests, params, session);
    };
    if (client.textDocument?.codeAction?.codeActionLiteralSupport !== undefined) {
      connection.onCodeAction(actionsAt);
      return;
    }
    connection.onCodeAction(async (params) => {
      const found = await actionsAt(params);
      return Array.isArray(found) ? found.map(toCommand) : found;
    });
    connection.onExecuteCommand(async ({ command, arguments: [edit] = [] }) => {
      if (command === applyCommand) await connection.workspace.applyEdit(edit as WorkspaceEdit);
      return null;
    });
  },
};

function askerOf({ triggerKind }: CodeActionContext): 'editor' | 'user' {
  return triggerKind === CodeActionTriggerKind.Automatic ? 'editor' : 'user';
}

/** The command for clients that support actions only as commands. When the client runs it, the server sends the edit back. */
export const applyCommand = 'headwater.applyEdit';

function toCommand({ title, edit }: CodeAction): Command {
  return { title, command: applyCommand, arguments: [edit] };
}

/**
 * Returns a filter for the wanted kinds of actions. Without a filter, an editor shows repairs and rewrites; the actions on saving
 * must be requested.
 */
function kindFilter(only: readonly string[] | undefined): (kind: ActionKind) => boolean {
  if (only === undefined) return (kind) => !kind.startsWith('source.');
  return (kind) => only.some((one) => one === '' || kind === one || kind.startsWith(`${one}.`));
}

/** Reads the file at one path in advance. */
async function filesBeside(
  session: LanguageSession,
  uri: Uri,
  path: string | undefined,
): Promise<FilesBeside> {
  const { files } = session.host;
  const target = path === undefined ? undefined : beside(uri, path);
  const text = target === undefined ? undefined : (openText(session, target) ?? (await files?.read(target)));
  return {
    text: (asked) => (asked === path ? text : undefined),
    exists: (asked) => {
      const at = beside(uri, asked);
      return at !== undefined && (openText(session, at) !== undefined || files?.exists(at) === true);
    },
  };
}

function openText(session: LanguageSession, uri: Uri): string | undefined {
  return session.find(uri)?.document.getText();
}

interface PlacedDocument {
  readonly document: TextDocument;
  readonly at: Uri;
}

function toCodeAction(
  { document, at }: PlacedDocument,
  shown: readonly PlainDiagnostic[],
  action: Action,
  client: InitializeParams,
): CodeAction {
  const { title, kind, repairs, isPreferred, refusal } = action;
  const repaired = shown.filter(
    ({ code, span }) =>
      code === repairs?.code && span.start === repairs.span.start && span.end === repairs.span.end,
  );
  return {
    title,
    kind,
    ...(repairs && {
      diagnostics: repaired.map((plain) => toDiagnostic(document, plain, pageOf(plain.code, client))),
    }),
    ...(isPreferred && { isPreferred }),
    ...(refusal === undefined
      ? { edit: editOf({ document, at }, action, client) }
      : { disabled: { reason: refusal } }),
  };
}

function editOf(
  { document, at }: PlacedDocument,
  { edits, creates }: Action,
  client: InitializeParams,
): WorkspaceEdit {
  const changed = [{ document, isOpen: true, edits }];
  const uri = creates && beside(at, creates.path)?.text;
  if (!creates || uri === undefined) return workspaceEdit(client, changed);
  const empty = TextDocument.create(uri, 'yaml', 0, '');
  return workspaceEdit(client, changed, [
    { kind: 'create', uri },
    {
      textDocument: { uri, version: null },
      edits: [toTextEdit(empty, { span: { start: 0, end: 0 }, text: creates.text })],
    },
  ]);
}
