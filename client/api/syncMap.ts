/** The map of tables and their audiences, from our service (`map`), or from our language server for a file. */
import { dataOf } from './answers.ts';
import { type Fields, fieldsOf, isObject, listOf, numberIn, present, textIn } from './reading.ts';

export interface SyncMap {
  readonly tables: readonly MapTable[];
  readonly streams: readonly MapStream[];
  readonly audiences: readonly MapAudience[];
}

interface MapTable {
  readonly id: string;
  readonly sentence: string;
  readonly marks: readonly MapMark[];
  readonly place?: MapPlace;
}

export interface MapStream {
  readonly name: string;
  readonly kind: string;
  /** Whether clients get the stream without subscribing to it. */
  readonly isDefault: boolean;
  /** The users who get the stream, and whether they have to subscribe. */
  readonly summary: string;
  /** The summary, followed by details. */
  readonly sentence: string;
  readonly tables: readonly { readonly table: string; readonly use: 'rows' | 'access' }[];
  /** The ids of the audiences. */
  readonly audiences: readonly string[];
  readonly marks: readonly MapMark[];
  readonly place?: MapPlace;
}

interface MapAudience {
  readonly id: string;
  readonly kind: string;
  readonly label: string;
}

export interface MapMark {
  readonly kind: MarkKind;
  readonly sentence: string;
}

/** The kinds of marks, the worst first. */
export const markKinds = ['broken', 'missing', 'open', 'pending', 'unsynced'] as const;
export type MarkKind = (typeof markKinds)[number];

/** A place in a workspace file, or in the deployed config, for which the service reports only offsets. */
export type MapPlace =
  | { readonly kind: 'file'; readonly uri: string; readonly line: number; readonly character: number }
  | { readonly kind: 'deployed'; readonly offset: number };

export interface DeployedMaps {
  readonly active?: SyncMap;
  readonly pending?: SyncMap;
}

/** Returns undefined if the value contains no maps, because only our service sends them. */
export function readDeployedMaps(value: unknown): DeployedMaps | undefined {
  const data = dataOf(value);
  if (data === undefined) return undefined;
  return present({
    active: readSyncMap(data.active_sync_rules),
    pending: readSyncMap(data.deploying_sync_rules),
  });
}

export function readSyncMap(value: unknown): SyncMap | undefined {
  if (!isObject(value)) return undefined;
  return {
    tables: listOf(value.tables).map(readTable),
    streams: listOf(value.streams).map(readStream),
    audiences: listOf(value.audiences).map((each) => {
      const fields = fieldsOf(each);
      return { id: wordIn(fields, 'id'), kind: wordIn(fields, 'kind'), label: wordIn(fields, 'label') };
    }),
  };
}

function readTable(value: unknown): MapTable {
  const fields = fieldsOf(value);
  return present({
    id: wordIn(fields, 'id'),
    sentence: wordIn(fields, 'sentence'),
    marks: marksIn(fields),
    place: placeIn(fields),
  });
}

function readStream(value: unknown): MapStream {
  const fields = fieldsOf(value);
  return present({
    name: wordIn(fields, 'name'),
    kind: wordIn(fields, 'kind'),
    isDefault: fields.isDefault === true || fields.is_default === true,
    // Services before 0.3 send no summary.
    summary: textIn(fields, 'summary') ?? wordIn(fields, 'sentence'),
    sentence: wordIn(fields, 'sentence'),
    tables: listOf(fields.tables).map((each) => {
      const read = fieldsOf(each);
      return {
        table: wordIn(read, 'table'),
        use: read.use === 'access' ? ('access' as const) : ('rows' as const),
      };
    }),
    audiences: listOf(fields.audiences).map(String),
    marks: marksIn(fields),
    place: placeIn(fields),
  });
}

function marksIn({ marks }: Fields): readonly MapMark[] {
  return listOf(marks).flatMap((each): MapMark[] => {
    const fields = fieldsOf(each);
    const kind = markKinds.find((known) => known === fields.kind);
    return kind === undefined ? [] : [{ kind, sentence: wordIn(fields, 'sentence') }];
  });
}

function placeIn({ place, location }: Fields): MapPlace | undefined {
  const { uri, range } = fieldsOf(place);
  const start = fieldsOf(fieldsOf(range).start);
  if (typeof uri === 'string')
    return {
      kind: 'file',
      uri,
      line: numberIn(start, 'line') ?? 0,
      character: numberIn(start, 'character') ?? 0,
    };
  const offset = numberIn(fieldsOf(location), 'start_offset');
  return offset === undefined ? undefined : { kind: 'deployed', offset };
}

function wordIn(fields: Fields, name: string): string {
  return textIn(fields, name) ?? '';
}
