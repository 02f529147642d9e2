/** Finds the steps of tests after which triggers of the source may have written other rows than the test knows. */
import type { Finding } from '../diagnostics/diagnostics.ts';
import type { Catalog, CatalogTable, TableTrigger } from '../model/catalog.ts';
import { tablesOf } from '../plan/evaluate/evaluate.ts';
import { matchesTable } from '../plan/evaluate/patterns.ts';
import type { Span } from '../text/span.ts';
import { catalogTable, nameInTests, type TestSubject } from './subject.ts';
import type { AccessTest, TestFile, TestStep } from './testFile.ts';

export function triggerEffects(
  { tests }: TestFile,
  subject: TestSubject,
  catalog: Catalog | undefined,
): readonly Finding[] {
  if (catalog === undefined) return [];
  return tests.flatMap((test) =>
    test.steps.flatMap((step) => effectsOfStep(step, test, { subject, catalog })),
  );
}

function effectsOfStep(
  step: TestStep,
  test: AccessTest,
  { subject, catalog }: { readonly subject: TestSubject; readonly catalog: Catalog },
): readonly Finding[] {
  if (!runsTriggers(step)) return [];
  const { kind } = step;
  const spans = new Map<string, Span>();
  for (const { table } of step.rows) if (!spans.has(table.value)) spans.set(table.value, table.span);
  return [...spans].flatMap(([name, span]) =>
    (catalogTable(name, subject, catalog)?.triggers ?? [])
      .filter(({ events }) => events.includes(kind))
      .flatMap((trigger): Finding[] => {
        const report = (effect: 'unknown' | 'refuse' | 'write', table = ''): Finding => ({
          code: 'test-trigger-effect',
          span,
          args: { trigger: trigger.name, effect, table },
        });
        const { writes, mayRefuse } = trigger;
        if (writes === 'any') return [report('unknown')];
        const unwritten = tablesWrittenBy(writes, subject, catalog).filter(
          (table) => !isWritten(table, test),
        );
        return [
          ...unwritten.map((table) => report('write', table)),
          ...(mayRefuse ? [report('refuse')] : []),
        ];
      }),
  );
}

/** Returns the written tables that the config reads, as tests name them. */
function tablesWrittenBy(
  writes: Exclude<TableTrigger['writes'], 'any'>,
  { plans, config }: TestSubject,
  { tables }: Catalog,
): readonly string[] {
  const read = tablesOf(plans);
  const isWritten = (table: CatalogTable): boolean =>
    writes.some(({ schema, name }) => name === table.name && (schema ?? table.schema) === table.schema);
  return tables
    .filter((table) => isWritten(table) && read.some((pattern) => matchesTable(pattern, table)))
    .map((table) => nameInTests(table, config.surroundings.defaultSchema));
}

/** Whether a step of the test writes the rows that the trigger would write. */
function isWritten(table: string, { steps }: AccessTest): boolean {
  return steps.some((step) => runsTriggers(step) && step.rows.some((row) => row.table.value === table));
}

/** Whether the step changes rows. For the rows with which a test starts, triggers have already run. */
function runsTriggers(step: TestStep): step is Exclude<TestStep, { readonly kind: 'expect' }> {
  return step.kind !== 'expect' && !(step.kind === 'insert' && step.isStart);
}
