/** The frame of every screen: navigation, the state of the connection, and the screen itself. */
import { useEffect, useRef } from 'preact/hooks';
import { EmptyState } from '../parts/empty.tsx';
import { Toasts } from '../parts/toast.tsx';
import { screens } from '../screens.ts';
import { address } from './address.ts';
import { Banner } from './banner.tsx';
import { Navigation } from './navigation.tsx';
import './frame.css';

export function Shell() {
  const { screen: id, parameters } = address.value;
  const screen = screens.find((each) => each.id === id);
  const main = useRef<HTMLElement>(null);
  const title = screen?.title ?? 'Not found';
  useEffect(() => {
    document.title = `${title} · Headwater`;
  }, [title]);
  return (
    <div class="frame">
      <button type="button" class="skip" onClick={() => main.current?.focus()}>
        Skip to content
      </button>
      <Navigation current={id} />
      <div class="beside">
        <Banner />
        <main id="screen" ref={main} tabIndex={-1} aria-label={title}>
          {screen ? (
            <screen.component key={screen.id} parameters={parameters} />
          ) : (
            <EmptyState title="Screen not found">
              <p>Choose a screen in the navigation.</p>
            </EmptyState>
          )}
        </main>
      </div>
      <Toasts />
    </div>
  );
}
