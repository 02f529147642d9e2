/** The text in place of an empty list. */
import type { ComponentChildren } from 'preact';
import './empty.css';

interface EmptyStateProps {
  readonly title: string;
  /** Why there is nothing, and what to do. */
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
