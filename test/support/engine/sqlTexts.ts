/** All SQL texts of the recorded examples, in the order of their files. */
import { readdirSync, readFileSync } from 'node:fs';
import { parseDocument, visit } from 'yaml';

const folder = new URL('../../fixtures/examples/', import.meta.url);

export function exampleSqlTexts(): readonly string[] {
  const files = readdirSync(folder).filter((file) => file.endsWith('.yaml'));
  return [...new Set(files.flatMap(sqlTextsOf))];
}

function sqlTextsOf(file: string): string[] {
  const texts: string[] = [];
  visit(parseDocument(readFileSync(new URL(file, folder), 'utf8'), { logLevel: 'silent' }), {
    Scalar(_key, { value }) {
      if (typeof value === 'string' && /^\s*select\b/i.test(value)) texts.push(value);
    },
  });
  return texts;
}
