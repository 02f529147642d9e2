/** The coverage of a run: streams, and their conditions with both outcomes. */
import {
  BranchCoverage,
  DeclarationCoverage,
  FileCoverage,
  type FileCoverageDetail,
  l10n,
  StatementCoverage,
  Uri,
} from 'vscode';
import type { CoveredStreamOfTests, RunTestsResult } from '../../../server/protocol.ts';
import { rangeOf } from './items.ts';

type FileOfStreams = NonNullable<NonNullable<RunTestsResult>['coverage']>;

interface ConfigCoverage {
  readonly file: FileCoverage;
  readonly details: FileCoverageDetail[];
}

/** Returns the coverage of each config, because several files may test the same config. */
export function coverageOf(found: readonly FileOfStreams[]): readonly ConfigCoverage[] {
  const byUri = new Map<string, Map<string, CoveredStreamOfTests>>();
  for (const { uri, streams } of found) {
    const known = byUri.get(uri) ?? new Map<string, CoveredStreamOfTests>();
    byUri.set(uri, known);
    for (const stream of streams) {
      const before = known.get(stream.name);
      known.set(stream.name, before === undefined ? stream : sumOf(before, stream));
    }
  }
  return [...byUri].map(([uri, streams]) => {
    const details = [...streams.values()].flatMap(detailsOf);
    return { file: FileCoverage.fromDetails(Uri.parse(uri), details), details };
  });
}

function sumOf(one: CoveredStreamOfTests, other: CoveredStreamOfTests): CoveredStreamOfTests {
  return {
    ...one,
    given: one.given + other.given,
    refused: one.refused + other.refused,
    conditions: one.conditions.map((condition, index) => ({
      ...condition,
      wasTrue: condition.wasTrue + (other.conditions[index]?.wasTrue ?? 0),
      wasFalse: condition.wasFalse + (other.conditions[index]?.wasFalse ?? 0),
    })),
  };
}

function detailsOf({ name, range, given, refused, conditions }: CoveredStreamOfTests): FileCoverageDetail[] {
  return [
    new DeclarationCoverage(name, given, rangeOf(range)),
    new StatementCoverage(given + refused, rangeOf(range), [
      new BranchCoverage(given, rangeOf(range), l10n.t('somebody gets a row')),
      new BranchCoverage(refused, rangeOf(range), l10n.t('somebody is refused a row')),
    ]),
    ...conditions.map(
      ({ range: at, wasTrue, wasFalse }) =>
        new StatementCoverage(wasTrue + wasFalse, rangeOf(at), [
          new BranchCoverage(wasTrue, rangeOf(at), l10n.t('true')),
          new BranchCoverage(wasFalse, rangeOf(at), l10n.t('false')),
        ]),
    ),
  ];
}
