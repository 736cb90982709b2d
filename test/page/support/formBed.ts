import { ToolForm } from '../../editor/toolForm.ts';
import { RequestFormBed } from '../../unit/support/requestFormBed.ts';
import { PanelPage } from './panelPage.ts';

/** Forms before real servers, in real pages. */
export class FormBed {
  readonly bed: RequestFormBed;
  #panel: PanelPage | undefined;

  /** As `RequestFormBed`. */
  constructor(...servers: ConstructorParameters<typeof RequestFormBed>) {
    this.bed = new RequestFormBed(...servers);
  }

  get panel(): PanelPage {
    if (!this.#panel) {
      throw new Error('No form is open.');
    }
    return this.#panel;
  }

  /** The driver of the form that is open. */
  get form(): ToolForm {
    return new ToolForm(this.panel);
  }

  /** Opens a form in a panel of its own. */
  async open(open: (bed: RequestFormBed) => Promise<unknown>): Promise<ToolForm> {
    await this.closePanel();
    this.#panel = await PanelPage.open('request');
    this.bed.page = this.#panel;
    await open(this.bed);
    return this.form;
  }

  async closePanel(): Promise<void> {
    const panel = this.#panel;
    this.#panel = undefined;
    await panel?.close();
  }

  async close(): Promise<void> {
    await this.closePanel();
    await this.bed.close();
  }
}
