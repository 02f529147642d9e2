/** The names of the map's marks. */
import { type MapMark, type MarkKind, markKinds } from '../../api/syncMap.ts';

export const markTitles: Readonly<
  Record<MarkKind, { readonly title: string; readonly explanation: string }>
> = {
  broken: {
    title: 'Error',
    explanation: 'The stream has an error in the file, or the service cannot read the table.',
  },
  missing: { title: 'Missing', explanation: 'The source lacks the table, or a column that is read.' },
  open: {
    title: 'Open to everybody',
    explanation: 'Everybody can get the rows, although something says whose they are.',
  },
  pending: { title: 'Pending', explanation: 'It is not deployed, or still being copied.' },
  unsynced: { title: 'Synced by nobody', explanation: 'No client gets it.' },
};

/** The worst one. */
export function worstMark(marks: readonly MapMark[]): MapMark | undefined {
  return markKinds.flatMap((kind) => marks.find((mark) => mark.kind === kind) ?? [])[0];
}
