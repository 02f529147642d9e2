/** Writes the schema of a client in C#, as tables or as classes for rows. */
import type { ClientTable, ClientType } from '../../server/protocol.ts';
import type { Language } from './language.ts';

const columnTypes: Readonly<Record<ClientType, string>> = {
  text: 'ColumnType.Text',
  integer: 'ColumnType.Integer',
  real: 'ColumnType.Real',
};

/** The types of properties. Every column can be null. */
const propertyTypes: Readonly<Record<ClientType, string>> = {
  text: 'string?',
  integer: 'long?',
  real: 'double?',
};

export const dotNet: Language = {
  head: () => ['using PowerSync.Common.DB.Schema;', '', 'public static class AppSchema', '{'],
  table: () => [],
  tail: (tables) => {
    const members = distinct(tables.map(({ name }) => name));
    return [
      ...tables.flatMap(({ name, columns }, index) => [
        `    public static Table ${members[index]} = new Table`,
        '    {',
        `        Name = ${JSON.stringify(name)},`,
        '        Columns =',
        '        {',
        ...columns.map((each) => `            [${JSON.stringify(each.name)}] = ${columnTypes[each.type]},`),
        '        },',
        '    };',
        '',
      ]),
      `    public static Schema PowerSyncSchema = new Schema(${members.join(', ')});`,
      '}',
    ];
  },
};

export const dotNetClass: Language = {
  head: () => [
    '#nullable enable',
    'using PowerSync.Common.DB.Schema;',
    'using PowerSync.Common.DB.Schema.Attributes;',
    '',
  ],
  table: () => [],
  tail: (tables) => {
    const classes = distinct(tables.map(({ name }) => `${name}_item`));
    return [
      ...tables.flatMap((table, index) => [...classOf(table, classes[index] ?? ''), '']),
      'public static class AppSchema',
      '{',
      `    public static Schema PowerSyncSchema = new Schema(${classes.map((name) => `typeof(${name})`).join(', ')});`,
      '}',
    ];
  },
};

function classOf({ name, columns }: ClientTable, className: string): readonly string[] {
  const all = [{ name: 'id', type: 'text' } as const, ...columns];
  const members = distinct(
    all.map((column) => column.name),
    className,
  );
  return [
    `[Table(${JSON.stringify(name)})]`,
    `public class ${className}`,
    '{',
    ...all.flatMap((column, index) => [
      // The SDK does not infer the type of a nullable property.
      `    [Column(${JSON.stringify(column.name)}, ColumnType = ${columnTypes[column.type]})]`,
      column.name === 'id'
        ? `    public string ${members[index]} { get; set; } = "";`
        : `    public ${propertyTypes[column.type]} ${members[index]} { get; set; }`,
      ...(index === all.length - 1 ? [] : ['']),
    ]),
    '}',
  ];
}

/**
 * Writes each name in Pascal case, for example `CreatedAt` for `created_at`, or `CreatedAt_` if the name is taken. A member
 * cannot have the name of its class.
 */
function distinct(names: readonly string[], ...taken: readonly string[]): readonly string[] {
  const known = new Set([...taken, 'AppSchema', 'PowerSyncSchema', 'Schema', 'Table', 'ColumnType']);
  return names.map((name) => {
    let member = pascalCase(name);
    while (known.has(member)) member += '_';
    known.add(member);
    return member;
  });
}

function pascalCase(name: string): string {
  const words = name.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
  return words
    .map((word) => word[0]?.toUpperCase() + word.slice(1))
    .join('')
    .replace(/^(?=\d|$)/, '_');
}
