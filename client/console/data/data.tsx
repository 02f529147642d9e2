import { EmptyState } from '../parts/empty.tsx';

export function DataScreen() {
  return <EmptyState title="Nothing to show yet" />;
}
