import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/lifetime/disposable.ts';
import type { ListWatchers } from '../../host/connection/lists/listWatchers.ts';
import { runCommand } from '../commands/commands.ts';
import type { Icon, Picture, Row } from './row.ts';
import type { TreeNode } from '../nodes/treeNode.ts';

/** The views in package.json. */
type ViewName = 'servers' | 'resources' | 'activity';

/** What a tree shows, and how. */
export interface TreeSource<N extends TreeNode> {
  readonly children: (node?: N) => N[] | Promise<N[]>;
  readonly rowOf: (node: N) => Row;
  /** Asked before a row is revealed. */
  readonly parentOf: (node: N) => N | undefined;
  /** The tooltip of a row without one: asked for when the mouse rests on the row. */
  readonly tooltipOf?: (node: N) => string | undefined;
  /** A row was opened or closed. */
  readonly onDidOpen?: (node: N, isOpen: boolean) => void;
  /** What servers list is followed for as long as the view is visible. */
  readonly watchers?: ListWatchers;
  readonly options?: Pick<vscode.TreeViewOptions<N>, 'showCollapseAll' | 'manageCheckboxStateManually'>;
}

/** One of the views of MCP Host. */
export class Tree<N extends TreeNode> implements Disposable {
  readonly #name: ViewName;
  readonly #store = new DisposableStore();
  readonly #onDidChange = this.#store.add(new vscode.EventEmitter<N[] | undefined>());
  /** What the editor got from this tree. A row that comes back is the same object. */
  readonly #rows = new WeakSet<object>();
  readonly view: vscode.TreeView<N>;

  constructor(name: ViewName, source: TreeSource<N>) {
    const { children, rowOf, parentOf, tooltipOf, onDidOpen, watchers, options } = source;
    this.#name = name;
    const treeDataProvider: vscode.TreeDataProvider<N> = {
      onDidChangeTreeData: this.#onDidChange.event,
      getChildren: async (node) => {
        if (node) {
          // While the row above is drawn again, the editor reports no row that is opened; it asks for what is in it.
          onDidOpen?.(node, true);
        }
        const rows = await children(node);
        rows.forEach((row) => this.#rows.add(row));
        return rows;
      },
      getTreeItem: (node) => treeItem(node.id, rowOf(node)),
      getParent: parentOf,
    };
    if (tooltipOf) {
      treeDataProvider.resolveTreeItem = (item, node) => {
        item.tooltip ??= tooltipOf(node);
        return item;
      };
    }
    this.view = this.#store.add(
      vscode.window.createTreeView(`mcpHost.${name}`, { treeDataProvider, ...options }),
    );
    this.#store.add(this.view.onDidExpandElement(({ element }) => onDidOpen?.(element, true)));
    this.#store.add(this.view.onDidCollapseElement(({ element }) => onDidOpen?.(element, false)));
    if (watchers) {
      this.#watchWhileVisible(watchers);
    }
  }

  dispose(): void {
    this.#store.dispose();
  }

  /** Whether this is a row of the tree itself: a command can be called with any object. */
  isRow(value: object): boolean {
    return this.#rows.has(value);
  }

  /** Draws these rows again, or the whole tree. */
  draw(changed: readonly N[] | 'all'): void {
    if (changed === 'all' || changed.length > 0) {
      this.#onDidChange.fire(changed === 'all' ? undefined : [...changed]);
    }
  }

  /** Shows a text above the rows. Beside it the editor shows no text for an empty view. */
  setMessage(message: string): void {
    if ((this.view.message ?? '') !== message) {
      this.view.message = message;
    }
  }

  async focus(): Promise<void> {
    await runCommand(`${this.#name}.focus`);
  }

  #watchWhileVisible(watchers: ListWatchers): void {
    let watching: Disposable | undefined;
    const follow = (isVisible: boolean): void => {
      watching?.dispose();
      watching = isVisible ? watchers.watch() : undefined;
    };
    this.#store.add({ dispose: () => follow(false) });
    this.#store.add(this.view.onDidChangeVisibility(({ visible }) => follow(visible)));
    follow(this.view.visible);
  }
}

function treeItem(id: string, row: Row): vscode.TreeItem {
  const { label, description, icon, tooltip, context, command, checkbox, children, resourceUri } = row;
  const { None, Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
  const item = new vscode.TreeItem(
    label,
    children === undefined ? None : children === 'open' ? Expanded : Collapsed,
  );
  const { Checked, Unchecked } = vscode.TreeItemCheckboxState;
  return Object.assign(item, {
    id,
    // Without it a screen reader says the tooltip instead of the row.
    accessibilityInformation: { label: description ? `${label}, ${description}` : label },
    ...(description !== undefined && { description }),
    ...(icon && { iconPath: iconPath(icon) }),
    ...(tooltip !== undefined && { tooltip }),
    ...(context !== undefined && { contextValue: context }),
    ...(command && { command }),
    ...(resourceUri && { resourceUri }),
    ...(checkbox && {
      checkboxState: {
        state: checkbox.isChecked ? Checked : Unchecked,
        tooltip: checkbox.tooltip,
        accessibilityInformation: { label: checkbox.label },
      },
    }),
  });
}

/** Pictures as the editor takes them: they are long, and drawn often. */
const parsed = new WeakMap<Picture, { readonly light: vscode.Uri; readonly dark: vscode.Uri }>();

function iconPath(icon: Icon): vscode.TreeItem['iconPath'] {
  if ('name' in icon) {
    return new vscode.ThemeIcon(icon.name, icon.color ? new vscode.ThemeColor(icon.color) : undefined);
  }
  const known = parsed.get(icon) ?? {
    light: vscode.Uri.parse(icon.light),
    dark: vscode.Uri.parse(icon.dark),
  };
  parsed.set(icon, known);
  return known;
}
