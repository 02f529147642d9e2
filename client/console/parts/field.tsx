/** A text field with its label, its hint and its error. */
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import './field.css';

interface TextFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onInput: (value: string) => void;
  readonly type?: 'text' | 'search' | 'number';
  readonly placeholder?: string;
  /** A hint about the content. */
  readonly hint?: ComponentChildren;
  /** The problem with the value. */
  readonly error?: string | undefined;
  readonly disabled?: boolean;
  /** Focuses the field when it appears. */
  readonly isFirst?: boolean;
  /** The suggested values. Users can also type other values. */
  readonly suggestions?: readonly string[];
}

/** A line of text with its label and its problem. */
export function TextField({
  label,
  value,
  onInput,
  hint,
  error,
  suggestions,
  isFirst = false,
  ...input
}: TextFieldProps) {
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  // Do not focus the field again when the value changes.
  useEffect(() => {
    if (isFirst) field.current?.focus();
  }, []);
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        ref={field}
        value={value}
        autocomplete="off"
        spellcheck={false}
        aria-invalid={error !== undefined}
        aria-describedby={`${id}-hint`}
        list={suggestions ? `${id}-list` : undefined}
        onInput={({ currentTarget }) => onInput(currentTarget.value)}
        {...input}
      />
      {suggestions && (
        <datalist id={`${id}-list`}>
          {suggestions.map((each) => (
            <option key={each} value={each} />
          ))}
        </datalist>
      )}
      <p id={`${id}-hint`} class={error === undefined ? 'hint' : 'hint wrong'}>
        {error ?? hint}
      </p>
    </div>
  );
}
