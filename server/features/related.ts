/** Finds the second place that the message of a finding mentions, if there is one. */
import type { Code, Finding } from '../engine/diagnostics/diagnostics.ts';
import type { Analysis } from '../engine/index.ts';
import type { Span } from '../engine/text/span.ts';
import { mentionAt, mentionsIn, type PlacedMention } from './reading/mentions.ts';

export interface RelatedPlace {
  readonly span: Span;
  readonly message: string;
}

/** Returns the related place of a finding in this analysis. */
export function relatedPlace(analysis: Analysis, finding: Finding): RelatedPlace | undefined {
  if (finding.related) return finding.related;
  const found = finders[finding.code]?.(analysis, finding);
  return found && { span: found.span, message: `\`${found.symbol.name}\` is defined here.` };
}

type Find = (analysis: Analysis, finding: Finding) => PlacedMention | undefined;

const finders: Partial<Record<Code, Find>> = {
  'cte-in-cte': cteOfThatName,
  'cte-single-column': declarationOf,
  'duplicate-definition': otherDefinition,
};

function declarationOf(analysis: Analysis, { span }: Finding): PlacedMention | undefined {
  const asked = mentionAt(analysis, span.start);
  return mentionsIn(analysis).find(
    ({ role, symbol }) => role === 'declaration' && symbol.key === asked?.symbol.key,
  );
}

/** Returns the CTE that has the same name as a table. Inside the CTE, the name means the table. */
function cteOfThatName(analysis: Analysis, { span }: Finding): PlacedMention | undefined {
  const name = analysis.text.slice(span.start, span.end).toLowerCase();
  return mentionsIn(analysis).find(
    ({ role, symbol }) =>
      role === 'declaration' && symbol.kind === 'cte' && symbol.name.toLowerCase() === name,
  );
}

function otherDefinition(analysis: Analysis, { span }: Finding): PlacedMention | undefined {
  const asked = mentionAt(analysis, span.start);
  return mentionsIn(analysis).find(
    ({ role, sql, symbol, span: at }) =>
      role === 'declaration' && !sql && symbol.name === asked?.symbol.name && at.start !== span.start,
  );
}
