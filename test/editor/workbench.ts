import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { Chat } from './chat.ts';
import { ChromiumWindow, origin } from './chromium.ts';
import { Channel } from './channel.ts';
import type { CodeServer } from './codeServer.ts';
import { Dialog } from './dialog.ts';
import { Editors } from './editors.ts';
import { expect, patience } from './expectation.ts';
import { chooseFileInDialog, chooseFolderInDialog } from './folderDialog.ts';
import { Notifications } from './notifications.ts';
import { given } from './givenOptions.ts';
import { loads } from './loads.ts';
import { screenshots } from './paths.mjs';
import { Problems } from './problems.ts';
import { QuickInput } from './quickInput.ts';
import { panelIn } from './panelPlace.ts';
import { takePicture } from './picture.ts';
import { readAll } from './readAll.ts';
import { ReviewPanel } from './reviewPanel.ts';
import { ServerOverview } from './serverOverview.ts';
import { ServerPage } from './serverPage.ts';
import { ToolForm } from './toolForm.ts';
import { StatusBar } from './statusBar.ts';
import { TreeView } from './treeView.ts';

const startMs = 300_000;
const paletteMs = 1500;
/** How long a command may take to open its quick input before it runs again. */
const inputMs = 20_000;
/** A mark that a window loses when it is loaded again. */
const oldWindow = 'isBeforeTheFolderWasAdded';

/** What a window opens: a folder, a `.code-workspace` file, or nothing. */
export type Place = { readonly folder: string } | { readonly workspace: string } | { readonly empty: true };

/** How a window is opened. */
export interface WindowOptions {
  /** Wait for that many folders; 1 unless the window is empty. */
  readonly folders?: number;
  /** Merged into the workbench's boot configuration. */
  readonly configuration?: Readonly<Record<string, unknown>>;
}

/** The themes that a test can switch to: the editor's ID of each, and the class that the workbench then has. */
const themes = {
  light: { id: 'Light Modern', className: 'vs' },
  dark: { id: 'Dark Modern', className: 'vs-dark' },
  highContrast: { id: 'Default High Contrast', className: 'hc-black' },
  highContrastLight: { id: 'Default High Contrast Light', className: 'hc-light' },
} as const;

/** The workbenches open now, for pictures of failures. */
export const openWorkbenches: Set<Workbench> = new Set();

/** A window of VS Code, as a person uses it. */
export class Workbench {
  readonly #chromium: ChromiumWindow;
  readonly #channel: Channel;
  /** That of VS Code's server; undefined for an address. */
  readonly #folder: string | undefined;
  /** The page, for what no step does. */
  readonly page: Page;
  readonly quickInput: QuickInput;
  readonly dialog: Dialog;
  readonly notifications: Notifications;
  readonly statusBar: StatusBar;
  readonly editors: Editors;
  readonly problems: Problems;
  readonly review: ReviewPanel;
  readonly serverPage: ServerPage;
  readonly serverOverview: ServerOverview;
  readonly toolForm: ToolForm;
  readonly chat: Chat;
  /** What the window wrote to its console. */
  readonly console: string[] = [];

