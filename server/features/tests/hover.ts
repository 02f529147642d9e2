/** Explains a name in an access test file. The schema explains keys and their values. */
import { type JsonObject, writeJson } from '../../engine/plan/values/json.ts';
import { explainDefinition } from '../explain/definitions.ts';
import { explainColumn, explainTable } from '../explain/explainTables.ts';
import { hover } from '../hover/hover.ts';
import type { TestsInEditor } from './inEditor.ts';
import { mentionInTestsAt, type TestMention } from './mentions.ts';

export function testHover(tests: TestsInEditor, offset: number): ReturnType<typeof hover> {
  const mention = mentionInTestsAt(tests.prepared.file, offset);
  const markdown = mention && explain(mention, tests);
  return markdown === undefined || mention === undefined
    ? hover(tests.analysis, offset)
    : { span: mention.span, markdown };
}

function explain(
  { kind, name, of, isDeclaration }: TestMention,
  { prepared, config }: TestsInEditor,
): string | undefined {
  const { file, catalog, subject } = prepared;
  const tableNamed = (asked: string) => {
    const table = subject?.tableNamed(asked);
    return table && catalog?.tables.find((each) => each.schema === table.schema && each.name === table.name);
  };
  switch (kind) {
    case 'stream': {
      const placed = config?.config?.definitions.find(({ definition }) => definition.name === name);
      return config && placed && explainDefinition(config, placed);
    }
    case 'user': {
      const user = file.users.find((each) => each.name.value === name);
      if (user === undefined) return undefined;
      const values = [
        ['claims', user.claims],
        ['parameters', user.parameters],
      ] as const;
      const lines = values
        .filter(([, each]) => Object.keys(each).length > 0)
        .map(([title, each]) => `${title}: \`${writeJson(each)}\``);
      return [`**\`${name}\`** · user of these tests`, ...lines].join('\n\n');
    }
    case 'table': {
      const table = tableNamed(name);
      return table && explainTable(table);
    }
    case 'column': {
      const known = of === undefined ? undefined : tableNamed(of)?.columns.get(name);
      return known && explainColumn({ name, of: of ?? '', known });
    }
    case 'row': {
      if (isDeclaration) return undefined;
      const row = file.rows.find((each) => each.id === name && each.table.value === of);
      if (row === undefined) return undefined;
      const written = Object.fromEntries(row.columns.map(({ value }) => [value, row.values[value] ?? null]));
      return `**\`${name}\`** · row of \`${of}\`\n\n\`${writeJson(written as JsonObject)}\``;
    }
    case 'config':
    case 'sql file':
    case 'subscription parameter':
      return undefined;
  }
}
