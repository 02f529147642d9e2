/**
 * Reads values from the environment: `!env PS_NAME` is text, `!env PS_NAME::number` is a number, and `!env PS_NAME::boolean` is
 * true or false. Services accept only names that start with PS_.
 */
import type { Finding } from '../diagnostics/diagnostics.ts';
import { nearest } from '../text/nearest.ts';
import type { Span } from '../text/span.ts';
import type { YamlNode } from '../yaml/nodes.ts';
import { finding } from './finding.ts';

export const envTag = '!env';
export const envPrefix = 'PS_';

const envTypes = ['string', 'number', 'boolean'] as const;
type EnvType = (typeof envTypes)[number];

export interface Variable {
  readonly name: string;
  /** The text after `::`; `string` if there is none. */
  readonly suffix: string;
  /** Absent if the suffix is unknown. */
  readonly type?: EnvType;
}

/**
 * Returns the variable that a node names; undefined if the value does not come from the environment, or if no variable is named.
 */
export function variableOf(node: YamlNode): Variable | undefined {
  if (node.kind !== 'scalar' || node.tag !== envTag || node.text === '') return undefined;
  const [name = '', ...rest] = node.text.split('::');
  const suffix = rest.length === 0 ? 'string' : rest.join('::');
  const type = envTypes.find((known) => known === suffix);
  return { name, suffix, ...(type && { type }) };
}

interface TaggedPlace {
  readonly node: YamlNode;
  readonly span: Span;
}

export function checkTags({ places }: { readonly places: ReadonlyMap<string, TaggedPlace> }): Finding[] {
  return [...places.values()].flatMap((place) => checkTag(place));
}

function checkTag(place: TaggedPlace): Finding[] {
  const { node, span } = place;
  if (node.kind === 'alias' || node.tag === undefined || node.tag.startsWith('!!')) return [];
  if (node.tag !== envTag)
    return [finding('unknown-tag', span, { tag: node.tag, near: nearest(node.tag, [envTag]) })];
  const variable = variableOf(node);
  if (variable === undefined) return [finding('env-not-a-scalar', span, {})];
  const { name, suffix, type } = variable;
  const findings: Finding[] = [];
  if (!name.startsWith(envPrefix)) findings.push(finding('env-without-prefix', span, { name }));
  if (type === undefined)
    findings.push(finding('env-unknown-suffix', span, { suffix, near: nearest(suffix, envTypes) }));
  return findings;
}
