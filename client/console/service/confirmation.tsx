/** The dialog that asks before an action. */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

interface ConfirmationProps {
  readonly title: string;
  readonly text?: string;
  readonly children?: ComponentChildren;
  /** The label of the confirming button. Absent: the dialog only shows its content. */
  readonly confirm?: string;
  readonly onConfirm?: () => void;
  readonly onCancel: () => void;
}

/** A modal dialog. */
export function Confirmation({ title, text, children, confirm, onConfirm, onCancel }: ConfirmationProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    dialog.current?.showModal();
  }, []);
  return (
    <dialog ref={dialog} class="dialog" aria-label={title} onClose={onCancel}>
      <h2>{title}</h2>
      {text && <p>{text}</p>}
      {children}
      <form method="dialog" class="dialog-buttons">
        <button type="submit" class="button">
          {confirm === undefined ? 'Close' : 'Cancel'}
        </button>
        {confirm !== undefined && (
          <button type="button" class="button main" onClick={onConfirm}>
            {confirm}
          </button>
        )}
      </form>
    </dialog>
  );
}
