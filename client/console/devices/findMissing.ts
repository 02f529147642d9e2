/**
 * Finds the source rows of one table that are not on a device.
 *
 * 1. Rows that arrive in the meantime are no longer missing.
 * 2. A change of the search, the table, the owner or the service starts a new reading. The previous one ends, and changes nothing
 *    from then on.
 * 3. Reading waits for a click after `enough` missing rows or `mostPages` pages.
 */
import { type Signal, useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { type ExplainedPage, explainPath, readExplained, type SourceRowAnswer } from '../../api/explained.ts';
import { useConsole } from '../console.ts';
import { CallFailure } from '../link/transport.ts';
import type { DeviceOwner, DeviceState } from './follow.ts';
import type { MissingFound } from './missingWords.ts';

export interface MissingQuestion {
  readonly schema: string;
  readonly name: string;
  readonly owner: DeviceOwner;
  readonly state: DeviceState;
  /** The initial text to search for. */
  readonly find: string;
}

interface MissingReading extends MissingFound {
  readonly search: Signal<string>;
  /** The row that is explained. */
  readonly opened: Signal<SourceRowAnswer | undefined>;
  readonly readMore: () => void;
  readonly readAgain: () => void;
}

const nothing: ExplainedPage = { content: '', isRead: true, rows: [] };

const mostPages = 10;
/** The number of missing rows after which reading waits for a click. */
const enough = 50;
/** The delay after typing, in milliseconds. */
const typing = 300;

export function useMissing({ owner, state, schema, name, find }: MissingQuestion): MissingReading {
  const { transport, service } = useConsole();
  const returns = service.returns.value;
  const search = useSignal(find);
  useLayoutEffect(() => {
    search.value = find;
  }, [find, search]);
  const found = useSignal<ExplainedPage>(nothing);
  const isReading = useSignal(true);
  const round = useSignal(0);
  const opened = useSignal<SourceRowAnswer | undefined>(undefined);
  const end = useRef(new AbortController());
  // Draws again when the device changes (invariant 1).
  state.pictures.value;
  const device = state.device();
  const isMissing = ({ targets }: SourceRowAnswer): boolean =>
    !targets.some(({ table, id }) => device.tables.get(table)?.has(id) === true);

  async function readOn(before: ExplainedPage, signal: AbortSignal): Promise<void> {
    isReading.value = true;
    let all = before;
    for (let page = 0; page < mostPages; page += 1) {
      const body = {
        ...device.body(owner.question, ''),
        buckets: [],
        claims: { ...owner.claims, sub: owner.user },
        schema,
        table: name,
        search: search.peek(),
        after: all.after ?? '',
      };
      const next = await transport.call('POST', explainPath, body, signal).then(readExplained, asProblem);
      if (signal.aborted) return;
      all = { ...next, rows: [...all.rows, ...next.rows.filter(isMissing)] };
      found.value = all;
      if (next.after === undefined || all.rows.length >= enough) break;
    }
    isReading.value = false;
    const [only, ...others] = all.rows;
    // Opened from a link to one row: expand that row.
    if (find !== '' && search.peek() === find && only && others.length === 0) opened.value = only;
  }

  useEffect(() => {
    const reading = new AbortController();
    end.current = reading;
    const timer = setTimeout(
      () => {
        opened.value = undefined;
        found.value = nothing;
        void readOn(nothing, reading.signal);
      },
      search.value === '' ? 0 : typing,
    );
    return () => {
      clearTimeout(timer);
      reading.abort();
    };
  }, [schema, name, search.value, round.value, returns, owner]);

  return {
    ...found.value,
    rows: found.value.rows.filter(isMissing),
    isReading: isReading.value,
    search,
    opened,
    readMore: () => void readOn(found.value, end.current.signal),
    readAgain() {
      round.value += 1;
    },
  };
}

const noExplanation =
  'This service cannot explain rows. In VS Code, Headwater: Explain Row shows who gets a row and which condition excludes it.';

function asProblem(error: unknown): ExplainedPage {
  if (error instanceof CallFailure && error.kind === 'absent') return { ...nothing, problem: noExplanation };
  return { ...nothing, problem: error instanceof Error ? error.message : String(error) };
}
