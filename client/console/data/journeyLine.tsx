/** The journey of a row that was written here: when it was committed, when it was stored, and which devices received it. */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { fieldsOf, listOf, numberIn, textIn, timeIn } from '../../api/reading.ts';
import { useConsole } from '../console.ts';
import { amountText, clockText } from '../parts/amounts.ts';

interface Journey {
  readonly committedAt?: number | undefined;
  readonly stored?: { readonly opId: string; readonly ms: number } | undefined;
  readonly devices: readonly { readonly user: string; readonly ms: number }[];
  readonly awaited: number;
  readonly isOver: boolean;
}

/** The pause between two steps, in milliseconds. */
const pause = 120;

export function JourneyLine({ id }: { readonly id: number }) {
  const { transport } = useConsole();
  const journey = useSignal<Journey>({ devices: [], awaited: 0, isOver: false });
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = async (): Promise<void> => {
      const answer = await transport.call('POST', '/api/admin/v1/journey', { id }).catch(() => undefined);
      if (answer !== undefined) journey.value = readJourney(answer);
      if (!journey.value.isOver) timer = setTimeout(() => void look(), pause);
    };
    void look();
    return () => clearTimeout(timer);
  }, [id, transport, journey]);
  const { committedAt, stored, devices, awaited, isOver } = journey.value;
  const last = devices.reduce((longest, { ms }) => Math.max(longest, ms), 0);
  const users = [...new Set(devices.map(({ user }) => user))];
  return (
    <ol class="journey" aria-label="Progress of the row" aria-live="polite">
      <li class="there">Committed{committedAt === undefined ? '' : ` at ${clockText(committedAt)}`}</li>
      <li class={stored ? 'there' : ''}>
        {stored
          ? `Stored at operation ${stored.opId} after ${stored.ms} ms`
          : isOver
            ? 'Not stored: replication is not making progress'
            : 'Being stored …'}
      </li>
      <li class={devices.length > 0 ? 'there' : ''}>
        {devices.length > 0
          ? `On ${amountText(devices.length, 'device')} after ${last} ms: ${users.slice(0, 5).join(', ')}${users.length > 5 ? ', …' : ''}`
          : isOver
            ? 'On no connected device'
            : 'On its way to devices …'}
        {awaited > 0 && `, ${amountText(awaited, 'device')} pending`}
      </li>
    </ol>
  );
}

function readJourney(answer: unknown): Journey {
  const data = fieldsOf(fieldsOf(answer).data);
  const stored = fieldsOf(data.stored);
  return {
    committedAt: timeIn(data, 'committed_ts'),
    stored:
      data.stored === undefined
        ? undefined
        : { opId: textIn(stored, 'op_id') ?? '', ms: Math.round(numberIn(stored, 'ms') ?? 0) },
    devices: listOf(data.devices)
      .map(fieldsOf)
      .map((device) => ({
        user: textIn(device, 'user_id') ?? '',
        ms: Math.round(numberIn(device, 'ms') ?? 0),
      })),
    awaited: numberIn(data, 'awaited') ?? 0,
    isOver: data.over === true,
  };
}
