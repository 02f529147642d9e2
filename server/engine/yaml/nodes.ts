/**
 * YAML as the engine sees it: small immutable nodes with spans. Every span ends at the last visible character of its node. Offsets
 * are relative to the text that was passed to `read`.
 */
import type { Span } from '../text/span.ts';

interface Node {
  readonly span: Span;
  readonly anchor?: string;
  /** The tag as written, such as `!env`; absent for untagged nodes. */
  readonly tag?: string;
}

export type ScalarStyle = 'plain' | 'single' | 'double' | 'literal' | 'folded';

export interface YamlScalar extends Node {
  readonly kind: 'scalar';
  readonly style: ScalarStyle;
  /** The value according to the core schema of YAML 1.2. Integers beyond the safe range are bigints. */
  readonly value: string | number | bigint | boolean | null;
  /** The content as text, which the SQL parser reads. A null that is not written has an empty text. */
  readonly text: string;
}

export interface YamlPair {
  readonly key: YamlNode;
  /** The value. A missing value is a null scalar with an empty span directly after the colon (or the key). */
  readonly value: YamlNode;
}

export interface YamlMap extends Node {
  readonly kind: 'map';
  readonly flow: boolean;
  readonly pairs: readonly YamlPair[];
}

export interface YamlSequence extends Node {
  readonly kind: 'sequence';
  readonly flow: boolean;
  readonly items: readonly YamlNode[];
}

export interface YamlAlias extends Node {
  readonly kind: 'alias';
  readonly name: string;
}

export type YamlNode = YamlScalar | YamlMap | YamlSequence | YamlAlias;
