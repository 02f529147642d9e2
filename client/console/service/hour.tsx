/** The last hour or a part of it: charts and events on one time axis. */
import { useComputed, useSignal } from '@preact/signals';
import type { Happening } from '../../api/watch.ts';
import { useConsole } from '../console.ts';
import { clockText } from '../parts/amounts.ts';
import { DataTable, type TableColumn } from '../parts/table.tsx';
import { Chart } from './chart.tsx';
import { laneData, lanes, type Minute, minutesOf, summarize } from './lanes.ts';
import { Track } from './track.tsx';

/** The ranges in minutes. */
const ranges = [5, 15, 60] as const;
/** The shortest range, in milliseconds. */
const shortest = 60_000;

interface HourProps {
  /** Called with an event that is chosen on the axis. */
  readonly onChoose: (happening: Happening) => void;
}

export function Hour({ onChoose }: HourProps) {
  const { service } = useConsole();
  const minutes = useSignal<(typeof ranges)[number]>(5);
  const view = useSignal<'charts' | 'table'>('charts');
  const pointed = useSignal<number | undefined>(undefined);
  const to = useComputed(() => service.seconds.value.at(-1)?.at ?? Date.now());
  // For a service that has just started, the existing values fill the width.
  const from = useComputed(() =>
    Math.min(
      to.value - shortest,
      Math.max(to.value - minutes.value * 60_000, service.seconds.value[0]?.at ?? 0),
    ),
  );
  const data = useComputed(() => laneData(service.seconds.value, from.value));
  const happenings = useComputed(() => service.happenings.value.filter(({ at }) => at >= from.value));
  const marks = useComputed(() => happenings.value.map(({ at }) => at / 1_000));
  const { times, values } = data.value;
  const at = pointed.value === undefined ? undefined : times[pointed.value];
  return (
    <section class="hour" aria-label="The last hour">
      <div class="hour-tools">
        <h2>
          {to.value - from.value < minutes.value * 60_000
            ? 'Since the service started'
            : `The last ${minutes.value} minutes`}
        </h2>
        <fieldset class="segments">
          <legend class="unseen">Time range</legend>
          {ranges.map((range) => (
            <button
              key={range}
              type="button"
              aria-pressed={minutes.value === range}
              onClick={() => {
                minutes.value = range;
              }}
            >
              {range} min
            </button>
          ))}
        </fieldset>
        <button
          type="button"
          class="button"
          aria-pressed={view.value === 'table'}
          onClick={() => {
            view.value = view.value === 'table' ? 'charts' : 'table';
          }}
        >
          As a table
        </button>
      </div>
      {view.value === 'table' ? (
        <DataTable
          caption="The last hour, by minutes"
          columns={minuteColumns}
          rows={minutesOf(data.value)}
          keyOf={(minute) => minute.at}
          empty={<p>No data yet.</p>}
        />
      ) : (
        <div class="lanes">
          {lanes.map((lane, index) => {
            const list = values[index] ?? [];
            const { now, most } = summarize(lane, list);
            const value = pointed.value === undefined ? undefined : list[pointed.value];
            return (
              <div key={lane.id} class="lane" data-lane={lane.id}>
                <h3>{lane.title}</h3>
                <p class="value">{value === undefined || value === null ? now : lane.text(value)}</p>
                <p class="most">{most === '' ? '' : `peak ${most}`}</p>
                <Chart
                  label={`${lane.title}: ${now} now, peak ${most || now} in ${minutes.value} minutes`}
                  times={times}
                  values={list}
                  from={from.value / 1_000}
                  to={to.value / 1_000}
                  marks={marks.value}
                  onPoint={(point) => {
                    pointed.value = point;
                  }}
                />
              </div>
            );
          })}
          <Track
            from={from.value}
            to={to.value}
            pointed={at === undefined ? undefined : at * 1_000}
            happenings={happenings.value}
            onChoose={onChoose}
          />
        </div>
      )}
    </section>
  );
}

const minuteColumns: readonly TableColumn<Minute>[] = [
  { title: 'Minute', cell: ({ at }) => clockText(at).slice(0, 5), by: ({ at }) => at },
  ...lanes.map(
    ({ title, text }, index): TableColumn<Minute> => ({
      title,
      align: 'right',
      cell: ({ most }) => {
        const value = most[index];
        return value === undefined ? '' : text(value);
      },
      by: ({ most }) => most[index] ?? -1,
    }),
  ),
];
