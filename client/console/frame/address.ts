/** The screen and its parameters in an address such as `#/devices?user=ada`. */
import { signal } from '@preact/signals';
import { fieldsOf } from '../../api/reading.ts';

interface ScreenAddress {
  readonly screen: string;
  readonly parameters: URLSearchParams;
}

/** The properties of every screen. */
export interface ScreenProps {
  /** The parameters of the address. */
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

/**
 * Keeps the address in the state of a webview of VS Code, because a webview has no address and does not follow links. Returns a
 * function that opens an address.
 */
export function followAddressIn(
  page: Window,
  { getState, setState }: { readonly getState: () => unknown; readonly setState: (state: unknown) => void },
): (hash: string) => void {
  const show = (hash: string): void => {
    address.value = parseAddress(hash);
    setState({ hash });
  };
  const known = fieldsOf(getState()).hash;
  address.value = parseAddress(typeof known === 'string' ? known : '#/map');
  page.addEventListener('click', ({ target }) => {
    const hash = target instanceof Element ? target.closest('a')?.getAttribute('href') : undefined;
    if (hash?.startsWith('#/')) show(hash);
  });
  return show;
}

export function parseAddress(hash: string): ScreenAddress {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?', 2);
  return { screen: path === '' ? usual : path, parameters: new URLSearchParams(query) };
}

/** Returns an address for a link, for example `<a href={addressOf('devices', { user })}>`. */
export function addressOf(screen: string, parameters: Readonly<Record<string, string>> = {}): string {
  const query = new URLSearchParams(parameters).toString();
  return `#/${screen}${query === '' ? '' : `?${query}`}`;
}
