/** Explains functions for hovers and for the details of completions. All texts are Markdown. */
import {
  functions,
  type MetadataFunction,
  metadataFunctions,
  type OnNull,
  type RequestFunction,
  requestFunctions,
  type SqlFunction,
  type TableFunction,
  tableFunctions,
} from '../../engine/sql/functions.ts';

/** Any function that a query can call, identified by the words before its parenthesis. */
type AnyFunction =
  | { readonly kind: 'plain'; readonly of: SqlFunction }
  | { readonly kind: 'request'; readonly of: RequestFunction }
  | { readonly kind: 'metadata'; readonly of: MetadataFunction }
  | { readonly kind: 'table'; readonly of: TableFunction };

/** Returns undefined if the schema belongs to no request function, because it is the name of a table. Names are in lower case. */
export function functionNamed(schema: string | undefined, name: string): AnyFunction | undefined {
  if (schema !== undefined) {
    const request = requestFunctions.find((one) => one.schema === schema && one.name === name);
    if (request) return { kind: 'request', of: request };
    const metadata = metadataFunctions.get(name);
    return metadata && { kind: 'metadata', of: metadata };
  }
  const plain = functions.get(name);
  if (plain) return { kind: 'plain', of: plain };
  const table = tableFunctions.get(name);
  return table && { kind: 'table', of: table };
}

export function explainFunction(found: AnyFunction): string {
  return paragraphs(code(found.of.signature), explainCall(found));
}

/** Explains a call without its signature, for places that already show the signature. */
export function explainCall(found: AnyFunction): string {
  const { doc, example } = found.of;
  return paragraphs(doc, ...remarksOn(found), `Example:\n${code(example)}`);
}

const onNull: Readonly<Record<OnNull, string>> = {
  null: 'NULL if an argument is NULL.',
  'empty text': 'An empty text if the argument is NULL.',
  zero: '0 if the argument is NULL.',
  'a value': 'Has a special result if an argument is NULL.',
};

function remarksOn(found: AnyFunction): string[] {
  switch (found.kind) {
    case 'plain':
      return [
        `${onNull[found.of.onNull]}${found.of.notInSqlite ? ' The SQLite expression engine does not support this function.' : ''}`,
      ];
    case 'request':
      return [
        found.of.clientControlled
          ? '**Chosen by the client**, so it proves nothing about the user.'
          : '**Signed** with the token, so the client cannot change it.',
      ];
    case 'table':
      return [`Columns: ${found.of.columns.map((name) => `\`${name}\``).join(', ')}.`];
    case 'metadata':
      return [];
  }
}

export function code(text: string, language = 'sql'): string {
  return `\`\`\`${language}\n${text}\n\`\`\``;
}

export function paragraphs(...parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== '').join('\n\n');
}
