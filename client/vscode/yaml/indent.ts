/** Indents when the user presses Enter after a key without a value. VS Code would leave the cursor below the key. */
import { Disposable, IndentAction, languages, type TextDocument, window, workspace } from 'vscode';
import { looksLikeConfig } from '../configs.ts';
import { hasConfigName } from '../selector.ts';

/** Matches a line that ends with a key, such as `streams:`, `- name:` or `"a b":`. */
const behindKey = /^[ \t]*(?:- +)*(?:[\w.-]+|"[^"]*"|'[^']*')[ \t]*:[ \t]*$/;

/** Changes the rules of YAML while one of our files is in the active editor, because VS Code has rules per language. */
export function indentBehindKeys(): Disposable {
  let rules: Disposable | undefined;
  const update = (document: TextDocument | undefined): void => {
    const isOurs = document !== undefined && looksLikeConfig(document);
    if (isOurs === (rules !== undefined)) return;
    rules?.dispose();
    rules = isOurs
      ? languages.setLanguageConfiguration('yaml', {
          onEnterRules: [{ beforeText: behindKey, action: { indentAction: IndentAction.Indent } }],
        })
      : undefined;
  };
  const activeDocument = () => window.activeTextEditor?.document;
  update(activeDocument());
  return Disposable.from(
    window.onDidChangeActiveTextEditor((editor) => update(editor?.document)),
    workspace.onDidChangeTextDocument(({ document }) => {
      // The name is checked first, because this code runs after each keystroke in any file.
      if (rules === undefined && document === activeDocument() && hasConfigName(document)) update(document);
    }),
    { dispose: () => rules?.dispose() },
  );
}
