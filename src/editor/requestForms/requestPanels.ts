import * as vscode from 'vscode';
import { DisposableStore, toDisposable, type Disposable } from '../../base/lifetime/disposable.ts';
import type { UnknownRecord } from '../../base/values/record.ts';
import type { KeptFields } from '../../form/keptFields.ts';
import type { ServerId } from '../../host/config/serverDefinition.ts';
import type { RequestInFlight } from '../../host/connection/requests/requestsInFlight.ts';
import type { Openable } from '../../host/documents/contentSection.ts';
import { HostError } from '../../host/errors/hostError.ts';
import type { HostTools } from '../../host/gate/hostTools.ts';
import {
  readKeptPage,
  type KeptPage,
  type RemedyName,
  type RequestKind,
  type RequestTarget,
} from '../../host/requestForms/requestFormProtocol.ts';
import type { RequestFormPort, RequestLook } from '../../host/requestForms/requestFormPort.ts';
import type { SentArguments } from '../../host/requestForms/sentArguments.ts';
import { RequestFormSession, type RequestFormStart } from '../../host/requestForms/requestFormSession.ts';
import { finishedWords } from '../../host/requestForms/requestWords.ts';
import type { QuestionQueue } from '../../host/questions/questionQueue.ts';
import type { McpHost } from '../../host/servers/mcpHost.ts';
import { runCommand } from '../commands/commands.ts';
import { fileName } from '../documents/documentStore.ts';
import { openMedia } from '../documents/openMedia.ts';
import type { ViewDocuments } from '../documents/viewDocuments.ts';
import { inNotification, oneLine } from '../messages/plainText.ts';
import { tellNoPage } from '../messages/notifications.ts';
import { PagePanel, panelType } from '../review/pagePanel.ts';
import type { Review } from '../review/review.ts';

/** Milliseconds after which a result that came while its panel was hidden is announced, if it still is. */
const HIDDEN_MS = 2_000;
/** Forms whose last fields are proposed again. */
const MAX_REMEMBERED = 50;

/** What the forms of one kind do outside of their pages. */
export interface RequestForms {
  look(of: RequestTarget): RequestLook;
  portOf(of: RequestTarget): Pick<RequestFormPort, 'send' | 'failure'>;
}

const commands = {
  reviewChange: 'reviewToolChanges',
  signIn: 'signInOrSetToken',
  setToken: 'setKey',
  startServer: 'startServer',
  showLog: 'showLog',
} as const satisfies Record<RemedyName, string>;

/** A panel with a form. */
interface OpenForm {
  readonly of: RequestTarget;
  readonly panel: PagePanel;
  readonly session: RequestFormSession;
}

/** A form to open; see `PagePanel` for its tab. */
interface FormToOpen {
  readonly of: RequestTarget;
  readonly forms: RequestForms;
  readonly tab: string | vscode.WebviewPanel;
}

/** What a form is opened with. */
export interface OpenOptions {
  /** The arguments of a call, without secrets. */
  readonly args?: UnknownRecord;
  /** False to request nothing yet, even if there is nothing to fill in. */
  readonly runs?: boolean;
}

/** What forms share with the rest of the window. */
interface FormsContext {
  readonly host: McpHost;
  readonly tools: Pick<HostTools, 'onDidChange'>;
  readonly questions: QuestionQueue;
  readonly review: Pick<Review, 'review' | 'isVisible' | 'isInUse'>;
  readonly extensionUri: vscode.Uri;
}

/**
 * The panels with the forms of tools, prompts and templates, one for each of them. The editor opens them again after a
 * reload.
 */
export class RequestPanels implements Disposable {
  readonly #context: FormsContext;
  readonly #kinds = new Map<RequestKind, RequestForms>();
  readonly #store = new DisposableStore();
  readonly #open = new Set<OpenForm>();
  /** What forms have last sent, by what they are for. */
  readonly #remembered = new Map<string, KeptFields>();
  /** What forms have sent. */
  readonly #sent = new WeakMap<RequestInFlight, { readonly form: OpenForm; readonly sent: SentArguments }>();

