import { beforeAll, describe, expect, test } from 'vitest';
import type { IGrammar } from 'vscode-textmate';
import { colour, type YamlGrammar, yamlGrammar } from '../support/editor/grammar.ts';

const sql = 'SELECT t.id, upper(name) FROM todos AS t WHERE t.owner = auth.user_id() AND n >= 1.5 -- done';

describe.each<YamlGrammar>(['newer', 'older'])('In the %s grammar of YAML', (which) => {
  let grammar: IGrammar;

  beforeAll(async () => {
    grammar = await yamlGrammar(which);
  });

  /** Returns the SQL words with their scopes, without any other text. */
  const words = (yaml: string) =>
    colour(grammar, yaml)
      .filter(({ isSql }) => isSql)
      .map(({ text, scope }) => `${text} ${scope.replace(/^meta\.embedded\.inline\.sql$/, '-')}`);
  /** Returns all SQL, without white space. */
  const sqlOf = (yaml: string) =>
    colour(grammar, yaml)
      .filter(({ isSql, scope }) => isSql && !scope.startsWith('comment.line.number-sign'))
      .map(({ text }) => text.replace(/\s/g, ''))
      .join('');

  test('words, strings, numbers and comments have their colours', () => {
    expect(words(`streams:\n  a:\n    query: |\n      ${sql}\n`)).toEqual([
      'SELECT keyword.other.sql',
      't.id, -',
      'upper support.function.sql',
      '(name) -',
      'FROM keyword.other.sql',
      'todos -',
      'AS keyword.other.sql',
      't -',
      'WHERE keyword.other.sql',
      't.owner -',
      '= keyword.operator.sql',
      'auth support.class.sql',
      '. punctuation.separator.period.sql',
      'user_id variable.parameter.sql',
      '() -',
      'AND keyword.other.sql',
      'n -',
      '>= keyword.operator.sql',
      '1.5 constant.numeric.sql',
      '-- done comment.line.double-dash.sql',
    ]);
  });

  test.each([
    ['plain', "SELECT * FROM a WHERE b = 'x'"],
    ['plain over two lines', "SELECT * FROM a\n      WHERE b = 'x'"],
    ['double-quoted', `"SELECT * FROM a WHERE b = 'x'"`],
    ['double-quoted over two lines', `"SELECT * FROM a\n      WHERE b = 'x'"`],
    ['single-quoted', `'SELECT * FROM a WHERE b = ''x'''`],
    ['literal', "|\n      SELECT * FROM a\n      WHERE b = 'x'"],
    ['literal with indicators', "|2-\n      SELECT * FROM a\n      WHERE b = 'x'"],
    ['folded', ">-\n      SELECT * FROM a\n\n        WHERE b = 'x'"],
    ['in small letters', "select * from a where b = 'x'"],
  ])('a scalar is coloured to its end and not beyond: %s', (_, scalar) => {
    const yaml = `streams:\n  a:\n    query: ${scalar}\n    priority: 1 # with comment\n  b:\n    query: nothing\n`;
    expect(sqlOf(yaml).toLowerCase().replaceAll("''", "'")).toBe("select*fromawhereb='x'");
    const rest = colour(grammar, yaml).filter(({ isSql }) => !isSql);
    expect(rest.find(({ text }) => text === 'priority')?.scope).toContain('entity.name.tag');
  });

  test('a YAML comment after a plain scalar is not part of the SQL', () => {
    expect(sqlOf('streams:\n  a:\n    query: SELECT * FROM a # all of it\n')).toBe('SELECT*FROMa');
  });

  test('text that does not begin like a query is not coloured as SQL', () => {
    const yaml =
      'jobs:\n  a:\n    query: sum(rate(x))\n    run: |\n      echo SELECT\n      exit 1\n    with: SELECTED\n    about: Select one\n';
    expect(sqlOf(yaml)).toBe('');
  });
});

describe('In the newer grammar of YAML', () => {
  test('queries are found under any key, in lists and within brackets', async () => {
    const grammar = await yamlGrammar('newer');
    const yaml = `with:
  mine: |
    SELECT 1
streams:
  a:
    queries:
      - SELECT 2
      - |
        SELECT 3
      - "SELECT 4"
bucket_definitions:
  b:
    data: [SELECT 5, 'SELECT 6']
    parameters: SELECT 7
    other: text
`;
    const numbers = colour(grammar, yaml).filter(({ isSql, text }) => isSql && /\d/.test(text));
    expect(numbers.map(({ text }) => text)).toEqual(['1', '2', '3', '4', '5', '6', '7']);
    expect(colour(grammar, yaml).find(({ text }) => text === 'other')?.scope).toContain('entity.name.tag');
  });
});
