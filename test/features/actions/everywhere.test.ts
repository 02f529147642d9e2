/**
 * Tries every fix that is offered for a finding in the examples of all rules, all recorded examples and all drawn
 * fixtures, with both line ends. Each fix removes its finding, breaks nothing else, and keeps the plans of definitions
 * that it does not touch.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { kindOf, readRule } from '../../../scripts/pages/ruleText.ts';
import { type Code, codeGroups, severityOf } from '../../../server/engine/diagnostics/diagnostics.ts';
import { type Analysis, type AnalyzeInput, analyze } from '../../../server/engine/index.ts';
import { dumpPlan } from '../../../server/engine/plan/dump.ts';
import { applyEdits, type Edit } from '../../../server/engine/text/edit.ts';
import { shift } from '../../../server/engine/text/span.ts';
import type { Action, ActionKind } from '../../../server/features/actions/action.ts';
import { actions } from '../../../server/features/actions/actions.ts';
import { readCatalog } from '../../support/engine/catalog.ts';
import { readExamples } from '../../support/engine/examples.ts';
import { readFixture } from '../../support/engine/fixture.ts';
import { someOf } from '../../support/house/share.ts';

interface Subject {
  readonly name: string;
  readonly text: string;
  readonly input: AnalyzeInput;
}

const files = { exists: () => false, text: () => undefined };

function actionsAt(analysis: Analysis, at: Edit['span'], ...kinds: readonly ActionKind[]): readonly Action[] {
  return actions(analysis, { selection: at, wants: (kind) => kinds.includes(kind), files, askedBy: 'user' });
}

const fixtures = new URL('../../fixtures/rules/', import.meta.url);

const allCodes = [...codeGroups.values()].flat();

const subjects: readonly Subject[] = [
  ...readExamples().map(({ name, text, defaultSchema, catalog }) => ({
    name,
    text,
    input: { kind: 'sync' as const, defaultSchema, catalog },
  })),
  ...readdirSync(fixtures).flatMap((name) => {
    const { files: drawn, catalog } = readFixture(readFileSync(new URL(name, fixtures), 'utf8'));
    return drawn.map(({ text }) => ({ name, text, input: { kind: 'sync' as const, catalog } }));
  }),
  ...allCodes.flatMap((code) => ruleExamples(code)),
];

function ruleExamples(code: Code): Subject[] {
  const kind = kindOf(code);
  // The actions of access tests have their own tests.
  if (kind === 'tests') return [];
  const { examples } = readRule(code);
  const source = examples.find(({ is }) => is === 'With these tables')?.text;
  return examples
    .filter(({ is }) => is === 'Wrong')
    .map(({ text }) => ({
      name: code,
      text,
      input: { kind, ...(source !== undefined && { catalog: readCatalog(source) }) },
    }));
}

/** Codes whose repair may reveal more mistakes, because the text could not be read before. */
const hiding = new Set([
  'sql-syntax',
  'yaml-syntax',
  'yaml-duplicate-key',
  'yaml-multiple-documents',
  'multiple-statements',
]);

/** The subjects that are also tried with CRLF. They are a quarter, because reading is slow and few depend on line ends. */
const some = subjects.filter((_, index) => index % 4 === 0);

describe.each([
  ['LF', '\n', someOf(subjects)],
  ['CRLF', '\r\n', someOf(some)],
] as const)('With %s', (_, lineEnd, those) => {
  test.each(those)('$name: each fix removes its finding and breaks nothing', ({ text, input }) => {
    const before = analyze(text.replace(/\r?\n/g, lineEnd), input);
    for (const finding of before.findings) {
      for (const { title, edits, repairs } of actionsAt(before, finding.span, 'quickfix')) {
        const after = analyze(applyEdits(before.text, edits), input);
        const hint = `${title}\n${after.text}`;
        if (repairs) expect(countOf(after, repairs.code), hint).toBeLessThan(countOf(before, repairs.code));
        if (repairs && !hiding.has(repairs.code)) {
          expect(errorsOf(after), hint).toBeLessThanOrEqual(errorsOf(before));
          const isWorse = (code: Code) => countOf(after, code) > countOf(before, code);
          expect(
            allCodes.filter((code) => severityOf(code) === 'error' && isWorse(code)),
            hint,
          ).toEqual([]);
        }
        if (before.text.includes('\r\n')) expect(after.text.replaceAll('\r\n', ''), hint).not.toMatch(/\n/);
        expect(untouchedPlans(before, after, edits), hint).toEqual([]);
      }
    }
  });
});

/** Files with the streams of two examples, because the same edit may fix mistakes of both. */
const pairs = subjects.flatMap((one, index): Subject[] => {
  const head = /^config:\n {2}edition: 3\n\n?streams:\n/;
  const other = subjects[(index * 7 + 3) % subjects.length];
  if (!head.test(one.text) || !other || !head.test(other.text) || one === other) return [];
  const renamed = other.text.replace(head, '').replace(/^ {2}(\S+):/gm, '  other_$1:');
  return [
    { name: `${one.name} and ${other.name}`, text: `${one.text.trimEnd()}\n${renamed}`, input: one.input },
  ];
});

test('Fixing everything at once adds no errors', () => {
  expect(pairs.length).toBeGreaterThan(50);
  for (const { name, text, input } of someOf([...subjects, ...pairs])) {
    const before = analyze(text, input);
    for (const { title, edits } of allAtOnce(before)) {
      const after = analyze(applyEdits(before.text, edits), input);
      const worse = allCodes.filter(
        (code) => severityOf(code) === 'error' && countOf(after, code) > countOf(before, code),
      );
      const mayShowMore = before.findings.some(({ code }) => hiding.has(code));
      expect(
        worse.filter((code) => !mayShowMore || hiding.has(code)),
        `${name}: ${title}\n${after.text}`,
      ).toEqual([]);
      expect(errorsOf(after) < errorsOf(before) || after.findings.length <= before.findings.length).toBe(
        true,
      );
    }
  }
});

