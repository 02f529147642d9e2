/** The table of remedies at a place. Any of them may or may not help. If several remedies are the same, the first one counts. */
import type { Analysis } from '../../../engine/index.ts';
import { shiftEdits } from '../../../engine/text/edit.ts';
import { type Span, shift } from '../../../engine/text/span.ts';
import { nodesAt } from '../../../engine/yaml/find.ts';
import { editScalar } from '../../../engine/yaml/scalarEdits.ts';
import { staysSound } from '../refactorings/place.ts';
import { entryNamed, mapIn, removingPair } from '../yamlEdits.ts';
import { byParameter, conditionInside } from './conditions.ts';
import { joinedColumn, readDirectly } from './lookups.ts';
import { oneStream } from './oneStream.ts';
import type { Remedy, RemedyPlace } from './remedy.ts';
import { type SqlRemedy, type StreamSql, sqlOf } from './streamSql.ts';

const withinQueries: readonly ((sql: StreamSql) => readonly SqlRemedy[])[] = [
  joinedColumn,
  readDirectly,
  conditionInside,
];

/** The maximum number of remedies, because each one is counted before it is offered, and a menu should not wait. */
const most = 8;

/** Returns the remedies of the stream that contains the place. */
export function remediesAt(analysis: Analysis, selection: Span): readonly Remedy[] {
  const placed = analysis.config?.definitions.find(({ definition: { nameSpan, span }, part }) => {
    const [{ start }, { end }] = [shift(nameSpan, part.base), shift(span, part.base)];
    return start <= selection.start && selection.end <= end;
  });
  const edition = analysis.config?.surroundings.options.edition;
  if (placed?.definition.kind !== 'stream' || placed.plan === undefined || edition !== 3) return [];
  const place = { analysis, placed };
  return [...withinOf(place), ...oneStream(place), ...parametersOf(place)]
    .filter(({ edits }) => staysSound(analysis, edits))
    .slice(0, most);
}

function withinOf(place: RemedyPlace): readonly Remedy[] {
  const names = [place.placed.definition.name];
  return sqlOf(place).flatMap((sql) =>
    withinQueries
      .flatMap((make) => make(sql))
      .flatMap(({ title, edits }) => {
        const made = editScalar(sql.part.reading, sql.scalar, edits);
        if (made === undefined) return [];
        return [{ title, edits: shiftEdits(made, sql.part.base), before: names, after: names }];
      }),
  );
}

/** Returns remedies that add parameters to the query, which a stream without a subscription does not have. */
function parametersOf(place: RemedyPlace): readonly Remedy[] {
  const { part, definition } = place.placed;
  const names = [definition.name];
  const map = mapIn(nodesAt(part.reading.root, definition.span.start));
  const pair = map && entryNamed(map, 'auto_subscribe');
  const removal = map && pair ? removingPair(part, map, pair) : [];
  return byParameter(sqlOf(place)).flatMap(({ title, edits, sql }) => {
    const made = editScalar(sql.part.reading, sql.scalar, edits);
    if (made === undefined) return [];
    const all = [...removal, ...shiftEdits(made, sql.part.base)];
    return [{ title, edits: all, before: names, after: names, perSubscription: true as const }];
  });
}
