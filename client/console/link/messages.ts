/** What the console and the extension of an editor say to each other, where the console is a part of the editor. */
import type { MapPlace } from '../../api/syncMap.ts';
import type { CallFailureKind, SyncAs } from './transport.ts';

/** Numbers are the console's: an answer has that of its question. */
export type ToEditor =
  /** The page is there, perhaps again: what was asked before is asked by nobody any more. */
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
  | { readonly kind: 'cancel'; readonly number: number }
  | { readonly kind: 'open'; readonly place: MapPlace };

export type FromEditor =
  /** Of a call: the answer. Of a stream: its end, without a value. */
  | { readonly kind: 'done'; readonly number: number; readonly value?: unknown }
  | { readonly kind: 'line'; readonly number: number; readonly value: unknown }
  | { readonly kind: 'failed'; readonly number: number; readonly failure: SentFailure }
  | { readonly kind: 'map'; readonly edited: SentMap }
  /** A screen, as in an address: `#/devices?user=ada`. */
  | { readonly kind: 'show'; readonly hash: string };

export interface SentFailure {
  readonly kind: CallFailureKind;
  readonly message: string;
  readonly code?: string | undefined;
}

/** Maps as the language server tells them. */
export interface SentMap {
  /** The name of the file; absent where none is found. */
  readonly file?: string;
  readonly map?: unknown;
  /** Absent without a service that tells what it runs. */
  readonly deployed?: { readonly active?: unknown; readonly pending?: unknown };
}
