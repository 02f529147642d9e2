/** Short notes about the results of actions, which screen readers also read. */
import { signal } from '@preact/signals';
import { CallFailure } from '../link/transport.ts';
import { Icon } from './icon.tsx';
import './toast.css';

interface Toast {
  readonly id: number;
  readonly kind: 'done' | 'failed';
  readonly message: string;
}

const toasts = signal<readonly Toast[]>([]);
let lastId = 0;
/** The duration of a note, in milliseconds. A failure stays until it is closed. */
const shownFor = 5_000;
const most = 4;

export function showToast(kind: Toast['kind'], message: string): void {
  lastId += 1;
  const id = lastId;
  toasts.value = [...toasts.value, { id, kind, message }].slice(-most);
  if (kind === 'done') setTimeout(() => close(id), shownFor);
}

/** Does work that calls the service. If a call fails, shows the reason. */
export async function attempt(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    showToast('failed', error instanceof CallFailure ? error.message : 'The request failed.');
  }
}

export function Toasts() {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {toasts.value.map(({ id, kind, message }) => (
        <div key={id} class={`toast ${kind}`}>
          <Icon name={kind === 'done' ? 'check' : 'error'} />
          <span>{message}</span>
          <button type="button" class="plain" aria-label="Close" onClick={() => close(id)}>
            <Icon name="close" />
          </button>
        </div>
      ))}
    </div>
  );
}

function close(id: number): void {
  toasts.value = toasts.value.filter((toast) => toast.id !== id);
}
