import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/lifetime/disposable.ts';
import { isActive } from '../../host/state/connectionState.ts';
import type { McpHost } from '../../host/servers/mcpHost.ts';
import type { QuestionQueue } from '../../host/questions/questionQueue.ts';

/** What the `when` clauses of package.json ask: a command is hidden where it does not apply. */
type ContextKey =
  | 'mcpHost.hasServers'
  | 'mcpHost.hasActive'
  | 'mcpHost.hasIdle'
  | 'mcpHost.hasRunning'
  | 'mcpHost.hasQuestions'
  /** Some server requires you to sign in, waits for the browser, or is used with an account. */
  | 'mcpHost.hasSignIn'
  | 'mcpHost.hasAccount'
  /**
   * The page of walkthroughs may be open. Each step waits for this and for its own key: the editor never ticks a step whose
   * keys are all true already when it first reads the walkthrough.
   */
  | 'mcpHost.isWelcomeOpen'
  /** See `WalkthroughProgress`. */
  | 'mcpHost.hasOwnServer'
  | 'mcpHost.isSampleRunning'
  | 'mcpHost.hasAllowedLaunch'
  | 'mcpHost.hasRunTool'
  | 'mcpHost.hasAgentMode'
  | 'mcpHost.hasAgentGrant'
  /** Models need MCP Host's own tools: agent mode doesn't get some server that is in chat. */
  | 'mcpHost.hasChatTools'
  | 'mcpHost.hasActivityFilter'
  /** There is activity of other workspaces, and the list leaves it out. */
  | 'mcpHost.hasOtherActivity'
  /** The active resource has changed since you last saw it. */
  | 'mcpHost.hasLastSeen'
  /** Tools of some server are held back. */
  | 'mcpHost.hasToolChanges'
  /** The active editor compares a server's tools. */
  | 'mcpHost.isChangeReview'
  | 'mcpHost.canLetVary'
  /** The active editor shows the result of a tool. */
  | 'mcpHost.isResult'
  | 'mcpHost.canOpenFromResult'
  | 'mcpHost.isResultOfMissed'
  /** The active editor lists the traffic of a server, and stands still. */
  | 'mcpHost.isTrafficPaused'
  /** It is recorded although no tab shows it. */
  | 'mcpHost.isTrafficRecorded'
  | 'mcpHost.isPromptPreview'
  | 'mcpHost.canSendPrompt'
  | 'mcpHost.hasResourceFilter';

export class ContextKeys implements Disposable {
  readonly #store = new DisposableStore();
  readonly #known = new Map<ContextKey, boolean>();

  constructor(host: McpHost, questions: QuestionQueue) {
    const update = (): void => {
      const states = host.servers.map(({ connection }) => connection.state);
      this.set('mcpHost.hasServers', states.length > 0);
      this.set('mcpHost.hasActive', states.some(isActive));
      this.set(
        'mcpHost.hasIdle',
        states.some((state) => !isActive(state) || state.kind === 'backingOff'),
      );
      this.set(
        'mcpHost.hasRunning',
        states.some(({ kind }) => kind === 'running'),
      );
      this.set(
        'mcpHost.hasSignIn',
        states.some(({ signIn }) => signIn !== undefined),
      );
      this.set('mcpHost.hasQuestions', questions.questions.length > 0);
    };
    this.#store.add(host.onDidChangeServers(update));
    this.#store.add(host.onDidChangeServer(update));
    this.#store.add(questions.onDidChange(update));
    const updateWelcome = (): void => {
      const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
      // The API has no input for the page.
      this.set(
        'mcpHost.isWelcomeOpen',
        tabs.some(({ input }) => input === undefined),
      );
    };
    this.#store.add(vscode.window.tabGroups.onDidChangeTabs(updateWelcome));
    updateWelcome();
  }

  dispose(): void {
    this.#store.dispose();
  }

  set(key: ContextKey, value: boolean): void {
    if (this.#known.get(key) !== value) {
      this.#known.set(key, value);
      void vscode.commands.executeCommand('setContext', key, value);
    }
  }
}
