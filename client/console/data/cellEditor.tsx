/** The editor for a value in its cell. Enter writes the value, and Escape discards the change. */
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';

interface CellEditorProps {
  readonly label: string;
  readonly value: string | null;
  readonly onFinish: (value: string | null) => void;
  readonly onCancel: () => void;
}

export function CellEditor({ label, value, onFinish, onCancel }: CellEditorProps) {
  const input = useRef<HTMLInputElement>(null);
  const text = useSignal(value ?? '');
  const isTouched = useSignal(false);
  const cell = useRef<HTMLElement | null>(null);
  useEffect(() => {
    cell.current = input.current?.closest<HTMLElement>('[role="gridcell"]') ?? null;
    input.current?.focus();
    input.current?.select();
    // Return the focus to the cell.
    return () => requestAnimationFrame(() => cell.current?.focus());
  }, []);
  return (
    <span class="cell-editor">
      <input
        ref={input}
        aria-label={label}
        value={text.value}
        placeholder={value === null ? 'NULL' : ''}
        onInput={({ currentTarget }) => {
          text.value = currentTarget.value;
          isTouched.value = true;
        }}
        onKeyDown={(event) => {
          event.stopPropagation();
          if (event.key === 'Enter') onFinish(isTouched.value ? text.value : value);
          if (event.key === 'Escape') onCancel();
        }}
      />
      <button type="button" class="plain" title="No value" onClick={() => onFinish(null)}>
        NULL
      </button>
    </span>
  );
}
