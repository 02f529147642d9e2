/** The rows of the local database: seen, found, sorted, changed; and what becomes of a change. */

import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { shownName } from '../../api/tableName.ts';
import { useConsole } from '../console.ts';
import type { ScreenProps } from '../frame/address.ts';
import { CallFailure } from '../link/transport.ts';
import { numberText } from '../parts/amounts.ts';
import { EmptyState } from '../parts/empty.tsx';
import { type OwnTable, readTables } from './ownTables.ts';
import { SqlPanel } from './sqlPanel.tsx';
import { TablePanel } from './tablePanel.tsx';
import '../devices/devices.css';
import './data.css';

type Known =
  | { readonly kind: 'reading' }
  | { readonly kind: 'refused'; readonly why: string }
  | { readonly kind: 'tables'; readonly tables: readonly OwnTable[] };

export function DataScreen({ parameters }: ScreenProps) {
  const { transport, service } = useConsole();
  const known = useSignal<Known>({ kind: 'reading' });
  const chosen = useSignal<string | undefined>(parameters.get('table') ?? undefined);
  const slot = service.diagnosis.value?.active?.slot;
  const returns = service.returns.value;
  useEffect(() => {
    const end = new AbortController();
    readTables(transport, end.signal).then(
      (tables) => {
        known.value = { kind: 'tables', tables };
      },
      (error: unknown) => {
        if (!end.signal.aborted) known.value = { kind: 'refused', why: textOf(error) };
      },
    );
    return () => end.abort();
  }, [transport, slot, returns, known]);
  const canWrite = useCanWrite();

  if (known.value.kind !== 'tables')
    return (
      <div class="data-screen">
        <h1>Data</h1>
        {known.value.kind === 'refused' ? (
          <EmptyState title="The rows of the database cannot be read here">
            <p>{adviceFor(known.value.why)}</p>
          </EmptyState>
        ) : (
          <EmptyState title="Reading the tables …" />
        )}
      </div>
    );
  const { tables } = known.value;
  const isSql = chosen.value === sqlChoice;
  const table = tables.find((each) => shownName(each) === chosen.value) ?? tables[0];
  return (
    <div class="data-screen">
      <h1>Data</h1>
      <div class="panes data-panes">
        <nav class="pane" aria-label="Tables">
          <button
            type="button"
            class="pick other"
            aria-pressed={isSql}
            onClick={() => {
              chosen.value = sqlChoice;
            }}
          >
            SQL
          </button>
          <ul>
            {tables.map((each) => (
              <li key={shownName(each)}>
                <button
                  type="button"
                  class="pick table-name"
                  title={shownName(each)}
                  aria-current={!isSql && each === table ? 'true' : undefined}
                  onClick={() => {
                    chosen.value = shownName(each);
                  }}
                >
                  {shownName(each)}
                </button>
              </li>
            ))}
          </ul>
          <p class="hint">{numberText(tables.length)} tables</p>
        </nav>
        {isSql ? (
          <SqlPanel tables={tables} />
        ) : table === undefined ? (
          <EmptyState title="There are no tables">
            <p>They are made by the SQL files that the service config names.</p>
          </EmptyState>
        ) : (
          <TablePanel key={shownName(table)} table={table} canWrite={canWrite} />
        )}
      </div>
    </div>
  );
}

/** No table has such a name. */
const sqlChoice = ' sql';

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function adviceFor(why: string): string {
  return /not enabled/.test(why)
    ? 'The service does not let its source be read. Write debug_api: true below its connection in the service config to allow it.'
    : why;
}

/** Whether the database is the service's own: asked with a change that changes nothing. */
function useCanWrite(): boolean {
  const { transport, service } = useConsole();
  const canWrite = useSignal(false);
  const returns = service.returns.value;
  useEffect(() => {
    const nothing = { schema: '', table: '', change: 'delete', key: {} };
    transport.call('POST', '/api/admin/v1/write-row', nothing).then(
      () => {
        canWrite.value = true;
      },
      (error: unknown) => {
        // Without an answer, nothing changes.
        if (error instanceof CallFailure && error.kind === 'unreachable') return;
        canWrite.value = false;
      },
    );
  }, [transport, returns, canWrite]);
  return canWrite.value;
}
