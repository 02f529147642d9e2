/**
 * The field for the id of a user, with a list of users to choose from. The typed text becomes the id when it cannot be the beginning
 * of a name in the list, or when the field is left.
 */
import { useSignal } from '@preact/signals';
import { useEffect, useId, useRef } from 'preact/hooks';
import { isConsole } from '../../api/answers.ts';
import { keyOfConfig } from '../../api/deployedConfig.ts';
import {
  type KnownUsers,
  mayFindMore,
  noUsers,
  offerUsers,
  openUserSearch,
  titleOf,
  type UserOffer,
  userDetailsOf,
  usersPath,
} from '../../api/users.ts';
import { useConsole } from '../console.ts';
import './userField.css';

interface UserFieldProps {
  readonly value: string;
  readonly onInput: (user: string) => void;
}

export function UserField({ value, onInput }: UserFieldProps) {
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const { known, search } = useKnownUsers();
  const connected = useConnectedUsers();
  /** A text that is not the id yet. */
  const typed = useSignal<string | undefined>(undefined);
  /** The text that the listed users contain. Undefined: the list is closed. */
  const filter = useSignal<string | undefined>(undefined);
  const active = useSignal(-1);

  const offersFor = (text: string) => offerUsers({ known, connected, typed: text });
  const offersNow = (): readonly UserOffer[] => {
    const listed = filter.value === undefined ? [] : offersFor(filter.value);
    return listed.length === 1 && listed[0]?.id === value ? [] : listed;
  };
  const offers = offersNow();
  const own = offersFor(value).find((user) => user.id === value);

  const open = (text: string, at: number): void => {
    filter.value = text;
    active.value = at;
    search(text);
  };
  const close = (): void => {
    filter.value = undefined;
    active.value = -1;
  };
  const choose = (user: string): void => {
    typed.value = undefined;
    close();
    if (user !== value) onInput(user);
  };
  const takeText = (text: string): void => {
    open(text, text.trim() === '' ? -1 : 0);
    const found = offersFor(text);
    const isUnknown = found.length === 0 && !mayFindMore(known, text);
    const isId = text === '' || isUnknown || found[0]?.id === text.trim();
    typed.value = isId ? undefined : text;
    if (isId) onInput(text);
  };
  const press = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    // The list may have changed since it was drawn.
    const list = offersNow();
    const chosen = list[active.value];
    if (step !== undefined && filter.value === undefined) open('', 0);
    else if (step !== undefined) active.value = (active.value + step + list.length) % (list.length || 1);
    else if (event.key === 'Enter') choose(chosen?.id ?? typed.value ?? value);
    else if (event.key === 'Escape' && list.length > 0) close();
    else return;
    event.preventDefault();
  };

  // The search of the service may show that a text is not a part of a name.
  useEffect(() => {
    if (typed.value !== undefined) takeText(typed.value);
  }, [known]);
  // Focus the field when it appears empty, and not again when the value changes.
  useEffect(() => {
    if (value === '') field.current?.focus();
  }, []);
  const chosenOption = `${id}-${active.value}`;
  useEffect(() => {
    document.getElementById(chosenOption)?.scrollIntoView({ block: 'nearest' });
  }, [chosenOption]);

  return (
    <div class="field user">
      <label for={id}>Id</label>
      <input
        id={id}
        ref={field}
        role="combobox"
        value={typed.value ?? value}
        placeholder={known.users.length > 0 ? 'Name, address or id' : 'user-1'}
        autocomplete="off"
        spellcheck={false}
        aria-autocomplete="list"
        aria-expanded={offers.length > 0}
        aria-controls={`${id}-users`}
        aria-activedescendant={offers[active.value] === undefined ? undefined : chosenOption}
        aria-describedby={`${id}-hint`}
        onInput={({ currentTarget }) => takeText(currentTarget.value)}
        onKeyDown={press}
        onFocus={() => {
          if (value === '' && typed.value === undefined) open('', -1);
        }}
        onClick={() => {
          if (filter.value === undefined) open(typed.value ?? '', -1);
        }}
        onBlur={() => choose(typed.value ?? value)}
      />
      <div class="users" hidden={offers.length === 0}>
        <div id={`${id}-users`} role="listbox" aria-label="Users">
          {offers.map((user, index) => (
            <Option
              key={user.id}
              id={`${id}-${index}`}
              user={user}
              isActive={index === active.value}
              onChoose={choose}
            />
          ))}
        </div>
        {known.table !== undefined && <p class="hint">From the table {known.table}</p>}
      </div>
      <p id={`${id}-hint`} class="hint">
        {own !== undefined && titleOf(own) !== own.id
          ? labelOf(own)
          : value === '' && known.why !== undefined && `No users are listed. ${known.why}`}
      </p>
    </div>
  );
}

function labelOf({ name, address }: UserOffer): string {
  return [name, address].filter((text) => text !== undefined).join(' · ');
}

interface OptionProps {
  readonly id: string;
  readonly user: UserOffer;
  readonly isActive: boolean;
  readonly onChoose: (user: string) => void;
}

function Option({ id, user, isActive, onChoose }: OptionProps) {
  const details = userDetailsOf(user).join(' · ');
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the field has the focus
    <div
      id={id}
      role="option"
      aria-selected={isActive}
      title={[titleOf(user), details].join(' · ')}
      onMouseDown={(event) => {
        event.preventDefault();
        onChoose(user.id);
      }}
    >
      <b>{titleOf(user)}</b>
      {user.isConnected && <span class="connected">connected</span>}
      {details !== '' && <span class="details">{details}</span>}
    </div>
  );
}

function useConnectedUsers(): readonly string[] {
  const { clients } = useConsole().service;
  return [...clients.value.values()].filter((client) => !isConsole(client)).map(({ user }) => user);
}

/** Returns the users that the service lists; asked again after another config is deployed. */
function useKnownUsers(): { readonly known: KnownUsers; readonly search: (typed: string) => void } {
  const { transport, service } = useConsole();
  const known = useSignal<KnownUsers>(noUsers);
  const search = useRef<(typed: string) => void>(() => undefined);
  const deployed = keyOfConfig(service.diagnosis.value?.active);
  const returns = service.returns.value;
  useEffect(() => {
    const end = new AbortController();
    known.value = noUsers;
    const asking = openUserSearch(
      (body) => transport.call('POST', usersPath, body, end.signal),
      (found) => {
        if (!end.signal.aborted) known.value = found;
      },
    );
    search.current = asking.search;
    asking.search('');
    return () => end.abort();
  }, [deployed, returns, transport, known]);
  return { known: known.value, search: (typed) => search.current(typed) };
}
