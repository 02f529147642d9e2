/** Runs access tests with the language server, and shows the results in the Test Explorer. */
import {
  type CancellationToken,
  type FileCoverage,
  type FileCoverageDetail,
  l10n,
  type TestController,
  type TestItem,
  TestMessage,
  type TestRun,
  TestRunProfileKind,
  type TestRunRequest,
} from 'vscode';
import {
  type RunTestsParams,
  type RunTestsResult,
  runTestsRequest,
  type TestResult,
} from '../../../server/protocol.ts';
import type { LanguageServer } from '../language.ts';
import { coverageOf } from './coverage.ts';
import { itemsIn, nameOfItem } from './items.ts';
import { messageOfFailure, outputText } from './messages.ts';

export interface AskedRun {
  readonly request: TestRunRequest;
  readonly token: CancellationToken;
}

interface RunOptions extends Pick<RunTestsParams, 'withReasons'> {
  /** Absent: the tests of all requested files run. */
  readonly isAffected?: (file: TestItem) => boolean;
}

export interface RunSummary {
  /** The reasons of the results, if they are wanted. */
  readonly reasons: readonly string[];
  readonly total: number;
  readonly passed: number;
}

export class TestRunner {
  readonly #server: Pick<LanguageServer, 'ask'>;
  readonly #controller: TestController;
  readonly #details = new WeakMap<FileCoverage, FileCoverageDetail[]>();

  constructor(server: Pick<LanguageServer, 'ask'>, controller: TestController) {
    this.#server = server;
    this.#controller = controller;
  }

  async run(
    { request, token }: AskedRun,
    { isAffected = () => true, ...wanted }: RunOptions = {},
  ): Promise<RunSummary> {
    const chosen = chosenBy(request, filesIn(this.#controller)).filter(({ file }) => isAffected(file));
    if (chosen.length === 0) return { reasons: [], total: 0, passed: 0 };
    const run = this.#controller.createTestRun(request);
    const isCoverage = request.profile?.kind === TestRunProfileKind.Coverage;
    const more: Partial<RunTestsParams> = { ...wanted, ...(isCoverage && { withCoverage: true }) };
    const results: NonNullable<RunTestsResult>[] = [];
    try {
      for (const { items } of chosen) for (const item of items) run.enqueued(item);
      for (const each of chosen) {
        if (token.isCancellationRequested) break;
        const result = await this.#runFile(run, each, more);
        if (result) results.push(result);
      }
      for (const { file, details } of coverageOf(results.flatMap(({ coverage }) => coverage ?? []))) {
        this.#details.set(file, details);
        run.addCoverage(file);
      }
    } finally {
      run.end();
    }
    return {
      reasons: results.flatMap(({ reasons }) => (reasons ? [reasons] : [])),
      total: chosen.flatMap(({ items }) => items).length,
      passed: results.flatMap((each) => each.results).filter(isPassed).length,
    };
  }

  detailsOf(file: FileCoverage): FileCoverageDetail[] {
    return this.#details.get(file) ?? [];
  }

  async #runFile(
    run: TestRun,
    { file, items }: ChosenFile,
    more: Partial<RunTestsParams>,
  ): Promise<RunTestsResult | undefined> {
    for (const item of items) run.started(item);
    const isAll = items.length === file.children.size;
    const params: RunTestsParams = {
      uri: file.id,
      ...(!isAll && { only: items.map(nameOfItem) }),
      ...more,
    };
    const result = await this.#server.ask<RunTestsResult>(runTestsRequest, params);
    for (const item of items) {
      const { kind, name } = nameOfItem(item);
      const own = result?.results.find((each) => each.kind === kind && each.name === name);
      if (own === undefined) run.errored(item, new TestMessage(whyNotRun(file)));
      else report(run, item, own);
    }
    return result;
  }
}

export function filesIn({ items }: TestController): readonly TestItem[] {
  return [...items].map(([, item]) => item);
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

function isPassed({ failures, skipped, isNotRefuted }: TestResult): boolean {
  return failures.length === 0 && skipped === undefined && isNotRefuted !== true;
}

function report(
  run: TestRun,
  item: TestItem,
  { name, failures, duration, note, skipped, isNotRefuted }: TestResult,
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
    run.passed(item, duration);
  } else {
    for (const failure of failures) run.appendOutput(outputText(name, failure), undefined, item);
    run.failed(
      item,
      failures.map((failure) => messageOfFailure(failure, uri)),
      duration,
    );
  }
}
