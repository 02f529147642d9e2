/** Writes the schema of a client in the form that its SDK expects. */
import type { ClientTable, ClientType } from '../../server/protocol.ts';
import { dotNet, dotNetClass } from './dotNet.ts';
import type { Language } from './language.ts';

/**
 * Returns a string in double quotes, which all languages here escape in the same way. In some languages, `$` also begins an
 * expression.
 */
const quote = (text: string): string => JSON.stringify(text);
const dollarQuote = (text: string): string => quote(text).replaceAll('$', '\\$');
const upper = (type: ClientType): string => type.toUpperCase();

const none = (): readonly string[] => [];

export const languages = {
  ts: javaScript("export type Database = (typeof AppSchema)['types'];"),
  js: javaScript(),
  jsLegacy: {
    head: (sdk) => [
      `import { Column, ColumnType, Schema, Table } from '${sdk}';`,
      '',
      'export const AppSchema = new Schema([',
    ],
    table: ({ name, columns }) => [
      '  new Table({',
      `    name: ${quote(name)},`,
      '    columns: [',
      ...columns.map(
        (each) => `      new Column({ name: ${quote(each.name)}, type: ColumnType.${upper(each.type)} }),`,
      ),
      '    ],',
      '  }),',
    ],
    tail: () => [']);'],
  },
  dart: {
    head: () => ["import 'package:powersync/powersync.dart';", '', 'const schema = Schema(['],
    table: ({ name, columns }) => [
      `  Table(${dollarQuote(name)}, [`,
      ...columns.map((each) => `    Column.${each.type}(${dollarQuote(each.name)}),`),
      '  ]),',
    ],
    tail: () => [']);'],
  },
  kotlin: {
    head: () => [
      'import com.powersync.db.schema.Column',
      'import com.powersync.db.schema.Schema',
      'import com.powersync.db.schema.Table',
      '',
      'val AppSchema = Schema(',
    ],
    table: ({ name, columns }) => [
      '    Table(',
      `        name = ${dollarQuote(name)},`,
      '        columns = listOf(',
      ...columns.map((each) => `            Column.${each.type}(${dollarQuote(each.name)}),`),
      '        ),',
      '    ),',
    ],
    tail: () => [')'],
  },
  swift: {
    head: () => ['import PowerSync', '', 'let AppSchema = Schema('],
    table: none,
    tail: (tables) => [
      tables
        .map(({ name, columns }) =>
          [
            '    Table(',
            `        name: ${quote(name)},`,
            '        columns: [',
            columns.map((each) => `            .${each.type}(${quote(each.name)})`).join(',\n'),
            '        ]',
            '    )',
          ].join('\n'),
        )
        .join(',\n'),
      ')',
    ],
  },
  dotNet,
  dotNetClass,
} as const satisfies Record<string, Language>;

export function write(
  language: keyof typeof languages,
  tables: readonly ClientTable[],
  sdk = '@powersync/web',
): string {
  const { head, table, tail }: Language = languages[language];
  return `${[...head(sdk), ...tables.flatMap(table), ...tail(tables)].join('\n')}\n`;
}

function javaScript(last?: string): Language {
  return {
    head: (sdk) => [`import { column, Schema, Table } from '${sdk}';`, ''],
    table: ({ name, columns }) => [
      `const ${identifier(name)} = new Table({`,
      ...columns.map((each) => `  ${property(each.name)}: column.${each.type},`),
      '});',
      '',
    ],
    tail: (tables) => [
      'export const AppSchema = new Schema({',
      ...tables.map(({ name }) => {
        const own = identifier(name);
        return own === name ? `  ${own},` : `  ${property(name)}: ${own},`;
      }),
      '});',
      ...(last === undefined ? [] : ['', last]),
    ],
  };
}

function property(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : quote(name);
}

/** Words that cannot be names of variables in JavaScript, and names that the generated files declare. */
const reserved = new Set(
  `AppSchema as await break case catch class column const continue debugger default delete do else enum export
  extends false finally for function if implements import in instanceof interface let new null package private
  protected public return Schema static super switch Table this throw true try typeof var void while with yield
  Database`.split(/\s+/),
);

function identifier(name: string): string {
  const word = name.replace(/[^\w]/g, '_').replace(/^(?=\d)/, '_');
  return reserved.has(word) || word === '' ? `${word}_` : word;
}
