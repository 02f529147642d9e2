/** What the tree shows of a service: its configs with their streams and tables, who is connected, what is wrong. */
import type {
  ConnectedClient,
  Deployment,
  Diagnosis,
  ReportedError,
  StreamStatus,
  TableStatus,
} from '../../api/answers.ts';
import { distinct, isCurrent, progressOf } from '../../health/health.ts';
import { age, countText } from '../../health/words.ts';
import { t } from '../../l10n.ts';

export interface Node {
  readonly label: string;
  readonly description?: string;
  readonly icon: string;
  readonly color?: string;
  readonly tooltip?: string;
  readonly inner?: readonly Node[];
  /** Shown with a box, which stands for the switch of this name. */
  readonly box?: { readonly name: 'deployOnSave'; readonly isChecked: boolean };
  /** A user whose rows are shown when it is chosen. */
  readonly user?: string;
}

/** @param deploysOnSave of the local service; undefined for others */
export function nodesOf(diagnosis: Diagnosis, deploysOnSave: boolean | undefined): readonly Node[] {
  const { at, sources, active, pending, clients } = diagnosis;
  return [
    ...sources.map(({ id, uri, connected, errors }) => ({
      label: t('Source {0}', id),
      description: connected ? (uri ?? '') : t('not reachable'),
      icon: connected ? 'database' : 'error',
      inner: errors.map(errorNode),
    })),
    ...(active ? [deployedNode(t('Active config'), 'pass', active, at)] : []),
    ...(pending ? [deployedNode(t('Being copied'), 'sync', pending, at)] : []),
    clientsNode(clients),
    ...(deploysOnSave === undefined ? [] : [saveNode(deploysOnSave)]),
  ];
}

function deployedNode(label: string, icon: string, deployed: Deployment, at: number): Node {
  const progressAt = progressOf(deployed);
  const errors = distinct(deployed.errors.filter((error) => isCurrent(error, deployed)));
  const progress = progressAt === undefined ? '' : ` · ${t('progress {0} ago', age(at - progressAt))}`;
  return {
    label,
    // Ages below a minute would change with every answer.
    description:
      progressAt !== undefined && at - progressAt < 90_000 ? deployed.slot : `${deployed.slot}${progress}`,
    icon: errors.some(({ level }) => level === 'fatal') ? 'error' : icon,
    inner: [...errors.map(errorNode), streamsNode(deployed.streams), ...deployed.tables.map(tableNode)],
  };
}

function streamsNode(streams: readonly StreamStatus[] | undefined): Node {
  if (streams === undefined)
    return { label: t('Streams'), icon: 'question', description: t('not told by this service') };
  return {
    label: t('Streams'),
    icon: 'layers',
    description: String(streams.length),
    inner: streams.map(({ name, buckets }) => ({
      label: name,
      icon: 'symbol-namespace',
      description: buckets === undefined ? t('too many buckets to count') : bucketsOf(buckets),
      tooltip: t('Buckets that the service keeps, of all users together'),
    })),
  };
}

function tableNode({ schema, name, copied, copiedRows, estimatedRows, errors, keys }: TableStatus): Node {
  return {
    label: schema === 'public' ? name : `${schema}.${name}`,
    description: rowsOf(copied, copiedRows, estimatedRows),
    tooltip: keys.length === 0 ? '' : t('Rows are known by {0}.', keys.join(', ')),
    icon: iconOf(copied, errors),
    inner: errors.map(errorNode),
  };
}

function iconOf(copied: boolean | undefined, errors: readonly ReportedError[]): string {
  if (errors.some(({ level }) => level === 'fatal')) return 'error';
  if (errors.length > 0) return 'warning';
  return copied === false ? 'sync' : 'table';
}

function rowsOf(
  copied: boolean | undefined,
  rows: number | undefined,
  estimated: number | undefined,
): string {
  if (copied === false && rows === undefined) return t('being copied');
  if (rows === undefined) return '';
  if (copied !== false) return rows === 1 ? t('1 row copied') : t('{0} rows copied', countText(rows));
  return estimated !== undefined && estimated > rows
    ? t('being copied: {0} of about {1} rows', countText(rows), countText(estimated))
    : t('being copied: {0} rows', countText(rows));
}

function errorNode({ level, message, at }: ReportedError): Node {
  return {
    label: message,
    icon: level === 'fatal' ? 'error' : 'warning',
    color: level === 'fatal' ? 'list.errorForeground' : 'list.warningForeground',
    tooltip: message,
    ...(at !== undefined && { description: new Date(at).toLocaleString() }),
  };
}

function clientsNode(clients: readonly ConnectedClient[] | undefined): Node {
  if (clients === undefined)
    return { label: t('Clients'), icon: 'question', description: t('not told by this service') };
  return {
    label: t('Clients'),
    description: String(clients.length),
    icon: 'plug',
    inner: clients.map(({ user, client, buckets }) => ({
      label: user,
      icon: 'account',
      description: buckets === undefined ? '' : bucketsOf(buckets.length),
      tooltip: [...(client === undefined ? [] : [client]), t('Choose it to see what this user gets.')].join(
        '\n',
      ),
      user,
    })),
  };
}

function bucketsOf(number: number): string {
  return number === 1 ? t('1 bucket') : t('{0} buckets', countText(number));
}

function saveNode(isChecked: boolean): Node {
  return {
    label: t('Deploy when saved'),
    icon: 'save',
    tooltip: t('A sync config is deployed to the local service whenever it is saved without errors.'),
    box: { name: 'deployOnSave', isChecked },
  };
}
