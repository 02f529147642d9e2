/** A repair of a finding, and the subject of the finding. */
import type { Args, Code, Finding } from '../../engine/diagnostics/diagnostics.ts';
import type { Analysis, Part } from '../../engine/index.ts';
import type { Edit } from '../../engine/text/edit.ts';
import type { Span } from '../../engine/text/span.ts';
import type { Path } from '../../engine/yaml/find.ts';
import type { WritableSql } from '../reading/queries.ts';

export interface Fix {
  /** An order in a few words. */
  readonly title: string;
  /** The edits in the file. */
  readonly edits: readonly Edit[];
  /** There is nothing else that could be meant. */
  readonly isSure?: true;
}

/** A finding with everything at its place. */
export interface Subject<A = object> {
  readonly analysis: Analysis;
  readonly finding: Omit<Finding, 'args'> & { readonly args: A };
  /** The part of the file that holds it. */
  readonly part: Part;
  /** Its place there. */
  readonly at: Span;
  /** The nodes of the YAML around it, from the outside in. */
  readonly path: readonly Path[];
  readonly sql?: SqlSubject;
}

export interface SqlSubject extends WritableSql {
  /** The place of the finding in the SQL. */
  readonly span: Span;
}

/** Returns no fix if none is certain enough. */
export type FixOf<C extends Code = Code> = (subject: Subject<Args<C>>) => readonly Fix[];

export type Fixes = { readonly [C in Code]?: FixOf<C> };
