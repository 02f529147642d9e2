/** A repair of a finding, and the place of the finding in the file. */
import type { Args, Code, Finding } from '../../engine/diagnostics/diagnostics.ts';
import type { Analysis, Part } from '../../engine/index.ts';
import type { Edit } from '../../engine/text/edit.ts';
import type { Span } from '../../engine/text/span.ts';
import type { Path } from '../../engine/yaml/find.ts';
import type { WritableSql } from '../reading/queries.ts';

export interface Fix {
  /** The title: a short imperative. */
  readonly title: string;
  /** The edits in the file. */
  readonly edits: readonly Edit[];
  /** Whether no other repair is possible. */
  readonly isSure?: true;
}

/** A finding and everything around its place. */
export interface Subject<A = object> {
  readonly analysis: Analysis;
  readonly finding: Omit<Finding, 'args'> & { readonly args: A };
  /** The part of the file that contains the finding. */
  readonly part: Part;
  /** The span of the finding, relative to the part. */
  readonly at: Span;
  /** The YAML nodes around the finding, from the outermost to the innermost. */
  readonly path: readonly Path[];
  readonly sql?: SqlSubject;
}

export interface SqlSubject extends WritableSql {
  /** The place of the finding in the SQL. */
  readonly span: Span;
}

/** Returns the fixes of a finding, or none if no fix is certain enough. */
export type FixOf<C extends Code = Code> = (subject: Subject<Args<C>>) => readonly Fix[];

export type Fixes = { readonly [C in Code]?: FixOf<C> };
