/** The icon and the title of each kind of event. */
import type { Happening } from '../../api/watch.ts';
import type { IconName } from '../parts/icon.tsx';

const kinds: Readonly<Record<Happening['kind'], { readonly icon: IconName; readonly title: string }>> = {
  start: { icon: 'start', title: 'Start' },
  deploy: { icon: 'deploy', title: 'Deployment' },
  copy: { icon: 'copy', title: 'Copy' },
  migration: { icon: 'migration', title: 'Migration' },
  restart: { icon: 'restart', title: 'Restart' },
  error: { icon: 'error', title: 'Error' },
};

export function iconOf(kind: Happening['kind']): IconName {
  return kinds[kind].icon;
}

export function kindTitle(kind: Happening['kind']): string {
  return kinds[kind].title;
}
