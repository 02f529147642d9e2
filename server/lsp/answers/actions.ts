/** Quick fixes and refactorings. */
import {
  type CodeAction,
  type CodeActionParams,
  CodeActionTriggerKind,
  type CreateFile,
  type TextDocumentEdit,
  type WorkspaceEdit,
} from 'vscode-languageserver';
import { TextDocument } from 'vscode-languageserver-textdocument';
import type { Action, ActionKind } from '../../features/actions/action.ts';
import { actions } from '../../features/actions/actions.ts';
import { type FilesBeside, pathAt } from '../../features/actions/refactorings/syncFile.ts';
import { diagnostics, type PlainDiagnostic } from '../../features/diagnostics.ts';
import { beside, type Uri } from '../../uri.ts';
import type { LanguageSession } from '../workspace/session.ts';
import { showingOf } from '../workspace/settings.ts';
import { toDiagnostic, toSpan, toTextEdit } from './convert.ts';
import { type Feature, inConfig } from './feature.ts';

const kinds: readonly ActionKind[] = [
  'quickfix',
  'refactor.extract',
  'refactor.inline',
  'refactor.rewrite',
  'source.fixAll.headwater',
];

export const actionFeature: Feature = {
  capabilities: { codeActionProvider: { codeActionKinds: [...kinds] } },
  answer(connection, session) {
    const client = session.client.capabilities;
    const canDisable = client.textDocument?.codeAction?.disabledSupport === true;
    const canCreate = client.workspace?.workspaceEdit?.resourceOperations?.includes('create') === true;
    const actionsIn = inConfig(session, async ({ document, analysis }, params: CodeActionParams) => {
      const { range, context } = params;
      const at = session.host.readUri(document.uri);
      const selection = toSpan(document, range);
      const wants = wanted(context.only);
      const path = pathAt({ analysis, selection });
      const files = await filesBeside(session, at, path);
      const askedBy = context.triggerKind === CodeActionTriggerKind.Automatic ? 'editor' : 'user';
      const showing = showingOf(session.settings());
      const shown = diagnostics(analysis, showing);
      return actions(analysis, { selection, wants, files, askedBy, showing })
        .filter(({ creates, refusal }) => (!creates || canCreate) && (refusal === undefined || canDisable))
        .map((action) => toCodeAction({ document, at }, shown, action));
    });
    connection.onCodeAction(actionsIn);
  },
};

/** Without a wish, an editor shows what repairs and what rewrites; what belongs to saving it asks for. */
function wanted(only: readonly string[] | undefined): (kind: ActionKind) => boolean {
  if (only === undefined) return (kind) => !kind.startsWith('source.');
  return (kind) => only.some((one) => one === '' || kind === one || kind.startsWith(`${one}.`));
}

/** The file at one path is read beforehand. */
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
): CodeAction {
  const { title, kind, repairs, isPreferred, refusal } = action;
  const repaired = shown.filter(
    ({ code, span }) =>
      code === repairs?.code && span.start === repairs.span.start && span.end === repairs.span.end,
  );
  return {
    title,
    kind,
    ...(repairs && { diagnostics: repaired.map((plain) => toDiagnostic(document, plain)) }),
    ...(isPreferred && { isPreferred }),
    ...(refusal === undefined
      ? { edit: toWorkspaceEdit({ document, at }, action) }
      : { disabled: { reason: refusal } }),
  };
}

/** A file is created before the reference to it is written. */
function toWorkspaceEdit({ document, at }: PlacedDocument, { edits, creates }: Action): WorkspaceEdit {
  const { uri, version } = document;
  const changes = edits.map((edit) => toTextEdit(document, edit));
  const created = creates && beside(at, creates.path)?.text;
  if (!creates || created === undefined) return { changes: { [uri]: changes } };
  const empty = TextDocument.create(created, 'yaml', 0, '');
  const create: CreateFile = { kind: 'create', uri: created };
  const fill: TextDocumentEdit = {
    textDocument: { uri: created, version: null },
    edits: [toTextEdit(empty, { span: { start: 0, end: 0 }, text: creates.text })],
  };
  return { documentChanges: [create, fill, { textDocument: { uri, version }, edits: changes }] };
}
