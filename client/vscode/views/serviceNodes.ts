/** The nodes of a service in the tree: its configs with their streams and tables, its clients, its problems. */
import type {
  ConnectedClient,
  Deployment,
  ReportedError,
  SourceStatus,
  StreamStatus,
  TableStatus,
} from '../../api/answers.ts';
import { nameOfConfig } from '../../api/deployedConfig.ts';
import type { ScriptReport, SkippedStatement } from '../../api/reports/scripts.ts';
import type { Subscription } from '../../api/synced.ts';
import { shownName } from '../../api/tableName.ts';
import { age, countText } from '../../health/amounts.ts';
import { type AnsweredHealth, healthOfActive, isDown, isHeard, progressOf } from '../../health/health.ts';
import { currentErrorsOf, type ScriptTrouble, troublesOf } from '../../health/problems.ts';
import { stateOf } from '../../health/states.ts';
import { rowsOfTable } from '../../health/tableState.ts';
import { t } from '../../l10n.ts';
import { writeSubscriptions } from '../../preview/subscriptions.ts';

export interface Node {
  readonly label: string;
  readonly description?: string;
  readonly icon: string;
  readonly color?: string;
  readonly tooltip?: string;
  readonly inner?: readonly Node[];
  /** The checkbox of the node, for the setting with this name. */
  readonly box?: { readonly name: 'deployOnSave'; readonly isChecked: boolean };
  /** A client whose rows are shown when it is chosen. */
  readonly client?: PreviewedClient;
  /** A file of the local database that is opened when it is chosen. */
  readonly opens?: { readonly script: string; readonly line?: number | undefined };
  /** The value for the `when` clause of the node's menu. */
  readonly role?: 'database' | 'ownDatabase' | 'localService' | 'remoteService' | 'table' | 'client';
  /** The table as queries name it. */
  readonly table?: string;
  /** Whether the node is open, because it contains a problem. */
  readonly isOpen?: boolean;
}

interface PreviewedClient {
  readonly user: string;
  /** The known claims other than `sub`. */
  readonly claims?: Readonly<Record<string, unknown>>;
  readonly subscriptions?: readonly Subscription[];
}

/** Reads the argument that the view passes to a command. */
export function treeArgument(named: unknown): Pick<Node, 'client' | 'table'> {
  return named ?? {};
}

/** The parts that only the local service has. */
interface LocalFacts {
  readonly deploysOnSave: boolean;
  readonly ownsDatabase: boolean;
  /** The scripts of its database. */
  readonly scripts: ScriptReport | undefined;
}

interface ShownService {
  readonly name: string;
  readonly url: string | undefined;
  /** The facts about the local service. Undefined for other services. */
  readonly local: LocalFacts | undefined;
}

export function nodesOf(health: AnsweredHealth, { name, url, local }: ShownService): readonly Node[] {
  const { at, sources, active, pending, clients } = health.diagnosis;
  const scripts = local?.ownsDatabase ? local.scripts : undefined;
  const around = { at, scripts, isKnown: isHeard(health.diagnosis) };
  const deployed = [
    ...(active ? [deployedNode(t('Active config'), iconOf(healthOfActive(health)), active, around)] : []),
    ...(pending ? [deployedNode(t('Being copied'), iconOf(health), pending, around)] : []),
  ];
  const nodes = [
    serviceNode(name, url, local),
    ...sources.map((source) => sourceNode(source, local?.ownsDatabase ? 'ownDatabase' : 'database', scripts)),
    ...(around.isKnown ? deployed : deployed.map(greyOut)),
    clientsNode(clients),
    ...(local === undefined ? [] : [saveNode(local.deploysOnSave)]),
  ];
  return health.overdue === undefined ? nodes : nodes.map(greyOut);
}

/** Returns the icon of a config. Problems that do not stop it have their own nodes. */
function iconOf(health: AnsweredHealth): string {
  return health.kind === 'healthy' ? 'pass' : stateOf(health).icon.replace('~spin', '');
}