  constructor(context: FormsContext) {
    this.#context = context;
    const { host, tools } = context;
    const changed = (): void => this.#open.forEach(({ session }) => session.changed());
    this.#store.add(host.onDidChangeServers(changed));
    this.#store.add(host.onDidChangeServer(changed));
    this.#store.add(tools.onDidChange(changed));
    this.#store.add(
      vscode.window.registerWebviewPanelSerializer(panelType('request'), {
        deserializeWebviewPanel: (panel, state) => {
          this.#restore(panel, readKeptPage(state));
          return Promise.resolve();
        },
      }),
    );
  }

  dispose(): void {
    this.#store.dispose();
  }

  /** Adds the forms of a kind. Without them, forms of that kind that the editor opens again are closed. */
  add(kind: RequestKind, forms: RequestForms): Disposable {
    this.#kinds.set(kind, forms);
    return toDisposable(() => this.#kinds.delete(kind));
  }

  /**
   * Shows a form: the one that is open, unless other arguments are given, or another request while one is under way.
   */
  open(of: RequestTarget, { args, runs = true }: OpenOptions = {}): void {
    const forms = this.#kinds.get(of.kind);
    if (!forms) {
      return;
    }
    const isFree = (form: OpenForm): boolean =>
      form.of.kind === of.kind &&
      form.of.server === of.server &&
      form.of.name === of.name &&
      !(runs && form.session.isRunning);
    const existing = args ? undefined : [...this.#open].find(isFree);
    if (existing) {
      existing.panel.reveal();
      if (runs) {
        existing.session.runAgainIfEmpty();
      }
      return;
    }
    const fields = this.#remembered.get(keyOf(of));
    this.#showNew(of, forms, { ...(args ? { args } : { fields }), isProposed: true, runs });
  }

  /**
   * Sends again what a form has sent, and shows the result there; false if no form has sent it. If that form was closed or
   * is running, another one opens.
   */
  runAgain(request: RequestInFlight): boolean {
    const before = this.#sent.get(request);
    const forms = before && this.#kinds.get(before.form.of.kind);
    if (!forms) {
      return false;
    }
    const { form: origin, sent } = before;
    const isFree = origin.panel.isOpen && !origin.session.isRunning;
    this.#runIn(isFree ? origin : this.#showNew(origin.of, forms, { args: sent.args, runs: false }), sent);
    return true;
  }

  /** Sends these arguments in a form of their own, where the result shows. */
  run(of: RequestTarget, sent: SentArguments): void {
    const forms = this.#kinds.get(of.kind);
    if (forms) {
      this.#runIn(this.#showNew(of, forms, { args: sent.args, runs: false }), sent);
    }
  }

  #runIn(form: OpenForm, sent: SentArguments): void {
    void form.session.runAgain(sent).then(() => {
      const { review } = this.#context;
      if (review.isVisible && !review.isInUse && form.panel.isOpen) {
        form.panel.reveal();
      }
    });
  }

  #restore(panel: vscode.WebviewPanel, kept: KeptPage | undefined): void {
    const forms = kept && this.#kinds.get(kept.kind);
    if (!forms) {
      panel.dispose();
      return;
    }
    const { kind, server, name, fields, json } = kept;
    const of = { kind, server, name };
    // The editor has kept its title, which the server has not listed yet.
    this.#show({ of, forms, tab: panel }, { fields, json, runs: false });
  }

  #showNew(of: RequestTarget, forms: RequestForms, start: RequestFormStart): OpenForm {
    return this.#show({ of, forms, tab: titleOf(of, forms) }, start);
  }

  #show({ of, forms, tab }: FormToOpen, start: RequestFormStart): OpenForm {
    const panel = new PagePanel(this.#context.extensionUri, 'request', tab);
    const { send, failure } = forms.portOf(of);
    const { questions, review } = this.#context;
    const port: RequestFormPort = {
      questions,
      send: async (sent, events, signal) => {
        const onSent = (request: RequestInFlight): void => {
          this.#sent.set(request, { form, sent });
          events.onSent(request);
        };
        try {
          return await send(sent, { ...events, onSent }, signal);
        } catch (error) {
          if (error instanceof HostError && error.code === 'signInRequired' && panel.isVisible) {
            await runCommand('signInShown', of.server).catch(() => {}); // the page is enough if signing in is missing
          }
          throw error;
        }
      },
      failure,
      look: () => forms.look(of),
      post: (message) => panel.post(message),
      remember: (fields) => this.#remember(of, fields),
      review: (question) => review.review(question),
      answered: () => {
        if (review.isVisible) {
          panel.reveal();
        }
      },
      finished: (hasFailed) => this.#announce(panel, of, forms, hasFailed),
      remedy: (remedy) => void runCommand(commands[remedy], of.server),
      failed: () => {
        panel.dispose();
        void tellNoPage(`The form of '${titleOf(of, forms)}'`);
      },
    };
    const session = new RequestFormSession(of, port, start);
    const form = { of, panel, session };
    this.#open.add(form);
    panel.add(toDisposable(() => this.#open.delete(form)));
    panel.load(session);
    return form;
  }

  #announce(panel: PagePanel, of: RequestTarget, forms: RequestForms, hasFailed: boolean): void {
    if (panel.isVisible) {
      return; // its page is about to show it
    }
    const timer = setTimeout(() => {
      if (panel.isOpen && !panel.isVisible) {
        const { server } = forms.look(of);
        const names = { kind: of.kind, name: oneLine(of.name, 60) };
        void this.#offer(panel, finishedWords(names, oneLine(server, 60), hasFailed));
      }
    }, HIDDEN_MS);
    this.#store.add({ dispose: () => clearTimeout(timer) });
  }

  async #offer(panel: PagePanel, { sentence, show }: ReturnType<typeof finishedWords>): Promise<void> {
    const pressed = await vscode.window.showInformationMessage(inNotification(sentence), show);
    if (pressed === show && panel.isOpen) {
      panel.reveal();
    }
  }

  #remember(of: RequestTarget, fields: KeptFields): void {
    const key = keyOf(of);
    this.#remembered.delete(key);
    this.#remembered.set(key, fields);
    const [oldest] = this.#remembered.keys();
    if (this.#remembered.size > MAX_REMEMBERED && oldest !== undefined) {
      this.#remembered.delete(oldest);
    }
  }
}

/** Opens something from a result; `names` are the server's, and that of what it is a result of. */
export function openFromForm(
  id: ServerId,
  names: readonly string[],
  openable: Openable,
  viewDocuments: ViewDocuments,
): void {
  if (openable.kind === 'resource') {
    const { uri, mimeType } = openable;
    void runCommand('openResource', { address: { serverId: id, uri }, mimeType });
  } else {
    void openMedia(viewDocuments, names.map(fileName).join('/'), [openable.media]);
  }
}

function keyOf({ kind, server, name }: RequestTarget): string {
  return JSON.stringify([kind, server, name]);
}

function titleOf(of: RequestTarget, forms: RequestForms): string {
  const look = forms.look(of);
  return oneLine((look.kind === 'listed' && look.listed.title?.trim()) || of.name, 40);
}
