/** The data screen: shows, searches, sorts and changes the rows of the local database, and follows each change to the devices. */

import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { TableStatus } from '../../api/answers.ts';
import { keyOfConfig } from '../../api/deployedConfig.ts';
import { shownName } from '../../api/tableName.ts';
import { useConsole } from '../console.ts';
import type { ScreenProps } from '../frame/address.ts';
import { CallFailure } from '../link/transport.ts';
import { amountText } from '../parts/amounts.ts';
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
  const deployed = keyOfConfig(service.diagnosis.value?.active);
  const returns = service.returns.value;
  useEffect(() => {
    const end = new AbortController();
    readTables(transport, end.signal).then(
      (found) => {
        const tables = readFirst(found, service.diagnosis.peek()?.active?.tables ?? []);
        const [first] = tables;
        // The chosen table stays the same if another deploy changes the order.
        chosen.value ??= first && shownName(first);
        known.value = { kind: 'tables', tables };
      },
      (error: unknown) => {
        if (!end.signal.aborted) known.value = { kind: 'refused', why: textOf(error) };
      },
    );
    return () => end.abort();
  }, [transport, service, deployed, returns, known, chosen]);
  const canWrite = useCanWrite();

  if (known.value.kind !== 'tables')
    return (
      <div class="data-screen">
        <h1>Data</h1>
        {known.value.kind === 'refused' ? (
          <EmptyState title="Cannot read the rows of the database">
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
                  {breakableParts(shownName(each)).map((part, at) => (
                    <span key={at}>
                      {part}
                      <wbr />
                    </span>
                  ))}
                </button>
              </li>
            ))}
          </ul>
          <p class="hint">{amountText(tables.length, 'table')}</p>
        </nav>
        {isSql ? (
          <SqlPanel tables={tables} />
        ) : table === undefined ? (
          <EmptyState title="No tables">
            <p>The SQL files that the service config names create the tables.</p>
          </EmptyState>
        ) : (
          <TablePanel
            key={shownName(table)}
            table={table}
            find={shownName(table) === parameters.get('table') ? (parameters.get('find') ?? '') : ''}
            canWrite={canWrite}
          />
        )}
      </div>
    </div>
  );
}

/** Sorts tables: those that the config reads first. Otherwise, the order stays the same. */
function readFirst(tables: readonly OwnTable[], read: readonly TableStatus[]): readonly OwnTable[] {
  const names = new Set(read.map(shownName));
  const rank = (table: OwnTable): number => (names.has(shownName(table)) ? 0 : 1);
  return tables.toSorted((one, other) => rank(one) - rank(other));
}

/** The choice of SQL instead of a table. The space prevents a conflict with the name of a table. */
const sqlChoice = ' sql';

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function adviceFor(why: string): string {
  return /not enabled/.test(why)
    ? 'The service does not allow queries of its source. To allow them, add debug_api: true to the connection in the service config.'
    : why;
}

/** Whether the database is the service's own. The service is asked with a change that has no effect. */
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
        // If there is no answer, keep the last known value.
        if (error instanceof CallFailure && error.kind === 'unreachable') return;
        canWrite.value = false;
      },
    );
  }, [transport, returns, canWrite]);
  return canWrite.value;
}

/** Splits a name after its underscores and dots, where a line may end. */
function breakableParts(name: string): readonly string[] {
  return name.split(/(?<=[_.])/);
}
