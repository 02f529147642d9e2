import type { ComponentChildren } from 'preact';
import { listNames } from '../../../server/shared/listNames.ts';
import type { Diagnosis, ReportedError } from '../../api/answers.ts';
import { type Amounts, type ClientGroup, type Forecast, readForecast } from '../../api/forecast.ts';
import { type LargeBucket, readLargest } from '../../api/largest.ts';
import { ownErrorsOf } from '../../health/health.ts';
import { useConsole } from '../console.ts';
import { addressOf } from '../frame/address.ts';
import { amountText, numberText } from '../parts/amounts.ts';
import { EmptyState } from '../parts/empty.tsx';
import { Sentence } from '../parts/sentence.tsx';
import { DataTable, type TableColumn } from '../parts/table.tsx';
import { attempt, showToast } from '../parts/toast.tsx';
import { type AskedAnswer, useAnswer } from './answer.ts';
import { Share } from './share.tsx';
import './slowLarge.css';

/** The largest buckets and clients, amounts near a limit, and problems of syncing, each with advice. */
export function SlowLargeScreen() {
  const forecast = useAnswer('/api/admin/v1/limits', readForecast);
  const largest = useAnswer('/api/admin/v1/largest', readLargest);
  const { service, transport } = useConsole();
  const diagnosis = service.diagnosis.value;
  const compact = () =>
    attempt(async () => {
      await transport.call('POST', '/api/admin/v1/compact', {});
      showToast('done', 'The histories of all buckets were compacted.');
      largest.askAgain();
    });
  return (
    <div class="slow-large">
      <header class="screen-head">
        <h1>Slow and large</h1>
        <button
          type="button"
          class="button"
          onClick={() => {
            forecast.askAgain();
            largest.askAgain();
          }}
        >
          Measure again
        </button>
      </header>
      <Part
        title="Users with the most buckets"
        help="The number of buckets of a client is limited. Select rows by a column with fewer distinct values, or let the app subscribe to the items on the screen."
      >
        <AnswerView answer={forecast.answer.value}>{(value) => <Users forecast={value} />}</AnswerView>
      </Part>
      <Part
        title="Streams"
        help="Each bucket adds a little work to every checkpoint, for the service and for each device that has the bucket."
      >
        <AnswerView answer={forecast.answer.value}>
          {(value) => <Streams forecast={value} diagnosis={diagnosis} />}
        </AnswerView>
      </Part>
      <Part
        title="Largest buckets"
        help="A new device downloads all operations of a bucket. Operations without a current row are history, which compaction shortens. The service compacts once a day."
      >
        <AnswerView answer={largest.answer.value}>
          {({ buckets, counted, isWhole }) => (
            <>
              <Buckets buckets={buckets} />
              <button type="button" class="button" onClick={compact}>
                Compact now
              </button>
              <p class="note">
                {isWhole
                  ? `${amountText(counted, 'bucket')} in total.`
                  : `Only the first ${amountText(counted, 'bucket')} were measured.`}
              </p>
            </>
          )}
        </AnswerView>
      </Part>
      <Part
        title="Problems of tables and of the sync config"
        help="Rows of the tables in this list are missing or wrong on devices. Problems of the sync config concern its source text."
      >
        <Problems diagnosis={diagnosis} />
      </Part>
    </div>
  );
}

interface PartProps {
  readonly title: string;
  /** The advice. */
  readonly help: string;
  readonly children: ComponentChildren;
}

function Part({ title, help, children }: PartProps) {
  return (
    <section class="part" aria-label={title}>
      <h2>{title}</h2>
      <p class="note">{help}</p>
      {children}
    </section>
  );
}

interface AnswerViewProps<T> {
  readonly answer: AskedAnswer<T>;
  readonly children: (value: T) => ComponentChildren;
}

function AnswerView<T>({ answer, children }: AnswerViewProps<T>) {
  switch (answer.kind) {
    case 'waiting':
      return <p class="note">Measuring …</p>;
    case 'failed':
      return <p class="note">{answer.why}</p>;
    case 'read':
      return <>{children(answer.value)}</>;
  }
}

interface LargeUser extends Pick<Amounts, 'buckets' | 'results'> {
  readonly group: ClientGroup;
  readonly values: readonly unknown[];
}

function Users({ forecast }: { readonly forecast: Forecast }) {
  const { limits, groups, streams } = forecast;
  const perElement = streams.filter((stream) => stream.perElement);
  const ofEverybody = streams.reduce((sum, { buckets }) => sum + buckets, 0);
  const uncounted = new Set(groups.flatMap(streamsNotIn));
  const users = groups
    .flatMap((group) => group.most.map((each): LargeUser => ({ ...each, group })))
    .sort((one, other) => other.buckets - one.buckets);
  const columns: readonly TableColumn<LargeUser>[] = [
    { title: 'Who', cell: ({ group, values }) => <Who group={group} values={values} /> },
    {
      title: 'Buckets',
      cell: ({ buckets }) => <Share of={limits.buckets} amount={buckets} noun="bucket" />,
      by: ({ buckets }) => buckets,
    },
    {
      title: 'Lookup values',
      cell: ({ results }) => <Share of={limits.results} amount={results} noun="value" />,
      by: ({ results }) => results,
    },
  ];
  return (
    <>
      <DataTable
        caption="Users with the most buckets"
        columns={columns}
        rows={users}
        keyOf={({ group, values }) => `${group.by} ${JSON.stringify(values)}`}
        empty={
          <EmptyState
            title={`With one subscription to each stream, a client has at most ${amountText(ofEverybody, 'bucket')}`}
          />
        }
      />
      {users.length > 0 && (
        <p class="note">
          Each stream is counted with one subscription.
          {uncounted.size > 0 &&
            ` Streams that other values decide are not included: ${listNames([...uncounted], mostListed)}.`}
        </p>
      )}
      {perElement.length > 0 && (
        <p class="note">
          The numbers of these streams apply to each element of a list in the token or from the app:{' '}
          {listNames(
            perElement.map(({ name }) => name),
            mostListed,
          )}
          .
        </p>
      )}
    </>
  );
}

