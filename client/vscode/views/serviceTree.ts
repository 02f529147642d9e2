/** The selected service as a tree. What is in it, `serviceNodes.ts` says. */
import {
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
import type { Services } from '../services.ts';
import { type Node, nodesOf } from './serviceNodes.ts';

export function showServiceTree({ health, targets, local, onDidChange }: Services): Disposable {
  const changed = new EventEmitter<undefined>();
  let shown = '';
  const roots = (): readonly Node[] => {
    const now = health.health();
    const target = targets.selected();
    // Without a target there is nothing: then the welcome text is shown.
    if (target === undefined || !('diagnosis' in now)) return [];
    return nodesOf(now.diagnosis, target.kind === 'local' ? local?.deploysOnSave() : undefined);
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

function getTreeItem({ label, description, icon, color, tooltip, inner, box, user }: Node): TreeItem {
  const { Collapsed, None } = TreeItemCollapsibleState;
  const item = new TreeItem(label, inner && inner.length > 0 ? Collapsed : None);
  item.iconPath = new ThemeIcon(icon, color === undefined ? undefined : new ThemeColor(color));
  if (description !== undefined) item.description = description;
  if (tooltip !== undefined) item.tooltip = tooltip;
  if (user !== undefined)
    item.command = {
      command: 'headwater.explainRow',
      title: l10n.t('Preview as User'),
      arguments: [{ user }],
    };
  if (box) {
    const { Checked, Unchecked } = TreeItemCheckboxState;
    item.checkboxState = box.isChecked ? Checked : Unchecked;
  }
  return item;
}
