/** The owner of a device as text fields, which become claims, parameters and subscriptions. */

import type { OfferedStreams } from '../../api/explained.ts';
import { fieldText, fieldValue } from '../../api/fieldText.ts';
import { isObject } from '../../api/reading.ts';
import type { Subscription } from '../../api/synced.ts';
import type { WatchedClient } from '../../api/watch.ts';
import type { DeviceOwner } from './follow.ts';

type Fields = Readonly<Record<string, string>>;

export interface DraftSubscription {
  readonly stream: string;
  readonly fields: Fields;
}

export interface OwnerDraft {
  readonly user: string;
  readonly claims: Fields;
  /** Claims without a field of their own, as JSON. */
  readonly moreClaims: string;
  readonly parameters: Fields;
  readonly subscriptions: readonly DraftSubscription[];
}

export const emptyDraft: OwnerDraft = {
  user: '',
  claims: {},
  moreClaims: '',
  parameters: {},
  subscriptions: [],
};

/** Returns the user and the subscriptions of a connected client. */
export function draftOfClient({ user, subscriptions }: WatchedClient): OwnerDraft {
  return draftWith(user, {}, subscriptions);
}

export function draftWith(
  user: string,
  claims: Readonly<Record<string, unknown>>,
  subscriptions: readonly Subscription[],
): OwnerDraft {
  return {
    ...emptyDraft,
    user,
    claims: fieldTexts(claims),
    subscriptions: subscriptions.map(({ stream, parameters }) => ({
      stream,
      fields: fieldTexts(parameters ?? {}),
    })),
  };
}

export function withSubscription(draft: OwnerDraft, { stream, parameters }: Subscription): OwnerDraft {
  const added = { stream, fields: fieldTexts(parameters ?? {}) };
  return { ...draft, subscriptions: [...draft.subscriptions, added] };
}

/** Adds the claims and the parameters of the client that the service knows. */
export function completeDraft(draft: OwnerDraft, client: NonNullable<OfferedStreams['client']>): OwnerDraft {
  const { sub: _, ...claims } = client.claims;
  return { ...draft, claims: fieldTexts(claims), parameters: fieldTexts(client.parameters) };
}

function fieldTexts(values: Readonly<Record<string, unknown>>): Fields {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, fieldText(value)]));
}

type DraftReading =
  | { readonly kind: 'owner'; readonly owner: DeviceOwner }
  /** No user has been entered yet. */
  | { readonly kind: 'empty' }
  | { readonly kind: 'wrong'; readonly field: 'moreClaims'; readonly why: string };

export function readDraft(draft: OwnerDraft): DraftReading {
  const { user, claims, moreClaims, parameters, subscriptions } = draft;
  if (user.trim() === '') return { kind: 'empty' };
  const more = readMore(moreClaims);
  if (more === undefined)
    return {
      kind: 'wrong',
      field: 'moreClaims',
      why: 'This is not a JSON object, such as {"role": "admin"}.',
    };
  return {
    kind: 'owner',
    owner: {
      user: user.trim(),
      claims: { ...valuesOf(claims), ...more },
      question: {
        parameters: valuesOf(parameters),
        subscriptions: subscriptions.map(({ stream, fields }) => ({
          stream,
          parameters: Object.keys(fields).length === 0 ? null : valuesOf(fields),
        })),
      },
    },
  };
}

function readMore(text: string): Readonly<Record<string, unknown>> | undefined {
  if (text.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Reads the fields, and leaves out empty ones. */
function valuesOf(fields: Fields): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(fields)
      .filter(([, text]) => text !== '')
      .map(([name, text]) => [name, fieldValue(text)]),
  );
}
