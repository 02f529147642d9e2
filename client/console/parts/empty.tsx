/** The text that replaces an empty list. */
import type { ComponentChildren } from 'preact';
import './empty.css';

interface EmptyStateProps {
  readonly title: string;
  /** The reason, and advice. */
  readonly children?: ComponentChildren;
}

export function EmptyState({ title, children }: EmptyStateProps) {
  return (
    <div class="empty">
      <p class="empty-title">{title}</p>
      {children}
    </div>
  );
}
