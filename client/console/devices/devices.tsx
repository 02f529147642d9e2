import { useSignal } from '@preact/signals';
import type { WatchedClient } from '../../api/watch.ts';
import { useConsole } from '../console.ts';
import type { ScreenProps } from '../frame/address.ts';
import { EmptyState } from '../parts/empty.tsx';
import { TextField } from '../parts/field.tsx';
import { DataTable, type TableColumn } from '../parts/table.tsx';
import { clockText, numberText } from '../parts/words.ts';

const columns: readonly TableColumn<WatchedClient>[] = [
  { title: 'User', cell: ({ user }) => user, by: ({ user }) => user },
  {
    title: 'Buckets',
    cell: ({ buckets }) => numberText(buckets),
    by: ({ buckets }) => buckets,
    align: 'right',
  },
  { title: 'Connected since', cell: ({ since }) => clockText(since), by: ({ since }) => since },
];

/** Who is connected. */
export function DevicesScreen({ parameters }: ScreenProps) {
  const { clients } = useConsole().service;
  const user = useSignal(parameters.get('user') ?? '');
  const rows = [...clients.value.values()].filter((client) => client.user.includes(user.value));
  return (
    <>
      <h1>Devices</h1>
      <TextField
        label="User"
        type="search"
        value={user.value}
        onInput={(text) => {
          user.value = text;
        }}
      />
      <DataTable
        caption="Connected clients"
        columns={columns}
        rows={rows}
        keyOf={({ id }) => id}
        empty={<EmptyState title="No client is connected" />}
      />
    </>
  );
}
