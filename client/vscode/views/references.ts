/** Shows places that the language server has counted in the editor's own view of references. */
import { commands, Location, Position, Range, Uri } from 'vscode';
import type { ShownPlaces } from '../../../server/protocol.ts';

export function showReferences({ uri, position, places }: ShownPlaces): Thenable<unknown> {
  const toPosition = ({ line, character }: ShownPlaces['position']) => new Position(line, character);
  return commands.executeCommand(
    'editor.action.showReferences',
    Uri.parse(uri),
    toPosition(position),
    places.map(
      ({ uri: file, range: { start, end } }) =>
        new Location(Uri.parse(file), new Range(toPosition(start), toPosition(end))),
    ),
  );
}
