import { EmptyState } from '../parts/empty.tsx';

export function SlowLargeScreen() {
  return <EmptyState title="Nothing to show yet" />;
}
