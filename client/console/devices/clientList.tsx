/** The list of connected clients, and the button to look at any other user. */
import { useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { isConsole } from '../../api/answers.ts';
import type { WatchedClient } from '../../api/watch.ts';
import { ageTime } from '../../health/clock.ts';
import { useConsole } from '../console.ts';
import { rowWindow, scrollTo } from '../grid/rowWindow.ts';
import { amountText, clockText, durationText } from '../parts/amounts.ts';
import { TextField } from '../parts/field.tsx';
import { Icon } from '../parts/icon.tsx';
import type { LinkState } from '../state/service.ts';

/** The id of a connection, `other` for a user who is entered, or `nobody`. */
export type ChosenClient = number | 'other' | 'nobody';

interface ClientListProps {
  readonly chosen: ChosenClient;
  readonly onChoose: (who: ChosenClient) => void;
}

/** The height in pixels, the same as in devices.css. */
const entryHeight = 52;

export function ClientList({ chosen, onChoose }: ClientListProps) {
  const { clients, clientCount, link } = useConsole().service;
  const search = useSignal('');
  const all = [...clients.value.values()];
  const apps = all.filter((client) => !isConsole(client));
  const shown = apps.filter((client) => textOf(client).includes(search.value.trim().toLowerCase()));
  const consoles = all.length - apps.length;
  const unlisted = Math.max(0, (clientCount.value ?? 0) - all.length);
  return (
    <section class="pane clients" aria-label="Clients">
      <TextField
        label="Connected clients"
        type="search"
        placeholder="User, app or stream"
        value={search.value}
        onInput={(text) => {
          search.value = text;
        }}
      />
      <button
        type="button"
        class="pick other"
        aria-pressed={chosen === 'other'}
        onClick={() => onChoose('other')}
      >
        <Icon name="add" />
        <span>Any other user</span>
      </button>
      <VirtualList clients={shown} chosen={chosen} onChoose={onChoose} />
      {shown.length === 0 && (
        <p class="hint">{apps.length === 0 ? nobodyText(link.value) : 'No client matches the search.'}</p>
      )}
      <p class="hint">
        {[
          ...(unlisted > 0 ? [`${amountText(unlisted, 'more client')} connected but not listed.`] : []),
          ...(consoles > 0 ? [`This console also counts as ${amountText(consoles, 'client')}.`] : []),
        ].join(' ')}
      </p>
    </section>
  );
}

/** Returns the text for no clients. Only the service can report that nobody is connected. */
function nobodyText(link: LinkState): string {
  switch (link.kind) {
    case 'connected':
      return 'No app is connected now.';
    case 'connecting':
      return 'Connecting to the service …';
    case 'asking':
      return 'This service does not report who is connected. Enter any user.';
    case 'no service':
      return 'No service is available.';
    case 'gone':
    case 'signed out':
      return 'The service does not report its clients at the moment.';
  }
}

function textOf({ user, app, subscriptions, client }: WatchedClient): string {
  const streams = subscriptions.map(({ stream }) => stream);
  return [user, client ?? '', ...Object.values(app), ...streams].join('\n').toLowerCase();
}

interface VirtualListProps extends ClientListProps {
  readonly clients: readonly WatchedClient[];
}

function VirtualList({ clients, chosen, onChoose }: VirtualListProps) {
  const frame = useRef<HTMLDivElement>(null);
  const seen = useSignal({ scrollTop: 0, height: 400 });
  const at = useSignal(0);
  const { clockAhead, seconds } = useConsole().service;
  // The time on the service's clock, which the service reports each second.
  const now = seconds.value.at(-1)?.at ?? ageTime() + clockAhead.value;
  const isMoving = useRef(false);
  const viewport = { ...seen.value, rowHeight: entryHeight, rows: clients.length };
  const { first, end, top, height } = rowWindow(viewport);
  const active = Math.min(at.value, clients.length - 1);

  useLayoutEffect(() => {
    const element = frame.current;
    if (element === null) return;
    const measure = (): void => {
      seen.value = { scrollTop: element.scrollTop, height: element.clientHeight };
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [seen]);
  // The focus moves only when the row has been drawn, because an effect of an earlier drawing may run after the key.
  useLayoutEffect(() => {
    if (!isMoving.current) return;
    isMoving.current = false;
    frame.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus({ preventScroll: true });
  });

  const press = (event: KeyboardEvent): void => {
    const page = Math.max(1, Math.floor(viewport.height / entryHeight));
    const step = {
      ArrowDown: 1,
      ArrowUp: -1,
      PageDown: page,
      PageUp: -page,
      Home: -active,
      End: clients.length,
    }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const next = Math.max(0, Math.min(clients.length - 1, active + step));
    isMoving.current = true;
    if (frame.current) frame.current.scrollTop = scrollTo(viewport, next);
    seen.value = { ...seen.value, scrollTop: frame.current?.scrollTop ?? 0 };
    at.value = next;
  };

  return (
    <div
      ref={frame}
      class="entries"
      role="listbox"
      aria-label="Connected clients"
      tabIndex={clients.length === 0 ? 0 : -1}
      onKeyDown={press}
      onScroll={({ currentTarget }) => {
        seen.value = { ...seen.value, scrollTop: currentTarget.scrollTop };
      }}
    >
      <div class="entries-inside" role="presentation" style={{ height: `${height}px` }}>
        {clients.slice(first, end).map((client, index) => (
          <button
            key={client.id}
            type="button"
            role="option"
            class="pick"
            aria-selected={chosen === client.id}
            aria-setsize={clients.length}
            aria-posinset={first + index + 1}
            tabIndex={first + index === active ? 0 : -1}
            style={{ transform: `translateY(${top + index * entryHeight}px)` }}
            onFocus={() => {
              at.value = first + index;
            }}
            onClick={() => onChoose(client.id)}
          >
            <span class="who">
              <b>{client.user}</b>
              <span class={client.behindSince === undefined ? 'lag none' : 'lag'}>
                {behindText(client, now)}
              </span>
            </span>
            <span class="what">{aboutText(client)}</span>
          </button>
        ))}
      </div>
    </div>
  );
}

function behindText({ behindSince, lastOp }: WatchedClient, now: number): string {
  if (behindSince !== undefined) return `${durationText(now - behindSince)} behind`;
  return lastOp === undefined ? 'nothing yet' : `op ${lastOp}`;
}

function aboutText({ app, subscriptions, since, failing }: WatchedClient): string {
  const name = app.app ?? app.appName ?? app.name;
  return [
    ...(failing.length > 0 ? [`${amountText(failing.length, 'stream')} left out`] : []),
    ...(name === undefined ? [] : [name]),
    ...(subscriptions.length > 0 ? [amountText(subscriptions.length, 'subscription')] : []),
    `since ${clockText(since)}`,
  ].join(' · ');
}
