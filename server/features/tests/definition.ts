/** Finds the definition of a name in an access test file. */
import type { Span } from '../../engine/text/span.ts';
import type { TestsInEditor } from './inEditor.ts';
import { mentionInTestsAt, mentionsInTests, type TestMention } from './mentions.ts';

interface TestDefinition {
  readonly origin: Span;
  readonly target: TestTarget;
}

type TestTarget =
  | { readonly kind: 'here' | 'in the config'; readonly span: Span }
  /** The path relative to the folder of the tests. */
  | { readonly kind: 'file'; readonly path: string }
  | {
      readonly kind: 'in the source';
      readonly table: { readonly schema: string; readonly name: string };
      readonly column?: string;
    };

export function testDefinition(tests: TestsInEditor, offset: number): TestDefinition | undefined {
  const { file, subject } = tests.prepared;
  const mention = mentionInTestsAt(file, offset);
  if (mention === undefined) return undefined;
  const target = targetOf(mention, tests);
  return target && { origin: mention.span, target };

  function targetOf({ kind, name, of }: TestMention, { config }: TestsInEditor): TestTarget | undefined {
    switch (kind) {
      case 'config':
      case 'sql file':
        return { kind: 'file', path: name };
      case 'stream':
      case 'subscription parameter': {
        const stream = kind === 'stream' ? name : of;
        const placed = config?.config?.definitions.find(({ definition }) => definition.name === stream);
        if (placed === undefined) return undefined;
        const { start, end } = placed.definition.nameSpan;
        return {
          kind: 'in the config',
          span: { start: start + placed.part.base, end: end + placed.part.base },
        };
      }
      case 'user':
      case 'row': {
        const made = mentionsInTests(file).find(
          (each) => each.isDeclaration && each.kind === kind && each.name === name && each.of === of,
        );
        return made && { kind: 'here', span: made.span };
      }
      case 'table':
      case 'column': {
        const table = subject?.tableNamed(kind === 'table' ? name : (of ?? ''));
        return (
          table && {
            kind: 'in the source',
            table: { schema: table.schema, name: table.name },
            ...(kind === 'column' && { column: name }),
          }
        );
      }
    }
  }
}