function allAtOnce(analysis: Analysis): readonly Action[] {
  const whole = { start: 0, end: analysis.text.length };
  return actionsAt(analysis, whole, 'quickfix', 'source.fixAll.headwater').filter(({ title }) =>
    title.startsWith('Fix all'),
  );
}

test('Exactly these rules have a wrong example that can be repaired', () => {
  const repairable = allCodes.filter((code) =>
    ruleExamples(code).some(({ text, input }) => {
      const analysis = analyze(text, input);
      const found = analysis.findings.filter((finding) => finding.code === code);
      return found.some(({ span }) =>
        actionsAt(analysis, span, 'quickfix').some(
          ({ repairs, title }) => repairs?.code === code && !title.startsWith('Ignore'),
        ),
      );
    }),
  );
  expect(repairable.sort()).toMatchInlineSnapshot(`
    [
      "abbreviated-output-table",
      "alias-in-parameter-query",
      "alias-required",
      "aliased-output-table",
      "alpha-streams",
      "ambiguous-reference",
      "blob-output",
      "bucket-definitions-in-edition-3",
      "cte-requires-edition-3",
      "default-stream-with-subscription-parameter",
      "different-columns",
      "dotted-key",
      "duplicate-definition",
      "env-without-prefix",
      "env-wrong-type",
      "event-payloads-not-a-list",
      "event-where-ignored",
      "expected-boolean",
      "expected-number",
      "expected-scalar",
      "expected-sequence",
      "expected-string",
      "filter-on-null",
      "function-not-evaluable",
      "identifier-lowercased",
      "ignored-arguments",
      "ignored-distinct",
      "ignored-statement",
      "in-single-value",
      "invalid-cast",
      "invalid-priority",
      "join-using",
      "like-not-supported",
      "missing-comma",
      "missing-definitions",
      "missing-id",
      "missing-id-column",
      "missing-key",
      "missing-streams",
      "multiple-output-tables",
      "multiple-statements",
      "negated-in-expansion",
      "not-a-select",
      "not-equal-null",
      "operator-not-evaluable",
      "or-in-subquery",
      "parameters-unresolved",
      "priority-ignored",
      "priority-set-twice",
      "queries-requires-edition-3",
      "query-or-queries",
      "schema-in-column-reference",
      "schema-violation",
      "service-cacert-unused",
      "service-ignored-key",
      "service-ignored-sslmode",
      "service-path-and-content",
      "service-supabase-off",
      "service-sync-config-twice",
      "service-unknown-key",
      "single-table-required",
      "sql-syntax",
      "sqlite-engine-needs-json-fix",
      "star-overrides-alias",
      "static-left-of-subquery",
      "streams-require-edition-2",
      "subquery-condition",
      "subquery-in-from",
      "subquery-position",
      "subquery-without-parameter",
      "table-suffix-always-empty",
      "time-precision-needs-iso8601",
      "unary-minus",
      "unauthenticated-parameter",
      "unknown-column",
      "unknown-function",
      "unknown-key",
      "unknown-request-function",
      "unknown-schema",
      "unknown-table",
      "unlisted-value",
      "unnamed-column",
      "unstable-storage-version",
      "unsupported-clause",
      "unsupported-expression",
      "unsupported-join",
      "unsupported-json-path",
      "unsupported-operator",
      "unsupported-storage-version",
      "unused-cte",
      "unused-ignore",
      "unused-join",
      "user-id-wrong-schema",
      "wildcard-filter",
      "wrong-argument-count",
      "yaml-duplicate-key",
      "yaml-multiple-documents",
      "yaml-syntax",
    ]
  `);
});

function countOf({ findings }: Analysis, code: string): number {
  return findings.filter((finding) => finding.code === code).length;
}

function errorsOf({ findings }: Analysis): number {
  return findings.filter(({ code }) => severityOf(code) === 'error').length;
}

/** Returns the names of definitions whose plan differs although no edit is in them or in the parts they depend on. */
function untouchedPlans(before: Analysis, after: Analysis, edits: readonly Edit[]): string[] {
  const same = before.config?.surroundings.options.edition === after.config?.surroundings.options.edition;
  if (!same || JSON.stringify(optionsOf(before)) !== JSON.stringify(optionsOf(after))) return [];
  const [old, plans] = [plansOf(before), plansOf(after)];
  const isIn = ({ span }: Edit, { start, end }: { start: number; end: number }) =>
    span.start <= end && start <= span.end;
  // An edit of a global CTE is not in any definition.
  if (!edits.every((edit) => [...old.values()].some((place) => isIn(edit, place)))) return [];
  return [...old].flatMap(([name, { plan, start, end }]) => {
    const isTouched = edits.some((edit) => isIn(edit, { start, end }));
    return isTouched || !plans.has(name) || plans.get(name)?.plan === plan ? [] : [name];
  });
}

function optionsOf({ config }: Analysis): unknown {
  return config?.surroundings.options;
}

function plansOf({ config }: Analysis): Map<string, { plan: string; start: number; end: number }> {
  return new Map(
    config?.definitions.map(({ definition, plan, part }) => {
      const { start, end } = shift(definition.span, part.base);
      return [definition.name, { plan: plan ? dumpPlan(plan) : '', start, end }];
    }),
  );
}
