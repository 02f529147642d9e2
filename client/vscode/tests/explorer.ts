/**
 * Access tests in the Test Explorer. The language server lists, runs and explains them with the texts in the editor, so no
 * process is started and no file has to be saved.
 */
import {
  type CancellationToken,
  Disposable,
  EventEmitter,
  type FileCoverage,
  type FileCoverageDetail,
  l10n,
  type TestItem,
  TestMessage,
  type TestRun,
  type TestRunProfile,
  TestRunProfileKind,
  TestRunRequest,
  tests,
  Uri,
  window,
  workspace,
} from 'vscode';
import {
  type RunTestsParams,
  type RunTestsResult,
  runTestsRequest,
  type TestFilesParams,
  type TestFilesResult,
  type TestName,
  type TestResult,
  testFilesRequest,
} from '../../../server/protocol.ts';
import { openTurns } from '../../../server/shared/turns.ts';
import type { LanguageServer } from '../language.ts';
import { coverageOf } from './coverage.ts';
import { addFiles, nameOfItem, showFiles } from './items.ts';
import { messageOfFailure, outputText } from './messages.ts';

interface TestExplorer extends Disposable {
  /** Updates files whose tests or results may have changed. */
  readonly change: (uris: readonly string[]) => Promise<void>;
  /** Runs all tests of the files, or one of them. If none of the files has tests, runs all known tests. */
  readonly run: (uris: readonly string[], only: TestName | undefined) => Promise<void>;
}

/** A document that cannot be edited, so closing it asks no question. */
const explanationUri = Uri.from({ scheme: 'headwater-tests', path: '/Explained access tests' });

/** The tests that run whenever they change. */
interface ContinuousRun {
  readonly request: TestRunRequest;
  readonly token: CancellationToken;
}

