/** Our own requests about access tests, for editors that show tests, and the notification that tests have changed. */
import type { Connection } from 'vscode-languageserver';
import {
  type RunTestsParams,
  type RunTestsResult,
  runTestsRequest,
  type TestFilesParams,
  type TestFilesResult,
  type TestsChanged,
  testFilesRequest,
  testsChangedNotification,
} from '../../../protocol.ts';
import type { Uri } from '../../../shared/uri.ts';
import { readClientOptions } from '../../host/clientOptions.ts';
import { quietly } from '../../host/quietly.ts';
import type { LanguageSession } from '../../workspace/session.ts';
import type { TestDocument } from '../../workspace/tests/accessTests.ts';
import { listedTests, resultsOfRun } from './results.ts';

interface TestRequests {
  /** Called after any change of a document, or of the known tables. */
  readonly noteChange: () => void;
}

export function answerTests(
  connection: Connection,
  { tests, runs, host, client }: LanguageSession,
  begun: Promise<void>,
): TestRequests {
  let told = new Map<string, TestDocument>();
  let isNoted = false;
  let isListing = true;
  const listed = begun.then(() => {
    isListing = false;
  });

  connection.onRequest(testFilesRequest, async ({ listing }: TestFilesParams): Promise<TestFilesResult> => {
    if (listing !== 'so far') await listed;
    return { files: tests.all().map(listedTests), isListing };
  });
  connection.onRequest(runTestsRequest, async (params: RunTestsParams, token): Promise<RunTestsResult> => {
    await begun;
    while (!token.isCancellationRequested) {
      const found = await settledAt(host.readUri(params.uri));
      const result = found === undefined ? null : await resultsOfRun(found, params, runs);
      if (result !== 'changed') return result;
    }
    return null;
  });

  /** Waits for the rows of the SQL files and returns the tests. Starts again if the tests change during the wait. */
  async function settledAt(uri: Uri): Promise<TestDocument | undefined> {
    for (let found = tests.at(uri); ; ) {
      await tests.settled(uri);
      const now = tests.at(uri);
      if (now === found) return found;
      found = now;
    }
  }

  function tell(): void {
    isNoted = false;
    const now = new Map(tests.all().map((each) => [each.document.uri, each]));
    const uris = [...new Set([...told.keys(), ...now.keys()])].filter(
      (uri) => told.get(uri) !== now.get(uri),
    );
    told = now;
    const changed: TestsChanged = { uris };
    if (uris.length > 0) quietly(connection.sendNotification(testsChangedNotification, changed));
  }

  if (readClientOptions(client).tests !== 'shown') return { noteChange() {} };
  return {
    noteChange() {
      if (isNoted) return;
      isNoted = true;
      quietly(host.clock.rest().then(tell));
    },
  };
}
