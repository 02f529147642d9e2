import { useRef } from 'preact/hooks';
import { Icon } from '../parts/icon.tsx';
import { screens } from '../screens.ts';
import { chooseTheme, chosenTheme, themes } from '../theme/theme.ts';
import { addressOf } from './address.ts';

/** The links to the screens. They are one tab stop, and the arrow keys move between them. */
export function Navigation({ current }: { readonly current: string }) {
  const list = useRef<HTMLUListElement>(null);
  const known = screens.some(({ id }) => id === current);
  const move = (event: KeyboardEvent): void => {
    const links = [...(list.current?.querySelectorAll('a') ?? [])];
    const at = links.indexOf(event.target as HTMLAnchorElement);
    const next = nextIndex(event.key, at, links.length);
    if (at === -1 || next === undefined) return;
    event.preventDefault();
    links[next]?.focus();
  };
  return (
    <header class="rail">
      <p class="brand">
        <svg viewBox="0 0 24 24" width="22" height="22" aria-hidden="true">
          <path d="M12 2c3.6 4 5.3 6.7 5.3 8.9a5.3 5.3 0 0 1-10.6 0c0-2.2 1.7-4.9 5.3-8.9z" />
          <path d="M2.5 20.5c1.6-1.7 3.2-1.7 4.8 0s3.1 1.7 4.7 0 3.1-1.7 4.7 0 3.2 1.7 4.8 0" />
        </svg>
        <span>Headwater</span>
      </p>
      <nav aria-label="Screens">
        <ul ref={list} onKeyDown={move}>
          {screens.map(({ id, title, icon }, index) => (
            <li key={id}>
              <a
                href={addressOf(id)}
                aria-current={id === current ? 'page' : undefined}
                tabIndex={id === current || (!known && index === 0) ? 0 : -1}
              >
                <Icon name={icon} />
                <span>{title}</span>
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <label class="theme">
        <span>Colours</span>
        <select
          value={chosenTheme.value}
          onChange={({ currentTarget: { value } }) =>
            chooseTheme(themes.find((each) => each === value) ?? 'system')
          }
        >
          <option value="system">System theme</option>
          <option value="light">Light</option>
          <option value="dark">Dark</option>
          <option value="contrast">High contrast</option>
        </select>
      </label>
    </header>
  );
}

function nextIndex(key: string, at: number, count: number): number | undefined {
  switch (key) {
    case 'ArrowDown':
    case 'ArrowRight':
      return (at + 1) % count;
    case 'ArrowUp':
    case 'ArrowLeft':
      return (at - 1 + count) % count;
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return undefined;
  }
}