/** The maximum number of streams that a note names. */
const mostListed = 12;

/** Returns the streams that are missing from the group's numbers of buckets. */
function streamsNotIn({ streams, others }: ClientGroup): readonly string[] {
  return others.streams.filter((name) => streams.every((counted) => counted.name !== name));
}

function Who({ group, values }: Pick<LargeUser, 'group' | 'values'>) {
  const text = values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value))).join(', ');
  if (group.by.length === 0) return <>Everyone</>;
  const isUser = group.by.length === 1 && group.by[0] === 'auth.user_id()';
  return isUser ? (
    <a href={addressOf('devices', { user: text })}>{text}</a>
  ) : (
    <>
      {text} <span class="soft mono">{group.by.join(', ')}</span>
    </>
  );
}

interface StreamCost {
  readonly name: string;
  readonly buckets: number | undefined;
  /** The largest amount of one client with one subscription. */
  readonly most: number | undefined;
}

function Streams({
  forecast,
  diagnosis,
}: {
  readonly forecast: Forecast;
  readonly diagnosis: Diagnosis | undefined;
}) {
  const amounts = new Map(forecast.streams.map((stream) => [stream.name, stream]));
  const counts = new Map(diagnosis?.active?.streams?.map(({ name, buckets }) => [name, buckets]) ?? []);
  const rows = [...new Set([...amounts.keys(), ...counts.keys()])].map(
    (name): StreamCost => ({
      name,
      buckets: counts.get(name),
      most: amounts.get(name)?.buckets,
    }),
  );
  const amount = (value: number | undefined) => (value === undefined ? 'unknown' : numberText(value));
  const columns: readonly TableColumn<StreamCost>[] = [
    { title: 'Stream', cell: ({ name }) => name, by: ({ name }) => name },
    {
      title: 'Buckets',
      align: 'right',
      cell: ({ buckets }) => amount(buckets),
      by: ({ buckets }) => buckets ?? -1,
    },
    {
      title: 'Maximum per subscription',
      align: 'right',
      cell: ({ most }) => amount(most),
      by: ({ most }) => most ?? -1,
    },
  ];
  return (
    <DataTable
      caption="Streams by cost"
      columns={columns}
      rows={rows.toSorted((one, other) => (other.buckets ?? 0) - (one.buckets ?? 0))}
      keyOf={({ name }) => name}
      empty={<EmptyState title="No streams" />}
    />
  );
}

const bucketColumns: readonly TableColumn<LargeBucket>[] = [
  { title: 'Bucket', cell: ({ name }) => <span class="mono">{name}</span>, by: ({ name }) => name },
  {
    title: 'Operations',
    align: 'right',
    cell: ({ operations }) => numberText(operations),
    by: ({ operations }) => operations,
  },
  {
    title: 'Rows',
    align: 'right',
    cell: ({ rows }) => (rows === undefined ? 'not counted' : numberText(rows)),
    by: ({ rows }) => rows ?? -1,
  },
  {
    title: 'History',
    cell: ({ operations, rows }) =>
      rows === undefined ? 'unknown' : <Share of={operations} amount={operations - rows} noun="operation" />,
    by: ({ operations, rows }) => (rows === undefined ? -1 : operations - rows),
  },
];

function Buckets({ buckets }: { readonly buckets: readonly LargeBucket[] }) {
  return (
    <DataTable
      caption="The largest buckets"
      columns={bucketColumns}
      rows={buckets}
      keyOf={({ name }) => name}
      empty={<EmptyState title="No buckets" />}
    />
  );
}

interface Problem extends ReportedError {
  readonly where: string;
}

const problemColumns: readonly TableColumn<Problem>[] = [
  { title: 'Where', cell: ({ where }) => where, by: ({ where }) => where },
  { title: 'Problem', cell: ({ message }) => <Sentence text={message} /> },
  { title: 'Code', cell: ({ code }) => (code === undefined ? '' : <code>{code}</code>) },
];

function Problems({ diagnosis }: { readonly diagnosis: Diagnosis | undefined }) {
  const deployed = diagnosis?.active ?? diagnosis?.pending;
  const ofTables = (deployed?.tables ?? []).flatMap(({ schema, name, errors }) =>
    errors.map((error): Problem => ({ ...error, where: `${schema}.${name}` })),
  );
  const own = deployed === undefined ? [] : ownErrorsOf(deployed);
  const others = own.map(
    (error): Problem => ({ ...error, where: error.location ? 'Sync config' : 'Deployment' }),
  );
  return (
    <DataTable
      caption="Problems of tables and of the sync config"
      columns={problemColumns}
      rows={[...ofTables, ...others]}
      keyOf={({ where, message }) => `${where} ${message}`}
      empty={<EmptyState title="No problems" />}
    />
  );
}
