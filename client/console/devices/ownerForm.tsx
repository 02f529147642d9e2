/** The owner of the device and the subscriptions, all of which can be changed to see another user's rows. */
import type { OfferedStream, OfferedStreams } from '../../api/explained.ts';
import type { WatchedClient } from '../../api/watch.ts';
import { clockText } from '../parts/amounts.ts';
import { TextField } from '../parts/field.tsx';
import { Icon } from '../parts/icon.tsx';
import type { DraftSubscription, OwnerDraft } from './draft.ts';
import { UserField } from './userField.tsx';

interface OwnerFormProps {
  readonly draft: OwnerDraft;
  /** `unknown` if the service does not report the streams. */
  readonly offered: OfferedStreams | 'unknown' | undefined;
  readonly problem: string | undefined;
  /** The client from whose connection the form was filled. */
  readonly client: WatchedClient | undefined;
  readonly isGone: boolean;
  readonly onChange: (draft: OwnerDraft) => void;
}

export function OwnerForm({ draft, offered: answer, problem, client, isGone, onChange }: OwnerFormProps) {
  const offered = answer === 'unknown' ? undefined : answer;
  const known = [...(offered?.claims ?? []), ...Object.keys(draft.claims)];
  const claims = [...new Set(known)].filter((name) => name !== 'sub');
  return (
    <section class="pane owner" aria-label="User and streams">
      {isGone && (
        <p class="note">This client has disconnected. The rows that it would get are still shown.</p>
      )}
      {client && (
        <dl class="facts">
          <dt>Position</dt>
          <dd>{client.lastOp === undefined ? 'no checkpoint yet' : `operation ${client.lastOp}`}</dd>
          <dt>Buckets</dt>
          <dd>{client.buckets}</dd>
          <dt>Connected</dt>
          <dd>
            since {clockText(client.since)}, {client.transport}
          </dd>
        </dl>
      )}
      <h2>User</h2>
      <UserField value={draft.user} onInput={(user) => onChange({ ...draft, user })} />
      {claims.map((name) => (
        <TextField
          key={name}
          label={`Claim ${name}`}
          value={draft.claims[name] ?? ''}
          onInput={(text) => onChange({ ...draft, claims: { ...draft.claims, [name]: text } })}
        />
      ))}
      <TextField
        label="More claims"
        value={draft.moreClaims}
        placeholder={'{"role": "admin"}'}
        error={problem}
        onInput={(moreClaims) => onChange({ ...draft, moreClaims })}
      />
      {(offered?.parameters ?? []).map((name) => (
        <TextField
          key={name}
          label={`Connection parameter ${name}`}
          value={draft.parameters[name] ?? ''}
          onInput={(text) => onChange({ ...draft, parameters: { ...draft.parameters, [name]: text } })}
        />
      ))}
      <h2>Streams</h2>
      {(offered?.streams ?? []).map((stream) => (
        <StreamFields
          key={stream.name}
          stream={stream}
          subscriptions={draft.subscriptions}
          onChange={(subscriptions) => onChange({ ...draft, subscriptions })}
        />
      ))}
      {answer === 'unknown' && <p class="hint">This service does not report its streams.</p>}
      {offered?.origin === 'file' && (
        <p class="hint">
          These streams are from the file in the editor, because the service does not report its own.
        </p>
      )}
      {offered !== undefined && offered.streams.length === 0 && (
        <p class="hint">The config has no streams.</p>
      )}
      <p class="hint">Write numbers, lists, true and false as in JSON. A number in quotes is a string.</p>
    </section>
  );
}

interface StreamFieldsProps {
  readonly stream: OfferedStream;
  /** The subscriptions of all streams. */
  readonly subscriptions: readonly DraftSubscription[];
  readonly onChange: (subscriptions: readonly DraftSubscription[]) => void;
}

function StreamFields({ stream, subscriptions, onChange }: StreamFieldsProps) {
  const { name, isDefault, parameters } = stream;
  const own = subscriptions.flatMap((each, index) => (each.stream === name ? [{ ...each, index }] : []));
  const begin: DraftSubscription = {
    stream: name,
    fields: Object.fromEntries(parameters.map((each) => [each, ''])),
  };
  const replace = (index: number, fields: DraftSubscription['fields']): void =>
    onChange(subscriptions.map((each, at) => (at === index ? { ...each, fields } : each)));
  const remove = (index: number): void => onChange(subscriptions.filter((_, at) => at !== index));
  const title = isDefault ? `${name}, subscribed by default` : name;
  return (
    <fieldset class="stream">
      <legend class="unseen">{title}</legend>
      <div class="stream-head">
        {isDefault ? (
          <span class="stream-name">{name}</span>
        ) : (
          <label class="stream-name">
            <input
              type="checkbox"
              checked={own.length > 0}
              onChange={({ currentTarget: { checked } }) =>
                onChange(
                  checked ? [...subscriptions, begin] : subscriptions.filter((each) => each.stream !== name),
                )
              }
            />
            {name}
          </label>
        )}
        {isDefault && <span class="badge">by default</span>}
        {(own.length > 0 || isDefault) && parameters.length > 0 && (
          <button
            type="button"
            class="plain"
            title={`Add another subscription to ${name}`}
            aria-label={`Add another subscription to ${name}`}
            onClick={() => onChange([...subscriptions, begin])}
          >
            <Icon name="add" />
          </button>
        )}
      </div>
      {own.map(({ index, fields }, number) => (
        <div key={index} class="subscription">
          {[...new Set([...parameters, ...Object.keys(fields)])].map((parameter) => (
            <TextField
              key={parameter}
              label={own.length > 1 ? `${parameter} of subscription ${number + 1}` : parameter}
              value={fields[parameter] ?? ''}
              placeholder="no value"
              onInput={(text) => replace(index, { ...fields, [parameter]: text })}
            />
          ))}
          {(own.length > 1 || isDefault) && (
            <button
              type="button"
              class="plain"
              aria-label={`Remove subscription ${number + 1} to ${name}`}
              title="Remove"
              onClick={() => remove(index)}
            >
              <Icon name="delete" />
            </button>
          )}
        </div>
      ))}
    </fieldset>
  );
}
