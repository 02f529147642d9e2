/** Finds the keys and expressions at the place of a finding. */
import type { Finding } from '../../engine/diagnostics/diagnostics.ts';
import { groupBy } from '../../engine/ground/group.ts';
import { oncePer } from '../../engine/ground/oncePer.ts';
import type { Analysis, Part } from '../../engine/index.ts';
import { shift, span } from '../../engine/text/span.ts';
import { nodesAt } from '../../engine/yaml/find.ts';
import { readYaml } from '../../engine/yaml/read.ts';
import { offsetInValue } from '../../engine/yaml/sourceMap.ts';
import { type WritableSql, writable } from '../reading/queries.ts';
import { sqlTextsOf } from '../reading/sqlTexts.ts';
import type { SqlSubject, Subject } from './fix.ts';

export function subjectOf(analysis: Analysis, finding: Finding): Subject | undefined {
  const part = partAt(analysis, finding.span.start);
  if (!part) return undefined;
  const at = shift(finding.span, -part.base);
  const sql = sqlAround(analysis, part, finding);
  return {
    analysis,
    finding,
    part,
    at,
    path: nodesAt(part.reading.root, at.start),
    ...(sql && { sql: { ...sql, span: spanInSql(sql, at) } }),
  };
}

/** Returns the part of a file at an offset. A service config is a single part. */
export function partAt({ config, text }: Analysis, offset: number): Part | undefined {
  if (config) return config.parts.findLast(({ base }) => base <= offset);
  return { base: 0, reading: readYaml(text), path: [], heading: false };
}

function sqlAround(analysis: Analysis, part: Part, { span: at }: Finding): WritableSql | undefined {
  const text = textsByPart(analysis)
    .get(part.base)
    ?.find(({ span: whole }) => whole.start <= at.start && at.end <= whole.end);
  return text && writable(part, text.text)[0];
}

/** The SQL texts of a file by part. Cached, because every finding of a file needs it. */
const textsByPart = oncePer((analysis: Analysis) => groupBy(sqlTextsOf(analysis), ({ base }) => base));

function spanInSql({ part, scalar }: WritableSql, { start, end }: SqlSubject['span']): SqlSubject['span'] {
  const { text } = part.reading;
  return span(offsetInValue(text, scalar, start), offsetInValue(text, scalar, end));
}
