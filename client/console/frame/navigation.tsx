import { useRef } from 'preact/hooks';
import { Icon } from '../parts/icon.tsx';
import { screens } from '../screens.ts';
import { chooseTheme, chosenTheme, themes } from '../theme/theme.ts';
import { addressOf } from './address.ts';

/** One stop of the Tab key; arrows go from screen to screen. */
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
          <path d="M5 3v7c0 3.5 3 4 7 4s7 .8 7 4v3M19 3v7c0 1.6-.6 2.6-1.6 3.2M5 21v-3c0-1.5.6-2.5 1.6-3.1" />
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
          <option value="system">As the system</option>
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
