/** The messages between the console and the extension of an editor, if the console is a part of the editor. */

import type { SyncQuestion } from '../../api/synced.ts';
import type { MapPlace } from '../../api/syncMap.ts';
import type { CallFailureKind, SyncAs } from './transport.ts';

/** The console numbers its requests, and an answer has the number of its request. */
export type ToEditor =
  /** The page is ready, possibly after a reload, so it no longer waits for answers to earlier requests. */
  | { readonly kind: 'ready' }
  | {
      readonly kind: 'call';
      readonly number: number;
      readonly method: 'GET' | 'POST';
      readonly path: string;
      readonly body: object;
    }
  | { readonly kind: 'events'; readonly number: number }
  | { readonly kind: 'sync'; readonly number: number; readonly request: SyncAs }
  /** Asks for the list of deployed configs, which the editor also shows. */
  | { readonly kind: 'configs'; readonly number: number }
  | { readonly kind: 'cancel'; readonly number: number }
  | { readonly kind: 'open'; readonly place: MapPlace }
  | ({ readonly kind: 'reveal' } & DeployedSpan)
  /** Requests whose answers are opened as text documents. */
  | { readonly kind: 'preview'; readonly owner: PreviewedOwner }
  | { readonly kind: 'explain'; readonly table: string; readonly row: string };

/** A part of the deployed config, as offsets. */
export interface DeployedSpan {
  readonly content: string;
  readonly start: number;
  readonly end: number;
}

export interface PreviewedOwner {
  readonly user: string;
  /** The claims other than `sub`. */
  readonly claims: Readonly<Record<string, unknown>>;
  readonly question: SyncQuestion;
}

export type FromEditor =
  /** The end of a call with its answer, or the end of a stream without a value. */
  | {
      readonly kind: 'done';
      readonly number: number;
      readonly value?: unknown;
      /** The time on the service's clock, in milliseconds since 1970. */
      readonly at?: number;
    }
  | { readonly kind: 'line'; readonly number: number; readonly value: unknown }
  | { readonly kind: 'failed'; readonly number: number; readonly failure: SentFailure }
  | { readonly kind: 'map'; readonly edited: SentMap }
  /** Another service is selected, so calls to the previous one are not answered. */
  | { readonly kind: 'target' }
  /** The console has to open a screen by its address, for example `#/devices?user=ada`. */
  | { readonly kind: 'show'; readonly hash: string };

export interface SentFailure {
  readonly kind: CallFailureKind;
  readonly message: string;
  readonly code?: string | undefined;
}

/** Maps in the form in which the language server sends them. */
export interface SentMap {
  /** The name of the file. Absent if no file is found. */
  readonly file?: string;
  readonly map?: unknown;
  /** Absent if no service reports its deployed configs. */
  readonly deployed?: { readonly active?: unknown; readonly pending?: unknown };
}
