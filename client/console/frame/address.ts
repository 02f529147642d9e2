/** Which screen is shown, and with what: `#/devices?user=ada`. */
import { signal } from '@preact/signals';

interface ScreenAddress {
  readonly screen: string;
  readonly parameters: URLSearchParams;
}

/** What every screen is given. */
export interface ScreenProps {
  /** What the address says besides the screen. */
  readonly parameters: URLSearchParams;
}

const usual = 'service';

export const address = signal<ScreenAddress>({ screen: usual, parameters: new URLSearchParams() });

export function followAddress(page: Window): () => void {
  const read = (): void => {
    address.value = parseAddress(page.location.hash);
  };
  read();
  page.addEventListener('hashchange', read);
  return () => page.removeEventListener('hashchange', read);
}

export function parseAddress(hash: string): ScreenAddress {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?', 2);
  return { screen: path === '' ? usual : path, parameters: new URLSearchParams(query) };
}

/** For links: `<a href={addressOf('devices', { user })}>`. */
export function addressOf(screen: string, parameters: Readonly<Record<string, string>> = {}): string {
  const query = new URLSearchParams(parameters).toString();
  return `#/${screen}${query === '' ? '' : `?${query}`}`;
}
