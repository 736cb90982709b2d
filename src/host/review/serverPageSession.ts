import type { ReportSection } from '../documents/serverReport.ts';
import { isRecord } from '../../base/values/record.ts';
import { PageSession, type PagePort, type ReadyMessage } from './pageSession.ts';

/** Something that a server has, as its row in the tree says it; nothing in its texts is invisible. */
export interface PageRow {
  /** Names the row in the page's messages. */
  readonly id: string;
  readonly label: string;
  readonly description: string;
  readonly tooltip: string;
  readonly isWarning: boolean;
  /** What its label opens, for a screen reader; undefined where a click does nothing. */
  readonly opens?: string;
  readonly checkbox?: { readonly isChecked: boolean; readonly label: string };
  /** What its checkbox means, below it. */
  readonly meaning?: string;
  /** What else can be done with it. */
  readonly actions: readonly string[];
  readonly rows: readonly PageRow[];
}

/** The whole page of a server. */
export interface ShowServer {
  readonly type: 'show';
  readonly title: string;
  /** Its state, in the words of its row. */
  readonly state: string;
  readonly buttons: readonly string[];
  readonly rows: readonly PageRow[];
  /** What it sees. */
  readonly sees: readonly ReportSection[];
  readonly activity: readonly PageRow[];
  /** What you decided about it. */
  readonly decisions: readonly PageRow[];
  /** The row that you asked for. It is brought into sight and gets the focus, which leaves its checkbox to you. */
  readonly focus?: string;
}

/** A press of a row, of one of its actions, or of a button (without `id`); or the change of a checkbox. */
export type ServerPageAct =
  | { readonly type: 'press'; readonly id: string; readonly action?: string }
  | { readonly type: 'press'; readonly id?: undefined; readonly action: string }
  | { readonly type: 'check'; readonly id: string; readonly isChecked: boolean };

/** What the session needs of the editor. */
export interface ServerPagePort extends PagePort<ShowServer> {
  /** The page as it is now. */
  view(): ShowServer;
  /** What is not on the page is ignored. */
  act(act: ServerPageAct): Promise<void>;
}

/** The host's side of the page of a server. */
export class ServerPageSession extends PageSession<ShowServer, ServerPageAct> {
  readonly #port: ServerPagePort;

  constructor(port: ServerPagePort, readyMs?: number) {
    super(port, readyMs);
    this.#port = port;
  }

  /** Something may be different now. */
  changed(): void {
    this.show();
  }

  protected override read(received: unknown): ServerPageAct | ReadyMessage | undefined {
    const { type, id, action, isChecked } = isRecord(received) ? received : {};
    const isNamed = typeof id === 'string';
    switch (type) {
      case 'ready':
        return { type };
      case 'check':
        return isNamed && typeof isChecked === 'boolean' ? { type, id, isChecked } : undefined;
      case 'press':
        if (typeof action === 'string') {
          return isNamed ? { type, id, action } : { type, action };
        }
        return isNamed && action === undefined ? { type, id } : undefined;
      default:
        return undefined;
    }
  }

  protected override show(): void {
    if (this.isReady) {
      this.post(this.#port.view());
    }
  }

  protected override take(act: ServerPageAct): Promise<void> {
    return this.#port.act(act);
  }
}
