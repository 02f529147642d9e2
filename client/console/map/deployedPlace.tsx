/** Shows a place in the deployed config in a browser, which has no file to open. */
import { useEffect, useRef } from 'preact/hooks';
import type { MapPlace } from '../../api/syncMap.ts';
import { useConsole } from '../console.ts';
import { Icon } from '../parts/icon.tsx';

interface DeployedPlaceProps {
  readonly place: MapPlace;
  readonly onClose: () => void;
}

export function DeployedPlace({ place, onClose }: DeployedPlaceProps) {
  const { active, pending } = useConsole().service.diagnosis.value ?? {};
  const marked = useRef<HTMLElement>(null);
  const panel = useRef<HTMLElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    return () => {
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  useEffect(() => {
    marked.current?.scrollIntoView({ block: 'center' });
    panel.current?.focus();
  }, [place]);
  if (place.kind !== 'deployed') return null;
  const content = (pending ?? active)?.content;
  const lines = content?.split('\n') ?? [];
  const line = (content ?? '').slice(0, place.offset).split('\n').length - 1;
  return (
    <aside ref={panel} class="map-place" tabIndex={-1} aria-label="The deployed sync config">
      <header>
        <h2>The deployed sync config, line {line + 1}</h2>
        <button type="button" class="plain" aria-label="Close" onClick={onClose}>
          <Icon name="close" />
        </button>
      </header>
      {content === undefined ? (
        <p>The service does not report the text of the config.</p>
      ) : (
        <ol>
          {lines.map((text, index) => (
            <li
              key={index}
              ref={index === line ? (marked as never) : undefined}
              class={index === line ? 'here' : ''}
            >
              <code>{text}</code>
            </li>
          ))}
        </ol>
      )}
    </aside>
  );
}