export function openTestExplorer(ask: LanguageServer['ask']): TestExplorer {
  const controller = tests.createTestController('headwater', l10n.t('Access tests'));
  const continuous = new Set<ContinuousRun>();
  const details = new WeakMap<FileCoverage, FileCoverageDetail[]>();
  let explanation = '';
  const explained = new EventEmitter<Uri>();
  const provider = workspace.registerTextDocumentContentProvider(explanationUri.scheme, {
    onDidChange: explained.event,
    provideTextDocumentContent: () => explanation,
  });
  /** Runs wait for each other, so that the latest request is the last to be shown. */
  const inTurn = openTurns().run;

  async function list(params: TestFilesParams): Promise<void> {
    const { files, isListing } = (await ask<TestFilesResult>(testFilesRequest, params)) ?? noFiles;
    if (isListing) addFiles(controller, files);
    else showFiles(controller, files);
  }

  const listSoFar = () => list({ listing: 'so far' });
  const listAll = () => list({});
  controller.resolveHandler = () => inTurn(listSoFar);
  controller.refreshHandler = () => inTurn(listAll);
  const profiles: readonly TestRunProfile[] = [
    controller.createRunProfile(l10n.t('Run'), TestRunProfileKind.Run, start, true, undefined, true),
    controller.createRunProfile(
      l10n.t('Run with coverage'),
      TestRunProfileKind.Coverage,
      start,
      true,
      undefined,
      true,
    ),
    controller.createRunProfile(l10n.t('Explain'), TestRunProfileKind.Debug, explain, true),
  ];
  for (const profile of profiles)
    profile.loadDetailedCoverage = async (_run, file) => details.get(file) ?? [];

  async function start(request: TestRunRequest, token: CancellationToken): Promise<void> {
    await inTurn(() => runTests(request, token));
    if (request.continuous !== true || token.isCancellationRequested) return;
    const own = { request, token };
    continuous.add(own);
    token.onCancellationRequested(() => continuous.delete(own));
  }

  /** Explains which users get which rows, and why. This replaces debugging, because a test has no steps. */
  async function explain(request: TestRunRequest, token: CancellationToken): Promise<void> {
    const told: string[] = [];
    await inTurn(() => runTests(request, token, undefined, told));
    if (told.length === 0) return;
    explanation = told.join('\n');
    explained.fire(explanationUri);
    await window.showTextDocument(await workspace.openTextDocument(explanationUri), { preview: true });
  }

  async function runTests(
    request: TestRunRequest,
    token: CancellationToken,
    isAffected: (file: TestItem) => boolean = () => true,
    told?: string[],
  ): Promise<void> {
    const chosen = chosenBy(
      request,
      [...controller.items].map(([, item]) => item),
    ).filter(({ file }) => isAffected(file));
    if (chosen.length === 0) return;
    const run = controller.createTestRun(request);
    const more: Partial<RunTestsParams> = {
      ...(request.profile?.kind === TestRunProfileKind.Coverage && { withCoverage: true }),
      ...(told && { withReasons: true }),
    };
    const covered: NonNullable<NonNullable<RunTestsResult>['coverage']>[] = [];
    try {
      for (const { items } of chosen) for (const item of items) run.enqueued(item);
      for (const { file, items } of chosen) {
        if (token.isCancellationRequested) break;
        const result = await runFile(run, file, items, more);
        if (result?.coverage) covered.push(result.coverage);
        if (result?.reasons) told?.push(result.reasons);
      }
      for (const { file, details: of } of coverageOf(covered)) {
        details.set(file, of);
        run.addCoverage(file);
      }
    } finally {
      run.end();
    }
  }

  async function runFile(
    run: TestRun,
    file: TestItem,
    items: readonly TestItem[],
    more: Partial<RunTestsParams>,
  ): Promise<RunTestsResult | undefined> {
    for (const item of items) run.started(item);
    const isAll = items.length === file.children.size;
    const params: RunTestsParams = {
      uri: file.id,
      ...(!isAll && { only: items.map(nameOfItem) }),
      ...more,
    };
    const result = await ask<RunTestsResult>(runTestsRequest, params);
    for (const item of items) {
      const { kind, name } = nameOfItem(item);
      const own = result?.results.find((each) => each.kind === kind && each.name === name);
      if (own === undefined) run.errored(item, new TestMessage(whyNotRun(file)));
      else report(run, item, own);
    }
    return result;
  }

  return {
    change: (uris) =>
      inTurn(async () => {
        await listSoFar();
        const isChanged = ({ id }: TestItem): boolean => uris.includes(id);
        const changed = [...controller.items].map(([, item]) => item).filter(isChanged);
        if (continuous.size === 0) controller.invalidateTestResults(changed);
        for (const { request, token } of continuous) await runTests(again(request), token, isChanged);
      }),
    run: (uris, only) =>
      inTurn(async () => {
        await listAll();
        const all = [...controller.items].map(([, item]) => item);
        const files = all.filter(({ id }) => uris.includes(id));
        const named = only && files.flatMap((file) => itemsIn(file)).filter((item) => isNamed(item, only));
        const request = new TestRunRequest(named ?? (files.length > 0 ? files : all), undefined, profiles[0]);
        await runTests(request, notCancelled);
      }),
    dispose: () => Disposable.from(controller, provider, explained).dispose(),
  };
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

function itemsIn({ children }: TestItem): readonly TestItem[] {
  return [...children].map(([, item]) => item);
}

interface ChosenFile {
  readonly file: TestItem;
  readonly items: readonly TestItem[];
}

function chosenBy(
  { include, exclude = [] }: TestRunRequest,
  all: readonly TestItem[],
): readonly ChosenFile[] {
  const isChosen = (item: TestItem): boolean =>
    (include === undefined ||
      include.some(({ id, parent }) => isSame(item, id, parent) || isParent(item, id, parent))) &&
    !exclude.some(({ id, parent }) => isSame(item, id, parent) || isParent(item, id, parent));
  return all
    .map((file) => ({ file, items: itemsIn(file).filter(isChosen) }))
    .filter(({ items }) => items.length > 0);
}

/** Compares items by id, because they may have been created again since they were chosen. */
function isSame(item: TestItem, id: string, parent: TestItem | undefined): boolean {
  return item.id === id && item.parent?.id === parent?.id;
}

function isParent(item: TestItem, id: string, parent: TestItem | undefined): boolean {
  return parent === undefined && item.parent?.id === id;
}

function whyNotRun({ error }: TestItem): string {
  const said = typeof error === 'string' ? error : error?.value;
  return said ?? l10n.t('The file has errors, so its tests cannot run.');
}

function report(
  run: TestRun,
  item: TestItem,
  { name, failures, note, skipped, isNotRefuted }: TestResult,
): void {
  const { uri } = item;
  if (skipped !== undefined) {
    run.appendOutput(`${name}: ${skipped}\r\n`, undefined, item);
    run.skipped(item);
  } else if (isNotRefuted) {
    run.appendOutput(`${l10n.t('{0}: not refuted ({1})', name, note ?? '')}\r\n`, undefined, item);
    run.skipped(item);
  } else if (failures.length === 0 || uri === undefined) {
    if (note !== undefined) run.appendOutput(`${name}: ${note}\r\n`, undefined, item);
    run.passed(item);
  } else {
    for (const failure of failures) run.appendOutput(outputText(name, failure), undefined, item);
    run.failed(
      item,
      failures.map((failure) => messageOfFailure(failure, uri)),
    );
  }
}
