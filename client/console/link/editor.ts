/** What an editor gives to the console that is part of it, beside a way to the service. */
import type { ReadonlySignal } from '@preact/signals';
import type { DeployedMaps, MapPlace, SyncMap } from '../../api/syncMap.ts';

export interface EditorLink {
  /** Of the sync config that is being edited, drawn anew as one types. Undefined until the editor has said it. */
  readonly map: ReadonlySignal<EditedMap | undefined>;
  readonly open: (place: MapPlace) => void;
}

interface EditedMap {
  /** The name of the file; absent where none is found. */
  readonly file?: string;
  /** Absent while it cannot be read. */
  readonly map?: SyncMap;
  /** Of the selected service; absent without one. */
  readonly deployed?: DeployedMaps;
  /** The name of the selected service, for sentences. */
  readonly service?: string;
}
