/**
 * Access tests in the Test Explorer. The language server lists, runs and explains them with the texts in the editor, so no
 * process is started and no file has to be saved.
 *
 * 1. Lists and runs wait for each other, so that the latest request is the last to be shown.
 * 2. A continuous run repeats for changed files until the user cancels it.
 */
import {
  type CancellationToken,
  Disposable,
  l10n,
  type TestItem,
  type TestRunProfile,
  TestRunProfileKind,
  TestRunRequest,
  tests,
} from 'vscode';
import {
  type TestFilesParams,
  type TestFilesResult,
  type TestName,
  testFilesRequest,
} from '../../../server/protocol.ts';
import { openTurns } from '../../../server/shared/turns.ts';
import type { LanguageServer } from '../language.ts';
import { Explanation } from './explanation.ts';
import { addFiles, itemsIn, nameOfItem, showFiles } from './items.ts';
import { type AskedRun, filesIn, type RunSummary, TestRunner } from './runner.ts';

export class TestExplorer implements Disposable {
  readonly #server: Pick<LanguageServer, 'ask'>;
  readonly #controller = tests.createTestController('headwater', l10n.t('Access tests'));
  readonly #explanation = new Explanation();
  readonly #runner: TestRunner;
  readonly #continuous = new Set<AskedRun>();
  readonly #inTurn = openTurns().run;
  readonly #normal: TestRunProfile;

  constructor(server: Pick<LanguageServer, 'ask'>) {
    this.#server = server;
    this.#runner = new TestRunner(server, this.#controller);
    this.#controller.resolveHandler = () => this.#inTurn(() => this.#list({ listing: 'so far' }));
    this.#controller.refreshHandler = () => this.#inTurn(() => this.#list({}));
    const start = (asked: AskedRun) => this.#start(asked);
    this.#normal = this.#offer(l10n.t('Run'), TestRunProfileKind.Run, start);
    this.#offer(l10n.t('Run with coverage'), TestRunProfileKind.Coverage, start);
    this.#offer(l10n.t('Explain'), TestRunProfileKind.Debug, (asked) => this.#explain(asked));
  }

  /** Updates files whose tests or results may have changed. */
  change(uris: readonly string[]): Promise<void> {
    return this.#inTurn(async () => {
      await this.#list({ listing: 'so far' });
      const isChanged = ({ id }: TestItem): boolean => uris.includes(id);
      if (this.#continuous.size === 0)
        this.#controller.invalidateTestResults(filesIn(this.#controller).filter(isChanged));
      for (const { request, token } of this.#continuous)
        await this.#runner.run({ request: again(request), token }, { isAffected: isChanged });
    });
  }

  /** Runs all tests of the files, or one of them. If none of the files has tests, runs all known tests. */
  run(uris: readonly string[], only: TestName | undefined): Promise<RunSummary> {
    return this.#inTurn(async () => {
      await this.#list({});
      const all = filesIn(this.#controller);
      const files = all.filter(({ id }) => uris.includes(id));
      const named = only && files.flatMap(itemsIn).filter((item) => isNamed(item, only));
      const chosen = named ?? (files.length > 0 ? files : all);
      const request = new TestRunRequest(chosen, undefined, this.#normal);
      return this.#runner.run({ request, token: notCancelled });
    });
  }

  dispose(): void {
    this.#controller.dispose();
    this.#explanation.dispose();
  }

  #offer(label: string, kind: TestRunProfileKind, run: (asked: AskedRun) => Promise<void>): TestRunProfile {
    const isContinuous = kind !== TestRunProfileKind.Debug;
    const profile = this.#controller.createRunProfile(
      label,
      kind,
      (request, token) => run({ request, token }),
      true,
      undefined,
      isContinuous,
    );
    profile.loadDetailedCoverage = async (_run, file) => this.#runner.detailsOf(file);
    return profile;
  }

  async #list(params: TestFilesParams): Promise<void> {
    const { files, isListing } =
      (await this.#server.ask<TestFilesResult>(testFilesRequest, params)) ?? noFiles;
    if (isListing) addFiles(this.#controller, files);
    else showFiles(this.#controller, files);
  }

  async #start(asked: AskedRun): Promise<void> {
    const { request, token } = asked;
    await this.#inTurn(() => this.#runner.run(asked));
    if (request.continuous !== true || token.isCancellationRequested) return;
    this.#continuous.add(asked);
    token.onCancellationRequested(() => this.#continuous.delete(asked));
  }

  /** Explains which users get which rows, and why. This replaces debugging, because a test has no steps. */
  async #explain(asked: AskedRun): Promise<void> {
    const { reasons } = await this.#inTurn(() => this.#runner.run(asked, { withReasons: true }));
    if (reasons.length > 0) await this.#explanation.show(reasons.join('\n'));
  }
}

/** The answer if no language server is running. */
const noFiles: TestFilesResult = { files: [], isListing: false };

/** Returns a copy of a request, because VS Code shows the results of a request only once. */
function again({ include, exclude, profile }: TestRunRequest): TestRunRequest {
  return new TestRunRequest(include, exclude, profile, true);
}

/** A token for commands, which are never cancelled. */
const notCancelled: CancellationToken = {
  isCancellationRequested: false,
  onCancellationRequested: () => new Disposable(() => {}),
};

function isNamed(item: TestItem, { kind, name }: TestName): boolean {
  const own = nameOfItem(item);
  return own.kind === kind && own.name === name;
}
