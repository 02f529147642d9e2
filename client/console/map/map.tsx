import { EmptyState } from '../parts/empty.tsx';

export function MapScreen() {
  return <EmptyState title="Nothing to show yet" />;
}
