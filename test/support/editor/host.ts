/** Drawn fixtures (see `fixture.ts`) as documents of the VS Code in which a test runs. */
import * as vscode from 'vscode';
import { patient } from '../../../scripts/run/patience.ts';
import { type FixtureFile, readFixture } from '../engine/fixture.ts';

/** Writes the drawn file into the workspace and shows it. Marks are not checked. */
export async function openDrawing(drawing: string): Promise<vscode.TextDocument> {
  const file = onlyFile(drawing);
  const uri = uriOf(file);
  await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(file.text));
  const document = await vscode.workspace.openTextDocument(uri);
  await vscode.window.showTextDocument(document, { preview: false });
  return document;
}

/** Changes an open document to the drawn text without saving, as typing would. */
export async function typeDrawing(document: vscode.TextDocument, drawing: string): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  const all = document.validateRange(new vscode.Range(0, 0, document.lineCount, 0));
  edit.replace(document.uri, all, onlyFile(drawing).text);
  await vscode.workspace.applyEdit(edit);
}

/** Resolves as soon as the document has exactly the drawn diagnostics. */
export async function untilMarked(document: vscode.TextDocument, drawing: string): Promise<void> {
  const expected = marksOf(onlyFile(drawing)).join('\n');
  await untilDiagnostics(document, (found) => found.join('\n') === expected, `Expected:\n${expected}`);
}

/** Returns one line for each diagnostic of the document: offsets, severity, code and source. */
export function foundIn(document: vscode.TextDocument): string[] {
  return vscode.languages
    .getDiagnostics(document.uri)
    .map(({ range, severity, code, source }) => {
      const name = typeof code === 'object' ? code.value : code;
      const [start, end] = [document.offsetAt(range.start), document.offsetAt(range.end)];
      return `${start}-${end} ${severities[severity]} ${name} (${source})`;
    })
    .sort();
}

/** Closes all editors without asking whether to save. */
export async function closeAll(): Promise<void> {
  while (vscode.window.activeTextEditor !== undefined) {
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  }
}

const severities = ['error', 'warning', 'information', 'hint'] as const;

function marksOf({ marks }: FixtureFile): string[] {
  return marks
    .map(({ span, severity, code }) => `${span.start}-${span.end} ${severity} ${code} (headwater)`)
    .sort();
}

async function untilDiagnostics(
  document: vscode.TextDocument,
  isMet: (found: readonly string[]) => boolean,
  expectation: string,
  limitMs = patient(10_000),
): Promise<void> {
  let listener: vscode.Disposable | undefined;
  let limit: ReturnType<typeof setTimeout> | undefined;
  try {
    await new Promise<void>((resolve, reject) => {
      const check = () => isMet(foundIn(document)) && resolve();
      listener = vscode.languages.onDidChangeDiagnostics(check);
      limit = setTimeout(() => {
        const found = foundIn(document).join('\n') || 'nothing';
        reject(
          new Error(`${expectation || 'Expected nothing.'}\nFound:\n${found}\nIn:\n${document.getText()}`),
        );
      }, limitMs);
      check();
    });
  } finally {
    listener?.dispose();
    clearTimeout(limit);
  }
}

function onlyFile(drawing: string): FixtureFile {
  const [file] = readFixture(drawing).files;
  if (file === undefined) throw new Error('This drawing has no file.');
  return file;
}

function uriOf(file: FixtureFile): vscode.Uri {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  if (folder === undefined) throw new Error('The tests need an open folder.');
  return vscode.Uri.joinPath(folder.uri, file.path);
}
