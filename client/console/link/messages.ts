/** The messages between the console and the extension of an editor, where the console is a part of the editor. */

import type { SyncQuestion } from '../../api/synced.ts';
import type { MapPlace } from '../../api/syncMap.ts';
import type { CallFailureKind, SyncAs } from './transport.ts';

/** Numbers are the console's: an answer has that of its question. */
export type ToEditor =
  /** The page is ready, perhaps again: nobody waits for earlier questions any more. */
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
  | { readonly kind: 'open'; readonly place: MapPlace }
  | ({ readonly kind: 'reveal' } & DeployedSpan)
  /** The answers are opened as text documents. */
  | { readonly kind: 'preview'; readonly owner: PreviewedOwner }
  | { readonly kind: 'explain'; readonly table: string; readonly row: string };

/** A part of the deployed config: offsets. */
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
  /** The end of a call, with its answer, or of a stream, without a value. */
  | {
      readonly kind: 'done';
      readonly number: number;
      readonly value?: unknown;
      /** The time of the service, in milliseconds since 1970. */
      readonly at?: number;
    }
  | { readonly kind: 'line'; readonly number: number; readonly value: unknown }
  | { readonly kind: 'failed'; readonly number: number; readonly failure: SentFailure }
  | { readonly kind: 'map'; readonly edited: SentMap }
  /** Another service is selected: questions to the previous one are not answered. */
  | { readonly kind: 'target' }
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