/** Returns the node without the colours and icons that only a current answer justifies. */
function greyOut(node: Node): Node {
  const { icon, inner } = node;
  const isClaim = ['pass', 'sync', 'loading', 'loading~spin', 'debug-pause', 'error', 'warning'].includes(
    icon,
  );
  return {
    ...node,
    icon: isClaim ? 'question' : icon,
    color: 'disabledForeground',
    ...(inner && { inner: inner.map(greyOut) }),
  };
}

/** Returns the text for screen readers, which includes the meaning of the icon. */
export function spokenText({ label, description, icon }: Node): string {
  const kinds: Readonly<Record<string, string>> = { error: t('Error'), warning: t('Warning') };
  return [kinds[icon], label, description].filter((part) => part !== undefined && part !== '').join(', ');
}

function serviceNode(name: string, url: string | undefined, local: LocalFacts | undefined): Node {
  return {
    label: local === undefined ? name : t('Local service'),
    // Some services are named by their address.
    description: url === undefined || url.endsWith(`//${name}`) ? '' : url,
    ...(url !== undefined && { tooltip: url }),
    icon: 'server',
    role: local === undefined ? 'remoteService' : 'localService',
  };
}

function sourceNode(
  source: SourceStatus,
  role: 'ownDatabase' | 'database',
  scripts: ScriptReport | undefined,
): Node {
  const { id, uri, connected, errors } = source;
  // Problems of scripts have their own nodes, with file, line and a button.
  const others = scripts === undefined ? errors : errors.filter(({ kind }) => kind !== 'scripts');
  const inner = [...others.map(errorNode), ...(scripts === undefined ? [] : [scriptsNode(scripts)])];
  return {
    label: role === 'ownDatabase' ? t('Local database') : t('Source {0}', id),
    description: connected ? (uri ?? '') : isDown(source) ? t('not reachable') : t('does not answer yet'),
    ...(connected && uri !== undefined && { tooltip: uri }),
    icon: connected ? 'database' : isDown(source) ? 'error' : 'loading~spin',
    role,
    inner,
    isOpen: inner.some(({ icon }) => icon === 'warning' || icon === 'error'),
  };
}

function scriptsNode(scripts: ScriptReport): Node {
  const troubles = troublesOf(scripts);
  const others = scripts.skipped.filter(({ tables }) => tables.length === 0);
  const run = scripts.applied === 1 ? t('1 file run') : t('{0} files run', scripts.applied);
  return {
    label: t('Migrations'),
    description: troubles.length === 0 ? run : `${run} · ${t('does not match the files')}`,
    icon: troubles.length === 0 ? 'files' : 'warning',
    isOpen: troubles.length > 0,
    inner: [...troubles.map(troubleNode), ...(others.length === 0 ? [] : [leftOutNode(others)])],
  };
}

function leftOutNode(statements: readonly SkippedStatement[]): Node {
  return {
    label: t('Statements left out: {0}', statements.length),
    description: t('not about tables of the project'),
    icon: 'info',
    inner: statements.map(({ script, line, message, reason }) => ({
      label: `${script}:${line}`,
      description: message ?? reason,
      tooltip: message ?? reason,
      icon: 'circle-outline',
      opens: { script, line },
    })),
  };
}

function troubleNode({ kind, script, line, place, sentence }: ScriptTrouble): Node {
  return {
    label: place ?? sentence,
    description: place === undefined ? '' : sentence,
    tooltip: sentence,
    icon: 'warning',
    color: 'list.warningForeground',
    ...(script !== undefined && kind !== 'removed' && { opens: { script, line } }),
  };
}

interface Around {
  readonly at: number;
  /** The scripts of the service's own database. */
  readonly scripts: ScriptReport | undefined;
  /** Whether the sources answer. If they do not, the errors of tables only repeat this. */
  readonly isKnown: boolean;
}