  private constructor(chromium: ChromiumWindow, folder?: string) {
    const { page } = chromium;
    this.#chromium = chromium;
    this.#channel = new Channel(folder, () => this.extensionHost());
    this.#folder = folder;
    this.page = page;
    this.quickInput = new QuickInput(page);
    this.dialog = new Dialog(page);
    this.notifications = new Notifications(page, this.#channel);
    this.statusBar = new StatusBar(page);
    this.editors = new Editors(page, this.#channel, this.quickInput);
    this.problems = new Problems(page);
    const panel = panelIn(page);
    this.review = new ReviewPanel(panel);
    this.serverPage = new ServerPage(panel);
    this.serverOverview = new ServerOverview(panel);
    this.toolForm = new ToolForm(panel);
    this.chat = new Chat(page);
    page.setDefaultTimeout(patience);
    page.on('console', (message) => this.console.push(message.text()));
    page.on('pageerror', (error) => this.console.push(`page error: ${error.message}`));
  }

  /** Opens a window in a browser of its own, and waits until its folders and extensions are there. */
  static async open(server: CodeServer, place: Place, options: WindowOptions = {}): Promise<Workbench> {
    return Workbench.#openIn(await ChromiumWindow.open(server.place), server.folder, place, options);
  }

  static async #openIn(
    chromium: ChromiumWindow,
    folder: string | undefined,
    place: Place,
    options: WindowOptions,
  ): Promise<Workbench> {
    const workbench = new Workbench(chromium, folder);
    openWorkbenches.add(workbench);
    try {
      if (options.configuration) {
        await workbench.#extendConfiguration(options.configuration);
      }
      await workbench.openPlace(place, options.folders);
      return workbench;
    } catch (error) {
      await workbench.page.screenshot({ path: join(screenshots, 'FAILED-open-the-window.png') });
      await workbench.close();
      throw error;
    }
  }

  /** Opens the address that npm start prints, in a browser of its own; no extension says when its window is ready. */
  static async openAddress(address: string): Promise<Workbench> {
    const workbench = new Workbench(await ChromiumWindow.open(address));
    openWorkbenches.add(workbench);
    loads.count += 1;
    await workbench.page.goto(address);
    return workbench;
  }

  /** Opens another window of the same server in the same browser, which has to be closed before this one. */
  async openAnother(place: Place, options: WindowOptions = {}): Promise<Workbench> {
    return Workbench.#openIn(await this.#chromium.another(), this.#folder, place, options);
  }

  /** Opens something else in this window. */
  async openPlace(place: Place, folders?: number): Promise<void> {
    const isEmpty = 'empty' in place;
    const query = isEmpty ? { ew: 'true' } : place;
    loads.count += 1;
    await this.page.goto(`${origin}/?${new URLSearchParams({ ...query }).toString()}`);
    await this.waitForFolders(folders ?? (isEmpty ? 0 : 1));
  }

  /** Waits until the extension host is up and sees at least that many folders. */
  async waitForFolders(count: number): Promise<void> {
    const read = async () => this.#readyEntry();
    const isReady = (entry: ReadyEntry | undefined) => entry !== undefined && entry.folders >= count;
    await expect(`a window with ${count} folders`, read, isReady, startMs);
  }

  /** How many folders the window has, as its extension host sees it. */
  async folderCount(): Promise<number> {
    const entry = await expect('the ready signal', () => this.#readyEntry(), Boolean, startMs);
    return (entry as ReadyEntry).folders;
  }

  /** The process id of the extension host: another one after a restart. */
  async extensionHost(): Promise<number> {
    const entry = await expect('the ready signal', () => this.#readyEntry(), Boolean, startMs);
    return (entry as ReadyEntry).process;
  }

  /**
   * Runs a command by its ID, such as 'workbench.action.closeAllEditors', and waits until it has ended: for what only
   * prepares or clears up. What a test is about is run as you would run it.
   */
  async execute(command: string, ...args: readonly unknown[]): Promise<void> {
    await this.#channel.execute(command, ...args);
  }

  /** Runs a command by its ID that opens a quick input, and waits for that input, as {@link runToInput} does. */
  async executeToInput(command: string, title?: string | RegExp): Promise<void> {
    const run = async (): Promise<boolean> => {
      this.execute(command).catch(() => {}); // it ends after the input, maybe with the extension host
      return this.quickInput.opens(title, inputMs);
    };
    await expect(`a quick input of '${command}'`, run, Boolean);
  }

  /** Runs a command by its label in the palette, such as 'MCP Host: Add Server'. */
  async run(label: string): Promise<void> {
    // What takes the focus right now closes the palette before the command is picked.
    const run = async () => (await this.#openPalette(label)) && this.quickInput.tryPick(label);
    await expect(`the command '${label}' in the palette`, run, Boolean);
  }

  /**
   * Runs a command that opens a quick input, and waits for that, with its title if one is given. When a tree view has
   * just been renewed, the editor gives it back the focus that an input takes at that moment, and the input closes (it
   * does so after `doRefresh` of its tree views, as far as 1.139): then the command runs once more, as you would.
   */
  async runToInput(label: string, title?: string | RegExp): Promise<void> {
    const run = async (): Promise<boolean> => {
      await this.run(label);
      return this.quickInput.opens(title, inputMs);
    };
    await expect(`a quick input of '${label}'`, run, Boolean);
  }

  /** Whether the palette offers a command of that label. */
  async offers(label: string): Promise<boolean> {
    const isOffered = await this.#openPalette(label);
    await this.quickInput.cancel();
    return isOffered;
  }

  /** The names of the view containers in the activity bar. */
  async viewContainers(): Promise<readonly string[]> {
    const names = await readAll(this.page, '.part.activitybar .action-item a.action-label', (links) =>
      links.map((link) => link.getAttribute('aria-label') ?? ''),
    );
    return names.map((name) => name.replace(/ (\(.*\)|- .*)$/, '')).filter((name) => name !== '');
  }

  /** The badge of a view container, such as '2 questions'; empty if it has none. */
  async badge(container: string): Promise<string> {
    const label = await this.#containerLink(container).getAttribute('aria-label');
    return / - (.*)$/.exec(label ?? '')?.[1] ?? '';
  }

  /** Opens a view container, unless it is open, and gives one of its views, which is not collapsed then. */
  async openView(container: string, view: string): Promise<TreeView> {
    const tree = new TreeView(this.page, view);
    await expect(
      `'${container}' in the activity bar`,
      () => this.viewContainers(),
      (found) => found.includes(container),
    );
    if (!(await tree.isVisible())) {
      await this.#containerLink(container).locator('..').click(); // a badge covers the link itself
    }
    await expect(`the view '${view}'`, () => tree.isVisible(), Boolean);
    await tree.unfold();
    return tree;
  }

  /** Adds a folder through the editor's own dialog; a single-folder window becomes another window. */
  async addFolder(folder: string): Promise<void> {
    const before = await this.folderCount();
    const wasSingle = new URL(this.page.url()).searchParams.has('folder'); // it becomes another window
    const add = async () => {
      await this.page.evaluate(`window.${oldWindow} = true`);
      await this.run('Workspaces: Add Folder to Workspace...');
      await chooseFolderInDialog(this.page, folder, 'Add');
      const isClear = (outcome: unknown) => outcome !== undefined;
      return expect('a window that has taken the folder', () => this.#added(), isClear, startMs);
    };
    while ((await add()) === 'lost');
    loads.count += wasSingle ? 1 : 0;
    await this.waitForFolders(before + 1);
  }

  /**
   * What has become of a folder that was added: undefined before that is clear. A window of one folder goes to
   * the new workspace and, because its folders have changed, loads itself again too. When the editor does the
   * second last, the folder is lost, and a person adds it once more.
   */
  async #added(): Promise<'added' | 'lost' | undefined> {
    if (!new URL(this.page.url()).searchParams.has('folder')) {
      return 'added'; // for a moment the window that is about to go shows both folders too
    }
    const isOld = await this.page.evaluate(`window.${oldWindow} === true`);
    return isOld || (await this.#readyEntry()) === undefined ? undefined : 'lost';
  }

  /** Installs a packaged extension by the editor's own command, and waits until the editor says that it has. */
  async installPackage(file: string): Promise<void> {
    await this.run('Extensions: Install from VSIX...');
    await chooseFileInDialog(this.page, file, 'Install');
    await this.notifications.waitFor(/^Completed installing/);
  }

  /** Chooses a folder in the open file dialog, and presses its button. */
  async chooseFolder(folder: string, button: string): Promise<void> {
    await chooseFolderInDialog(this.page, folder, button);
  }

  /** Removes a folder of the workspace through the explorer's menu. */
  async removeFolder(name: string): Promise<void> {
    const before = await this.folderCount();
    await this.run('File: Focus on Files Explorer');
    const explorer = new TreeView(this.page, 'Explorer');
    await explorer.runFromMenu([name], 'Remove Folder from Workspace');
    await expect(
      `${before - 1} folders`,
      async () => (await this.#readyEntry())?.folders,
      (count) => count === before - 1,
      startMs,
    );
  }

  /** Has the editor load its window again, which first writes down what is open; no extension says when it is ready. */
  async reload(): Promise<void> {
    loads.count += 1;
    await this.run('Developer: Reload Window');
  }

  /**
   * What the editor has stored in the browser for an extension and this workspace, as JSON. It does so every few seconds;
   * on a busy machine, what is written down when the window is loaded again may be lost.
   */
  async stored(extension: string): Promise<string> {
    return this.page.evaluate(async (key) => {
      const resultOf = <T>(request: IDBRequest<T>): Promise<T> =>
        new Promise((resolve, reject) => {
          request.addEventListener('success', () => resolve(request.result));
          request.addEventListener('error', () => reject(request.error));
        });
      const texts: string[] = [];
      for (const { name = '' } of await indexedDB.databases()) {
        if (/^vscode-web-state-db-(?!global)/.test(name)) {
          const database = await resultOf(indexedDB.open(name));
          const items = database.transaction('ItemTable').objectStore('ItemTable');
          texts.push(String(await resultOf(items.get(key))));
          database.close();
        }
      }
      return texts.join('\n');
    }, extension);
  }

  /**
   * Kills the extension host, so that the editor starts another one; the window stays. What is done `between` is done
   * while there is none.
   */
  async restartExtensionHost(between: () => void = () => {}): Promise<void> {
    const folders = await this.folderCount();
    const before = await this.extensionHost();
    process.kill(before, 'SIGKILL');
    between();
    const restart = 'Restart Remote Extension Host';
    const read = async (): Promise<number | undefined> => {
      // After three within five minutes, the editor asks.
      if ((await this.notifications.now()).some(({ buttons }) => buttons.includes(restart))) {
        await this.notifications.press(/^Remote Extension host terminated/, restart);
      }
      return (await this.#readyEntry())?.process;
    };
    await expect('another extension host', read, (host) => host !== undefined && host !== before, startMs);
    await this.waitForFolders(folders);
  }

  /** Changes the user's settings, of those that tests may give: null unsets one. */
  async takeSettings(settings: Readonly<Record<string, unknown>>): Promise<void> {
    await this.execute('ready.takeSettings', given('settings', settings));
  }

  /** Switches the colour theme. */
  async useTheme(name: keyof typeof themes): Promise<void> {
    const { id, className } = themes[name];
    await this.takeSettings({ 'workbench.colorTheme': id });
    const read = async () =>
      (await this.page.locator('.monaco-workbench').first().getAttribute('class')) ?? '';
    await expect(`the theme '${id}'`, read, (classes) => classes.split(' ').includes(className));
  }

  /** Watches from now on whether the user's settings are shown, in a tab or over the window, even for a moment. */
  async watchSettings(): Promise<void> {
    await this.page.evaluate(() => {
      const parts = '.monaco-modal-editor-block, [data-uri$="/User/settings.json"]';
      const seen: string[] = [];
      const look = (): void => {
        const found = [...document.querySelectorAll(parts)].map(({ className }) => className);
        seen.push(...found.filter((one) => !seen.includes(one)));
      };
      new MutationObserver(look).observe(document, {
        childList: true,
        subtree: true,
        attributeFilter: ['data-uri'],
      });
      Object.assign(window, { settingsSeen: seen });
    });
  }

  /** What has shown the user's settings since the last time, by the classes of its elements. */
  async settingsShown(): Promise<readonly string[]> {
    return this.page.evaluate<readonly string[]>('window.settingsSeen.splice(0)');
  }

  /** Takes a picture of the window: see `takePicture`. */
  async screenshot(name: string): Promise<void> {
    await takePicture(this.page, name);
  }

  /** Closes the window and its browser. */
  async close(): Promise<void> {
    openWorkbenches.delete(this);
    await this.#chromium.close();
  }

  #containerLink(container: string) {
    const links = this.page.locator('.part.activitybar .action-item a.action-label');
    const named = ['', ' -', ' ('].map((end) => `[aria-label${end ? '^' : ''}="${container}${end}"]`);
    return links.and(this.page.locator(named.join(', '))).first();
  }

  /** Opens the palette with a label typed, and reports whether it has that command. */
  async #openPalette(label: string): Promise<boolean> {
    const isThere = async () => (await this.quickInput.itemsNow()).some((item) => item.label === label);
    // What the last command opens or closes may take the focus, and the palette closes: it is opened again.
    const open = async () => {
      if (!(await this.quickInput.isOpen())) {
        await this.page.keyboard.press('F1');
      }
      return this.quickInput.tryType(`>${label}`);
    };
    await expect('the command palette', open, Boolean);
    try {
      return await expect(label, isThere, Boolean, paletteMs);
    } catch {
      await this.quickInput.cancel(); // the palette takes up new commands when it opens
      return false;
    }
  }

  async #readyEntry(): Promise<ReadyEntry | undefined> {
    for (const { ariaLabel } of await this.statusBar.now()) {
      const [, folders, host] = /^ready:(\d+) host:(\d+)/.exec(ariaLabel) ?? [];
      if (folders !== undefined) {
        return { folders: Number(folders), process: Number(host) };
      }
    }
    return undefined;
  }

  /** The page carries the configuration in an attribute; a changed response would block the page's WebSocket. */
  async #extendConfiguration(configuration: Readonly<Record<string, unknown>>): Promise<void> {
    await this.page.addInitScript(
      (more) => {
        const observer = new MutationObserver(() => {
          const element = document.getElementById('vscode-workbench-web-configuration');
          if (element) {
            observer.disconnect();
            const settings: unknown = JSON.parse(element.dataset['settings'] ?? '{}');
            element.dataset['settings'] = JSON.stringify({ ...(settings as object), ...more });
          }
        });
        observer.observe(document, { childList: true, subtree: true });
      },
      given('configuration', configuration),
    );
  }
}

/** What the `ready` extension says in the status bar. */
interface ReadyEntry {
  readonly folders: number;
  readonly process: number;
}
