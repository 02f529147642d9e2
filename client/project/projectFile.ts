/** Reads the values of a YAML file by JSON pointers such as `/api/tokens/0`. `!env NAME` is the value of a variable. */
import { type Document, isAlias, isMap, isScalar, isSeq, type Node, parseDocument } from 'yaml';

/** Returns the value of a variable. Undefined leaves the value out. A caller that needs all values throws instead. */
export type VariableLookup = (name: string, pointer: string) => string | undefined;

export type Environment = Readonly<Record<string, string | undefined>>;

export interface ProjectValue {
  readonly text: string;
  /** The variable that the value comes from, if there is one. */
  readonly variable?: string;
}

export interface ProjectFile {
  readonly kind: 'read';
  /** The path of the file, or the name of a variable, for messages. */
  readonly path: string;
  readonly has: (pointer: string) => boolean;
  /** Returns the number of elements of a list. */
  readonly count: (pointer: string) => number;
  readonly value: (pointer: string) => ProjectValue | undefined;
  readonly text: (pointer: string) => string | undefined;
  readonly texts: (pointer: string) => readonly string[];
  /** Returns the name of the variable at this place, even if it is not set. */
  readonly variable: (pointer: string) => string | undefined;
}

/** The mistake because of which a file is not YAML. */
export interface YamlMistake {
  readonly kind: 'not YAML';
  readonly offset: number;
}

export function readProjectFile(
  path: string,
  text: string,
  lookup: VariableLookup,
): ProjectFile | YamlMistake {
  const document: Document = parseDocument(text, { logLevel: 'silent' });
  const [error] = document.errors;
  if (error !== undefined) return { kind: 'not YAML', offset: error.pos[0] };
  const nodeAt = (pointer: string) => find(document, pointer);
  const variable = (pointer: string) => variableOf(nodeAt(pointer));
  const value = (pointer: string) => readValue(nodeAt(pointer), pointer, lookup);
  const count = (pointer: string) => {
    const node = nodeAt(pointer);
    return isSeq(node) ? node.items.length : 0;
  };
  return {
    kind: 'read',
    path,
    has: (pointer) => nodeAt(pointer) !== undefined,
    count,
    value,
    text: (pointer) => value(pointer)?.text,
    texts: (pointer) =>
      Array.from({ length: count(pointer) }, (_, index) => value(`${pointer}/${index}`)?.text).filter(
        (each) => each !== undefined,
      ),
    variable,
  };
}

export function lookupIn(env: Environment): VariableLookup {
  return (name) => env[name] || undefined;
}

/** Finds a node by its pointer. Pointers need no escapes, because no key in these files has a slash or a tilde. */
function find(document: Document, pointer: string): Node | undefined {
  let node = resolveAlias(document.contents, document);
  for (const key of pointer.split('/').slice(1)) {
    const inner = isMap(node) ? node.get(key, true) : isSeq(node) ? node.get(Number(key), true) : undefined;
    node = resolveAlias(inner, document);
  }
  return node;
}

function resolveAlias(node: unknown, document: Document): Node | undefined {
  return isAlias(node) ? node.resolve(document) : ((node as Node | null | undefined) ?? undefined);
}

/** Returns the variable in `!env NAME` or `!env NAME::number`. */
function variableOf(node: unknown): string | undefined {
  if (!isScalar(node) || node.tag !== '!env') return undefined;
  return String(node.value).split('::')[0]?.trim();
}

function readValue(node: unknown, pointer: string, lookup: VariableLookup): ProjectValue | undefined {
  const variable = variableOf(node);
  if (variable !== undefined) {
    const text = lookup(variable, pointer);
    return text === undefined ? undefined : { text, variable };
  }
  if (!isScalar(node) || node.value === null) return undefined;
  const text = node.source ?? String(node.value);
  return text === '' ? undefined : { text };
}
