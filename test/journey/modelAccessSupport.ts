import { eventually, expect } from '../editor/expectation.ts';
import { findingsOfAxe } from '../editor/axe.ts';
import type { ScriptedModel } from '../editor/scriptedModel.ts';
import type { SamplingCard } from '../editor/samplingCard.ts';
import type { TreeView } from '../editor/treeView.ts';
import type { Workbench } from '../editor/workbench.ts';
import { beginShared } from './sharedWindow.ts';
import { allowServers, openServers, waitUntilRunning } from './support.ts';

/** A window with scripted language models, and servers that may ask for them. */
export class ModelWindow {
  readonly model: ScriptedModel;
  readonly workbench: Workbench;
  readonly servers: TreeView;

  private constructor(model: ScriptedModel, workbench: Workbench, servers: TreeView) {
    this.model = model;
    this.workbench = workbench;
    this.servers = servers;
  }

  /** Begins a journey in the shared window, and waits until all servers run. */
  static async open(
    servers: Readonly<Record<string, unknown>>,
    settings: Readonly<Record<string, unknown>> = {},
  ): Promise<ModelWindow> {
    const { model, workbench } = await beginShared({
      servers: {},
      settings: { 'mcpHost.servers': servers, ...settings },
    });
    const names = Object.keys(servers);
    await allowServers(workbench, names.length);
    const tree = await openServers(workbench);
    for (const name of names) {
      await waitUntilRunning(tree, name);
    }
    return new ModelWindow(model, workbench, tree);
  }

  /** Opens the card of a server's request from the notification, and waits for it. */
  async review(server: string): Promise<SamplingCard> {
    await this.workbench.notifications.press(`'${server}' wants to ask a language model.`, 'Review');
    const card = this.workbench.review.sampling(server);
    await card.waitFor('request');
    return card;
  }

  /** Takes pictures of the panel, and lets axe look at it, in light and in dark. */
  async inspect(name: string): Promise<void> {
    for (const theme of ['dark', 'light'] as const) {
      await this.workbench.useTheme(theme);
      await this.workbench.screenshot(`model-access-${name}-${theme}`);
      await eventually.deepEqual(
        async () => findingsOfAxe(await this.workbench.review.frame()),
        [],
        `${name}, ${theme}`,
      );
    }
  }

  /** Waits for the result of a tool, and gives the JSON that follows those words. */
  async result(begin: RegExp): Promise<unknown> {
    const result = await this.#readResult(begin);
    await this.workbench.review.waitUntilClosed(); // it would take the focus from what comes next
    return result;
  }

  /** The same of a tool that ended while the panel had more to read, so that its result did not cover that. */
  async resultBehind(server: string, tool: string, begin: RegExp): Promise<unknown> {
    await this.workbench.notifications.press(
      `Tool '${tool}' of server '${server}' has finished.`,
      'Show Result',
    );
    return this.#readResult(begin);
  }

  async #readResult(begin: RegExp): Promise<unknown> {
    const { editors, toolForm } = this.workbench;
    const shown = await expect(
      'a result in a form, or as a document',
      async () => {
        const isDocument = (await editors.isText()) && begin.test(await editors.activeText());
        return isDocument ? 'document' : (await toolForm.isOpen()) ? 'form' : '';
      },
      (where) => where !== '',
    );
    if (shown === 'form') {
      await toolForm.result();
      await toolForm.press('Open as Document');
    }
    const text = await editors.waitForText(begin);
    const json = text.slice(begin.exec(text)?.index);
    await this.workbench.run('View: Close Editor');
    if (shown === 'form') {
      await toolForm.result();
      await this.workbench.run('View: Close Editor');
    }
    return JSON.parse(json.slice(json.indexOf('{'), json.lastIndexOf('}') + 1));
  }
}