function deployedNode(label: string, icon: string, deployed: Deployment, around: Around): Node {
  const { at, scripts, isKnown } = around;
  const idle = at - (progressOf(deployed) ?? at);
  const errors = currentErrorsOf(deployed);
  const tables = isKnown ? deployed.tables : deployed.tables.map((table) => ({ ...table, errors: [] }));
  const isWrong = errors.length > 0 || tables.some((table) => table.errors.length > 0);
  const name = nameOfConfig(deployed);
  return {
    label,
    isOpen: isWrong,
    // Ages below 90 seconds are not shown, because they would change with every answer.
    description: idle < 90_000 ? name : `${name} · ${t('progress {0} ago', age(idle))}`,
    icon,
    inner: [
      ...errors.map(errorNode),
      streamsNode(deployed.streams),
      ...tables.map((table) => tableNode(table, scripts)),
    ],
  };
}

function streamsNode(streams: readonly StreamStatus[] | undefined): Node {
  if (streams === undefined) return unreportedNode(t('Streams'));
  return {
    label: t('Streams'),
    icon: 'layers',
    description: String(streams.length),
    inner: streams.map(({ name, buckets }) => ({
      label: name,
      icon: 'symbol-namespace',
      description: buckets === undefined ? t('too many buckets to count') : bucketsOf(buckets),
      tooltip: t('Buckets in the service, of all users'),
    })),
  };
}

function tableNode(table: TableStatus, scripts: ScriptReport | undefined): Node {
  const { copied, errors, keys } = table;
  const label = shownName(table);
  // The node of the script shows the statement and opens it.
  const here = scripts === undefined ? errors : errors.filter(({ kind }) => kind !== 'left out');
  const leftOut = errors.filter((error) => !here.includes(error));
  const facts = [
    ...(keys.length === 0 ? [] : [t('Rows are identified by {0}.', keys.join(', '))]),
    ...leftOut.map(({ message }) => message),
  ];
  return {
    label,
    role: 'table',
    table: label,
    description: leftOut.length > 0 ? t('a statement was left out') : (rowsOfTable(table) ?? ''),
    isOpen: here.length > 0,
    tooltip: facts.join('\n'),
    icon: iconOfTable(copied, errors),
    inner: here.map(errorNode),
  };
}

function iconOfTable(isCopied: boolean | undefined, errors: readonly ReportedError[]): string {
  if (errors.some(({ level }) => level === 'fatal')) return 'error';
  if (errors.length > 0) return 'warning';
  return isCopied === false ? 'sync' : 'table';
}

/** Returns the node of an error. Each sentence has its own row, because a row of the tree has only one line. */
function errorNode({ level, message, at }: ReportedError): Node {
  const [label = message, ...more] = linesOf(message);
  return {
    label,
    icon: level === 'fatal' ? 'error' : 'warning',
    color: level === 'fatal' ? 'list.errorForeground' : 'list.warningForeground',
    tooltip: message,
    isOpen: more.length > 0,
    inner: more.map((sentence) => ({ label: sentence, icon: 'blank', tooltip: message })),
    ...(at !== undefined && { description: new Date(at).toLocaleString() }),
  };
}

/** Splits a message into sentences. Text in backticks is never split. */
function linesOf(message: string): readonly string[] {
  return message.match(/(?:`[^`]*`|.)+?(?:[.:;](?= +\S)|$)/gs)?.map((line) => line.trim()) ?? [];
}

function clientsNode(clients: readonly ConnectedClient[] | undefined): Node {
  if (clients === undefined) return unreportedNode(t('Clients'));
  return {
    label: t('Clients'),
    description: String(clients.length),
    icon: 'plug',
    inner: clients.map(({ user, client, buckets, subscriptions }) => ({
      label: user,
      icon: 'account',
      description: buckets === undefined ? '' : bucketsOf(buckets.length),
      tooltip: [
        client ?? [],
        subscriptions?.length ? t('Subscribed to {0}', writeSubscriptions(subscriptions)) : [],
        t('Choose it to see what this user gets.'),
      ]
        .flat()
        .join('\n'),
      role: 'client' as const,
      client: { user, ...(subscriptions && { subscriptions }) },
    })),
  };
}

function unreportedNode(label: string): Node {
  return { label, icon: 'question', description: t('not reported by this service') };
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
