import { useSignal } from '@preact/signals';
import { useConsole } from '../console.ts';
import { ConfigList } from './configList.tsx';
import { Events } from './events.tsx';
import { Hour } from './hour.tsx';
import { StateCard } from './stateCard.tsx';
import './service.css';

/** The state of the service, its history, and its events. */
export function ServiceScreen() {
  const { service } = useConsole();
  const chosen = useSignal<{ readonly id: number; readonly turn: number } | undefined>(undefined);
  const link = service.link.value;
  const [source] = service.diagnosis.value?.sources ?? [];
  return (
    <div class="service">
      <header class="screen-head">
        <h1>Service</h1>
        {source?.uri && <p class="mono">{source.uri}</p>}
      </header>
      <StateCard />
      {link.kind === 'no service' ? null : link.kind === 'asking' ? (
        <>
          <ConfigList />
          <p class="note">This service keeps no history, so there are no charts and no events.</p>
        </>
      ) : (
        <>
          <Hour
            onChoose={({ id }) => {
              chosen.value = { id, turn: (chosen.value?.turn ?? 0) + 1 };
            }}
          />
          <ConfigList />
          <Events chosen={chosen.value} />
        </>
      )}
    </div>
  );
}
