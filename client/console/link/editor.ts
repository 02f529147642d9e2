/** The console as a part of an editor. It sends messages to the extension, which has the tokens and calls the services. */
import { type ReadonlySignal, signal } from '@preact/signals';
import { present } from '../../api/reading.ts';
import { type DeployedMaps, type MapPlace, readSyncMap, type SyncMap } from '../../api/syncMap.ts';
import type { ListedConfig } from '../../deploying/history.ts';
import { ageTime } from '../../health/clock.ts';
import type { DeployedSpan, FromEditor, PreviewedOwner, SentMap, ToEditor } from './messages.ts';
import { CallFailure, type OnLine, type Transport } from './transport.ts';

/** The requests of the console to the editor, in addition to calls to the service. */
export interface EditorLink {
  /** The map of the sync config in the editor, updated while typing. Undefined until the editor has sent it. */
  readonly map: ReadonlySignal<EditedMap | undefined>;
  /** Returns each deployed config once, newest first, with those that only the editor remembers. */
  readonly configs: (signal?: AbortSignal) => Promise<readonly ListedConfig[]>;
  readonly open: (place: MapPlace) => void;
  /** Shows a part of the deployed config: in the file, if the file is deployed. */
  readonly reveal: (span: DeployedSpan) => void;
  /** Opens a text document with everything that a user gets. */
  readonly preview: (owner: PreviewedOwner) => void;
  /**
   * Opens a text document that explains which users get a row.
   *
   * @param row the row as JSON
   */
  readonly explain: (table: string, row: string) => void;
}

interface EditedMap {
  /** The name of the file. Absent if no file is found. */
  readonly file?: string;
  /** Absent while the config cannot be read. */
  readonly map?: SyncMap;
  /** The maps of the selected service. Absent if no service is selected. */
  readonly deployed?: DeployedMaps;
}

/** The interface of VS Code for its webviews. */
export interface WebviewApi {
  postMessage(message: ToEditor): void;
  getState(): unknown;
  setState(state: unknown): void;
}

interface EditorConsole {
  readonly transport: Transport;
  readonly editor: EditorLink;
}

interface Question {
  readonly onLine?: OnLine;
  readonly settle: (message: Extract<FromEditor, { kind: 'done' | 'failed' }>) => void;
}

interface EditorOrders {
  /** Opens a screen by its address. */
  readonly show: (hash: string) => void;
  /** Called when another service is selected, so that everything that is shown is outdated. */
  readonly beginAgain: () => void;
}

export function openEditorConsole(
  api: Pick<WebviewApi, 'postMessage'>,
  page: Pick<Window, 'addEventListener'>,
  { show, beginAgain }: EditorOrders,
): EditorConsole {
  const map = signal<EditedMap | undefined>(undefined);
  const questions = new Map<number, Question>();
  let last = 0;
  let clockAhead: number | undefined;

  page.addEventListener('message', ({ data }: MessageEvent<FromEditor>) => {
    switch (data.kind) {
      case 'map':
        map.value = readEdited(data.edited);
        break;
      case 'target':
        clockAhead = undefined;
        for (const { settle } of questions.values()) settle(left);
        questions.clear();
        beginAgain();
        break;
      case 'show':
        show(data.hash);
        break;
      case 'line':
        questions.get(data.number)?.onLine?.(data.value);
        break;
      case 'done':
      case 'failed':
        if (data.kind === 'done' && data.at !== undefined) clockAhead = data.at - ageTime();
        questions.get(data.number)?.settle(data);
        questions.delete(data.number);
    }
  });

  const ask = (
    messageFor: (number: number) => ToEditor,
    signal: AbortSignal | undefined,
    onLine?: OnLine,
  ): Promise<unknown> =>
    new Promise((resolve, reject) => {
      last += 1;
      const number = last;
      const cancel = (): void => {
        if (!questions.delete(number)) return;
        api.postMessage({ kind: 'cancel', number });
        if (onLine) resolve(undefined);
        else reject(signal?.reason);
      };
      questions.set(number, {
        ...(onLine && { onLine }),
        settle(message) {
          signal?.removeEventListener('abort', cancel);
          if (message.kind === 'done') resolve(message.value);
          else reject(new CallFailure(message.failure.kind, message.failure.message, message.failure.code));
        },
      });
      api.postMessage(messageFor(number));
      signal?.addEventListener('abort', cancel);
      if (signal?.aborted) cancel();
    });

  const transport: Transport = {
    call: (method, path, body = {}, signal) =>
      ask((number) => ({ kind: 'call', number, method, path, body }), signal),
    events: async (onLine, signal) => {
      await ask((number) => ({ kind: 'events', number }), signal, onLine);
    },
    sync: async (request, onLine, signal) => {
      await ask((number) => ({ kind: 'sync', number, request }), signal, onLine);
    },
    clockAhead: () => clockAhead,
  };
  api.postMessage({ kind: 'ready' });
  const editor: EditorLink = {
    map,
    // The page and the extension have the same version, so the form of the list is known.
    configs: async (signal) =>
      (await ask((number) => ({ kind: 'configs', number }), signal)) as readonly ListedConfig[],
    open: (place) => api.postMessage({ kind: 'open', place }),
    reveal: (span) => api.postMessage({ kind: 'reveal', ...span }),
    preview: (owner) => api.postMessage({ kind: 'preview', owner }),
    explain: (table, row) => api.postMessage({ kind: 'explain', table, row }),
  };
  return { transport, editor };
}

/** The result of calls to a service that is no longer selected. */
const left = {
  kind: 'failed',
  number: 0,
  failure: { kind: 'unreachable', message: 'Another service was selected.' },
} as const;

function readEdited({ file, map, deployed }: SentMap): EditedMap {
  return present({
    file,
    map: readSyncMap(map),
    deployed:
      deployed && present({ active: readSyncMap(deployed.active), pending: readSyncMap(deployed.pending) }),
  });
}
