/** The form for a new row. An empty field gets the default of its column, or no value. */

import { useSignal } from '@preact/signals';
import { shownName } from '../../api/tableName.ts';
import { TextField } from '../parts/field.tsx';
import type { OwnTable } from './ownTables.ts';

interface NewRowProps {
  readonly table: OwnTable;
  /** Adds the row, and returns whether it was written. */
  readonly onAdd: (values: Readonly<Record<string, string>>) => Promise<boolean>;
  readonly onClose: () => void;
}

export function NewRow({ table, onAdd, onClose }: NewRowProps) {
  const values = useSignal<Readonly<Record<string, string>>>({});
  const add = async (): Promise<void> => {
    const written = Object.entries(values.value).filter(([, text]) => text !== '');
    if (await onAdd(Object.fromEntries(written))) onClose();
  };
  return (
    <form
      class="detail new-row"
      aria-label={`A new row of ${shownName(table)}`}
      onSubmit={(event) => {
        event.preventDefault();
        void add();
      }}
      onKeyDown={({ key }) => {
        if (key === 'Escape') onClose();
      }}
    >
      <div class="new-row-fields">
        {table.columns
          .filter(({ isGenerated }) => !isGenerated)
          .map(({ name, type, isOptional }) => (
            <TextField
              key={name}
              label={name}
              value={values.value[name] ?? ''}
              placeholder={isOptional ? type : `${type}, required`}
              onInput={(text) => {
                values.value = { ...values.value, [name]: text };
              }}
            />
          ))}
      </div>
      <div class="tools">
        <button type="submit" class="button main">
          Add
        </button>
        <button type="button" class="button" onClick={onClose}>
          Cancel
        </button>
      </div>
    </form>
  );
}
