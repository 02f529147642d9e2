/** Enter behind a key without a value indents. VS Code leaves the cursor below the key, where our files have other keys. */
import { Disposable, IndentAction, languages, type TextDocument, window, workspace } from 'vscode';
import { looksLikeConfig } from '../configs.ts';

/** `streams:`, `- name:`, `"a b":` */
const behindKey = /^[ \t]*(?:- +)*(?:[\w.-]+|"[^"]*"|'[^']*')[ \t]*:[ \t]*$/;

/** In our files alone: as long as one is in the active editor, since the rules are those of a language. */
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
      if (rules === undefined && document === activeDocument()) update(document);
    }),
    { dispose: () => rules?.dispose() },
  );
}
