/** The selected service as a tree: its configs with their tables, who is connected, what is wrong. */
import {
  Disposable,
  EventEmitter,
  l10n,
  ThemeColor,
  ThemeIcon,
  TreeItem,
  TreeItemCollapsibleState,
  window,
} from 'vscode';
import type { ConnectedClient, Deployed, Diagnosis, ReportedError, TableStatus } from '../api/answers.ts';
import { isCurrent, progressOf } from '../health/health.ts';
import { age, count } from '../health/words.ts';
import type { Services } from '../services.ts';

interface Node {
  readonly label: string;
  readonly description?: string;
  readonly icon: string;
  readonly color?: string;
  readonly tooltip?: string;
  readonly inner?: readonly Node[];
}

export function showServiceTree({ health, targets, onDidChange }: Services): Disposable {
  const changed = new EventEmitter<undefined>();
  let shown = '';
  const roots = (): readonly Node[] => {
    const now = health.health();
    // Without a target there is nothing: then the welcome text is shown.
    if (targets.selected() === undefined || !('diagnosis' in now)) return [];
    return nodesOf(now.diagnosis);
  };
  const view = window.createTreeView<Node>('headwater.service', {
    treeDataProvider: {
      onDidChangeTreeData: changed.event,
      getChildren: (node) => [...(node ? (node.inner ?? []) : roots())],
      getTreeItem,
    },
  });
  const update = (): void => {
    view.description = targets.selected()?.name ?? '';
    // Every answer would otherwise close what is being looked at.
    const next = JSON.stringify(roots());
    if (next === shown) return;
    shown = next;
    changed.fire(undefined);
  };
  return Disposable.from(view, changed, onDidChange(update), targets.onDidChange(update));
}

function getTreeItem({ label, description, icon, color, tooltip, inner }: Node): TreeItem {
  const { Collapsed, None } = TreeItemCollapsibleState;
  const item = new TreeItem(label, inner && inner.length > 0 ? Collapsed : None);
  item.iconPath = new ThemeIcon(icon, color === undefined ? undefined : new ThemeColor(color));
  if (description !== undefined) item.description = description;
  if (tooltip !== undefined) item.tooltip = tooltip;
  return item;
}

function nodesOf(diagnosis: Diagnosis): readonly Node[] {
  const { at, sources, active, pending, clients } = diagnosis;
  return [
    ...sources.map(({ id, uri, connected, errors }) => ({
      label: l10n.t('Source {0}', id),
      description: connected ? (uri ?? '') : l10n.t('not reachable'),
      icon: connected ? 'database' : 'error',
      inner: errors.map(errorNode),
    })),
    ...(active ? [deployedNode(l10n.t('Active config'), 'pass', active, at)] : []),
    ...(pending ? [deployedNode(l10n.t('Being copied'), 'sync', pending, at)] : []),
    ...(clients ? [clientsNode(clients)] : []),
  ];
}

function deployedNode(label: string, icon: string, deployed: Deployed, at: number): Node {
  const progressAt = progressOf(deployed);
  const errors = deployed.errors.filter((error) => isCurrent(error, deployed));
  const progress = progressAt === undefined ? '' : ` · ${l10n.t('progress {0} ago', age(at - progressAt))}`;
  return {
    label,
    // Ages below a minute would change with every answer.
    description:
      progressAt !== undefined && at - progressAt < 90_000 ? deployed.slot : `${deployed.slot}${progress}`,
    icon: errors.some(({ level }) => level === 'fatal') ? 'error' : icon,
    inner: [...errors.map(errorNode), ...deployed.tables.map(tableNode)],
  };
}

function tableNode({ schema, name, copiedRows, estimatedRows, errors, keys }: TableStatus): Node {
  const rows = copiedRows === undefined ? '' : l10n.t('{0} rows', count(copiedRows));
  const total =
    estimatedRows !== undefined && estimatedRows > (copiedRows ?? 0) ? ` / ~${count(estimatedRows)}` : '';
  return {
    label: schema === 'public' ? name : `${schema}.${name}`,
    description: `${rows}${total}`,
    tooltip: keys.length === 0 ? '' : l10n.t('Rows are known by {0}.', keys.join(', ')),
    icon: errors.length > 0 ? 'warning' : 'table',
    inner: errors.map(errorNode),
  };
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

function clientsNode(clients: readonly ConnectedClient[]): Node {
  return {
    label: l10n.t('Clients'),
    description: String(clients.length),
    icon: 'plug',
    inner: clients.map(({ user, client, buckets }) => ({
      label: user,
      icon: 'account',
      description: buckets === undefined ? '' : l10n.t('{0} buckets', buckets.length),
      ...(client !== undefined && { tooltip: client }),
    })),
  };
}
