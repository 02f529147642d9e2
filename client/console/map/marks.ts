/** The names of the map's marks. */
import { type MarkKind, markKinds } from '../../api/syncMap.ts';
import { isGroup, type MapEntry } from './groups.ts';

export const markTitles = {
  broken: {
    title: 'Error',
    explanation: 'The stream has an error in the file, or the service cannot read the table.',
  },
  missing: {
    title: 'Missing',
    explanation: 'The source does not have the table, or a column that the config reads.',
  },
  open: {
    title: 'Open to everybody',
    explanation:
      'Everyone can get the rows, although a column or row-level security suggests that they have owners.',
  },
  pending: { title: 'Pending', explanation: 'Not deployed yet, or still being copied.' },
  unsynced: { title: 'Not synced', explanation: 'No client gets it.' },
} satisfies Readonly<Record<MarkKind, object>>;

/** Returns the kind of the worst mark of a node, or of the nodes in a group. */
export function worstKind(entry: MapEntry): MarkKind | undefined {
  const kinds = isGroup(entry) ? [...entry.marks.keys()] : entry.marks.map(({ kind }) => kind);
  return markKinds.find((kind) => kinds.includes(kind));
}
