/** Shows access tests in the Test Explorer as soon as the language server finds any. */
import { type Disposable, window } from 'vscode';
import type { TestName } from '../../../server/protocol.ts';
import type { LanguageServer } from '../language.ts';
import type { TestExplorer } from './explorer.ts';
import type { RunSummary } from './runner.ts';

export interface OfferedTests extends Disposable {
  /** Runs the tests of the files, or one of them. Without files, runs those of the file in the editor, or all. */
  readonly run: (asked: AskedTests) => Promise<RunSummary>;
}

interface AskedTests {
  readonly uris?: readonly string[];
  readonly only?: TestName;
}

export function offerTests(server: LanguageServer): OfferedTests {
  let loading: Promise<TestExplorer> | undefined;
  const load = (): Promise<TestExplorer> => {
    loading ??= import('./tests.ts').then(({ TestExplorer: Explorer }) => new Explorer(server));
    return loading;
  };
  const listener = server.onDidChangeTests((uris) => void load().then((explorer) => explorer.change(uris)));
  return {
    async run({ uris, only }) {
      const shown = window.activeTextEditor?.document.uri.toString();
      const explorer = await load();
      return explorer.run(uris ?? (shown === undefined ? [] : [shown]), only);
    },
    dispose() {
      listener.dispose();
      void loading?.then((explorer) => explorer.dispose());
    },
  };
}

/** Reads the argument of a code lens. Any other value counts as absent. */
export function readAskedTests(argument: unknown): AskedTests {
  if (typeof argument !== 'object' || argument === null || !('uris' in argument)) return {};
  return argument as AskedTests;
}
