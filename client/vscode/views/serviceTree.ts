/** Shows the selected service as a tree, with the nodes of `serviceNodes.ts`. */
import {
  type Command,
  Disposable,
  EventEmitter,
  l10n,
  ThemeColor,
  ThemeIcon,
  TreeItem,
  TreeItemCheckboxState,
  TreeItemCollapsibleState,
  window,
} from 'vscode';
import type { Health } from '../../health/health.ts';
import { overdueText } from '../../health/states.ts';
import type { LocalService } from '../localService.ts';
import type { Services } from '../services.ts';
import type { Target } from '../targets/target.ts';
import { type Node, nodesOf, spokenText } from './serviceNodes.ts';

export function showServiceTree({ health, targets, local, shortfalls, onDidChange }: Services): Disposable {
  const changed = new EventEmitter<undefined>();
  let shown = '';
  const identify = openIdentities();
  const roots = (): readonly Node[] => {
    const now = health.health();
    const target = targets.selected();
    // An empty tree makes VS Code show the welcome text.
    if (target === undefined || !('diagnosis' in now)) return [];
    const facts = target.kind === 'local' && local ? factsOf(local, target) : undefined;
    return nodesOf(now, { name: target.name, url: target.url, local: facts });
  };
  const factsOf = (own: LocalService, target: Target) => ({
    deploysOnSave: own.deploysOnSave(),
    ownsDatabase: own.ownsDatabase(),
    scripts: shortfalls.of(target)?.scripts,
  });
  const view = window.createTreeView<Node>('headwater.service', {
    treeDataProvider: {
      onDidChangeTreeData: changed.event,
      getChildren: (node) => identify.inner(node, node ? (node.inner ?? []) : roots()),
      getTreeItem: (node) => itemOf(node, identify.id(node)),
    },
  });
  const update = (): void => {
    const target = targets.selected();
    view.description = target?.name ?? '';
    const state = target?.kind === 'local' ? local?.state() : undefined;
    // The reason why the service is not running is above the button that starts it again.
    const isFailed = state?.kind === 'failed';
    view.message = isFailed
      ? state.sentence
      : target?.url === undefined
        ? undefined
        : messageAbout(health.health());
    // A refresh without a change would close the items that the user has opened.
    const next = JSON.stringify(roots());
    if (next === shown) return;
    shown = next;
    changed.fire(undefined);
  };
  return Disposable.from(
    view,
    changed,
    onDidChange(update),
    targets.onDidChange(update),
    view.onDidChangeCheckboxState(async ({ items }) => {
      for (const [{ box }, state] of items)
        if (box) await local?.deployOnSave(state === TreeItemCheckboxState.Checked);
      update();
    }),
  );
}

/** Returns the sentence above the tree. Undefined if the tree needs none. */
function messageAbout(health: Health): string | undefined {
  if (health.kind === 'unknown') return l10n.t('Checking …');
  return 'diagnosis' in health && health.overdue ? overdueText(health.overdue) : undefined;
}

interface Identities {
  /** Records the nodes in `parent`, and returns them. */
  inner(parent: Node | undefined, nodes: readonly Node[]): Node[];
  id(node: Node): string | undefined;
}

/**
 * Gives an item a new identity when a problem occurs in it for the first time. VS Code keeps an item closed if the user has
 * closed it before, unless its identity is new.
 */
function openIdentities(): Identities {
  const paths = new WeakMap<Node, string>();
  const wrong = new Set<string>();
  return {
    inner(parent, nodes) {
      const within = (parent && paths.get(parent)) ?? '';
      for (const [index, node] of nodes.entries()) {
        const earlier = nodes.slice(0, index).filter(({ label }) => label === node.label).length;
        const path = `${within}/${node.label}${earlier === 0 ? '' : `#${earlier}`}`;
        paths.set(node, path);
        if (node.isOpen) wrong.add(path);
      }
      return [...nodes];
    },
    id(node) {
      const path = paths.get(node);
      return path !== undefined && wrong.has(path) ? `${path} (wrong)` : path;
    },
  };
}

function itemOf(node: Node, id: string | undefined): TreeItem {
  const { label, description, icon, color, tooltip, inner = [], box, role, isOpen = false } = node;
  const { Collapsed, Expanded, None } = TreeItemCollapsibleState;
  const item = new TreeItem(label, inner.length === 0 ? None : isOpen ? Expanded : Collapsed);
  if (id !== undefined) item.id = id;
  item.iconPath = new ThemeIcon(icon, color === undefined ? undefined : new ThemeColor(color));
  if (description !== undefined) item.description = description;
  if (tooltip !== undefined) item.tooltip = tooltip;
  if (role !== undefined) item.contextValue = role;
  item.accessibilityInformation = { label: spokenText(node) };
  const command = commandOf(node);
  if (command !== undefined) item.command = command;
  if (box) {
    const { Checked, Unchecked } = TreeItemCheckboxState;
    item.checkboxState = {
      state: box.isChecked ? Checked : Unchecked,
      ...(tooltip !== undefined && { tooltip }),
      accessibilityInformation: { label, role: 'checkbox' },
    };
  }
  return item;
}

function commandOf({ client, opens }: Node): Command | undefined {
  if (client)
    return { command: 'headwater.openConsole', title: l10n.t('Open Console'), arguments: [{ client }] };
  if (opens) return { command: 'headwater.openScript', title: l10n.t('Open'), arguments: [opens] };
  return undefined;
}
