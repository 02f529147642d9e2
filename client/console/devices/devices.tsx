/** The devices screen: the connected clients, their subscriptions, and the live rows of any device. */
import { useSignal } from '@preact/signals';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { keyOfConfig } from '../../api/deployedConfig.ts';
import { type OfferedStreams, readOfferedStreams, streamsPath } from '../../api/explained.ts';
import { useConsole } from '../console.ts';
import type { ScreenProps } from '../frame/address.ts';
import { CallFailure } from '../link/transport.ts';
import { EmptyState } from '../parts/empty.tsx';
import { readAskedDevice } from './askedDevice.ts';
import { type ChosenClient, ClientList } from './clientList.tsx';
import { DevicePanel, type DeviceView } from './devicePanel.tsx';
import {
  completeDraft,
  draftOfClient,
  emptyDraft,
  type OwnerDraft,
  readDraft,
  withSubscription,
} from './draft.ts';
import { type DeviceState, followDevice } from './follow.ts';
import { consoleClientId, deviceClock } from './looking.ts';
import { OwnerForm } from './ownerForm.tsx';
import './devices.css';

/** The delay from the last key to the new stream, in milliseconds. */
const typing = 350;

export function DevicesScreen({ parameters }: ScreenProps) {
  const { service, transport } = useConsole();
  const address = parameters.toString();
  const asked = useMemo(() => readAskedDevice(parameters), [address]);
  const chosen = useSignal<ChosenClient>(asked.draft.user === '' ? 'nobody' : 'other');
  const draft = useSignal<OwnerDraft>(asked.draft);
  /** Whether the draft is still that of the former choice, because the chosen client has not been described yet. */
  const isFormer = useSignal(false);
  const view = useSignal<DeviceView>(asked.view);
  const table = useSignal(asked.table);
  const offered = useOffered();
  const clients = service.clients.value;

  const choose = (who: ChosenClient): void => {
    chosen.value = who;
    isFormer.value = false;
    const client = typeof who === 'number' ? clients.get(who) : undefined;
    if (client === undefined) {
      draft.value = emptyDraft;
      return;
    }
    isFormer.value = true;
    const begun = draftOfClient(client);
    const asking = { user_id: client.user, client_id: client.client };
    // A device that the service cannot describe is shown without claims.
    const answer = transport.call('POST', streamsPath, asking).then(readOfferedStreams, () => undefined);
    void answer.then((found) => {
      if (chosen.value !== who) return;
      isFormer.value = false;
      draft.value = found?.client === undefined ? begun : completeDraft(begun, found.client);
    });
  };
  // The address may name another user while the screen is open.
  const isFirst = useRef(true);
  useEffect(() => {
    if (isFirst.current || address === '') {
      isFirst.current = false;
      return;
    }
    view.value = asked.view;
    table.value = asked.table;
    // If the address names no user, keep the chosen one, because the address only names rows.
    if (asked.draft.user === '') return;
    chosen.value = 'other';
    isFormer.value = false;
    draft.value = asked.draft;
  }, [asked, address, chosen, isFormer, draft, view, table]);

  const reading = readDraft(draft.value);
  const device = useDevice(draft.value);
  const client = typeof chosen.value === 'number' ? clients.get(chosen.value) : undefined;
  // The rows of another user must not be shown as those of the chosen user, whose device is not open yet.
  const isOther = device !== undefined && device.owner.user !== draft.value.user.trim();
  return (
    <div class="devices">
      <h1>Devices</h1>
      <div class="panes">
        <ClientList chosen={chosen.value} onChoose={choose} />
        {chosen.value === 'nobody' ? (
          <div class="pane wide">
            <EmptyState title="Select a client">
              <p>
                {view.value === 'source'
                  ? 'Choose a client or any other user to see which rows are missing on the device, and why.'
                  : 'Choose a client to see its rows, or any other user to see the rows that the user would get.'}
              </p>
            </EmptyState>
          </div>
        ) : (
          <>
            <OwnerForm
              key={chosen.value}
              draft={draft.value}
              offered={offered}
              problem={reading.kind === 'wrong' ? reading.why : undefined}
              client={client}
              isGone={typeof chosen.value === 'number' && client === undefined}
              onChange={(next) => {
                draft.value = next;
              }}
            />
            {isFormer.value || isOther ? (
              <div class="pane">
                <EmptyState title="Opening the device …" />
              </div>
            ) : device === undefined ? (
              <div class="pane">
                <EmptyState title="Which user?">
                  <p>Choose a user, or enter the id as it is in the app's tokens.</p>
                </EmptyState>
              </div>
            ) : (
              <DevicePanel
                key={device.key}
                owner={device.owner}
                state={device.state}
                view={view}
                chosenTable={table}
                find={asked.find}
                onSubscribe={(subscription, brought) => {
                  draft.value = withSubscription(draft.value, subscription);
                  // Show the device, where the user can see the rows arrive.
                  view.value = 'device';
                  table.value = brought;
                }}
              />
            )}
          </>
        )}
      </div>
    </div>
  );
}

interface OpenDevice {
  readonly key: string;
  readonly owner: Extract<ReturnType<typeof readDraft>, { kind: 'owner' }>['owner'];
  readonly state: DeviceState;
}

/** Opens a new device for each changed draft, shortly after the user has typed. */
function useDevice(draft: OwnerDraft): OpenDevice | undefined {
  const { transport } = useConsole();
  const [open, setOpen] = useState<OpenDevice>();
  const reading = readDraft(draft);
  const key = reading.kind === 'owner' ? JSON.stringify(reading.owner) : reading.kind;
  useEffect(() => {
    if (reading.kind === 'wrong') return;
    const end = new AbortController();
    const begin = (): void => {
      if (reading.kind === 'empty') {
        setOpen(undefined);
        return;
      }
      const { owner } = reading;
      const state = followDevice(transport, owner, consoleClientId, end.signal, deviceClock);
      setOpen({ key, owner, state });
    };
    const timer = setTimeout(begin, open === undefined ? 0 : typing);
    return () => {
      clearTimeout(timer);
      end.abort();
    };
    // The key contains all relevant parts of the draft.
  }, [key, transport]);
  return open;
}

/** Returns the streams that clients can subscribe to; requested again after another config is deployed. */
function useOffered(): OfferedStreams | 'unknown' | undefined {
  const { transport, service } = useConsole();
  const offered = useSignal<OfferedStreams | 'unknown' | undefined>(undefined);
  const deployed = keyOfConfig(service.diagnosis.value?.active);
  const returns = service.returns.value;
  const end = useMemo(() => new AbortController(), []);
  useEffect(() => {
    transport.call('POST', streamsPath, {}, end.signal).then(
      (answer) => {
        offered.value = readOfferedStreams(answer);
      },
      (error: unknown) => {
        if (error instanceof CallFailure && error.kind === 'absent') offered.value = 'unknown';
      },
    );
  }, [deployed, returns, transport, end, offered]);
  useEffect(() => () => end.abort(), [end]);
  return offered.value;
}
