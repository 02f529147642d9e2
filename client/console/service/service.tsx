import { EmptyState } from '../parts/empty.tsx';

export function ServiceScreen() {
  return <EmptyState title="Nothing to show yet" />;
}
