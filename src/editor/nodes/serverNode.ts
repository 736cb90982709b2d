import type { Prompt, Tool } from '@modelcontextprotocol/client';
import type { MissingPart } from '../../base/lifetime/parts.ts';
import type { WebAddress } from '../../host/addresses/webAddress.ts';
import type { ShownAccount } from '../../host/auth/accountText.ts';
import type { SignInAction } from '../../host/auth/signInActions.ts';
import type { DefinitionProblem } from '../../host/config/serverDefinition.ts';
import type { ShadowedDefinition } from '../../host/config/serverNames.ts';
import type { Remedy } from '../../host/connection/failures/remedies.ts';
import type { HostError } from '../../host/errors/hostError.ts';
import type { SharedRoot, WorkspaceFolder } from '../../host/folders/sharedRoot.ts';
import type { MalformedItem } from '../../host/results/soundPage.ts';
import type { RootCandidate, RootsView } from '../../host/roots/rootsView.ts';
import type { HostServer } from '../../host/servers/mcpHost.ts';
import type { SignInState, StartRequest } from '../../host/state/connectionState.ts';
import type { HostTool } from '../../host/tools/hostTool.ts';

/** How many servers, and in which programs, such as "VS Code and Claude Desktop". */
export interface FoundSummary {
  readonly count: number;
  readonly programs: string;
  /** How many of them are in Copilot's file, which can be used where it is. */
  readonly ofCopilot: number;
}

/** A row that helps: a remedy, the log, or what you can do about what a server asks. */
export type ShownRemedy =
  | Remedy
  | { readonly kind: 'showLog' | 'cancel' }
  | { readonly kind: 'open' | 'copyAddress'; readonly address: WebAddress }
  | { readonly kind: 'copyCode'; readonly code: string };

/** Nodes whose children are shown page by page. */
export type PagedKind = 'tools' | 'prompts';

/** What the tree of servers consists of. */
export type ServerNode = { readonly id: string } & (
  | { readonly kind: 'missingPart'; readonly part: MissingPart }
  /** What to do in a window without servers, where other programs have some. */
  | {
      readonly kind: 'start';
      readonly does: 'importServers' | 'useCopilotServers';
      readonly found: FoundSummary;
    }
  | { readonly kind: 'start'; readonly does: 'addServer' | 'trySampleServer' }
  | { readonly kind: 'server'; readonly server: HostServer }
  | { readonly kind: 'failure'; readonly server: HostServer; readonly reason: HostError }
  /** What the server asks you to do before it starts. */
  | { readonly kind: 'asks'; readonly server: HostServer; readonly asks: StartRequest }
  /** What may help a server that failed, or that asks for something. */
  | { readonly kind: 'remedy'; readonly server: HostServer; readonly remedy: ShownRemedy }
  /** You have to sign in, or are about to. */
  | { readonly kind: 'signIn'; readonly server: HostServer; readonly signIn: SignInState }
  | { readonly kind: 'signInAction'; readonly server: HostServer; readonly action: SignInAction }
  /** As whom the server is used. */
  | { readonly kind: 'account'; readonly server: HostServer; readonly account: ShownAccount }
  | { readonly kind: 'tools'; readonly server: HostServer }
  | { readonly kind: 'tool'; readonly server: HostServer; readonly tool: Tool; readonly listed: HostTool }
  /** Something that the server lists but that cannot be used. */
  | {
      readonly kind: 'malformed';
      readonly server: HostServer;
      readonly what: PagedKind;
      readonly item: MalformedItem;
    }
  | { readonly kind: 'agentMode'; readonly server: HostServer }
  /** What the server may do with the editor's language models. */
  | { readonly kind: 'modelAccess'; readonly server: HostServer }
  | { readonly kind: 'prompts'; readonly server: HostServer; readonly count: number }
  | { readonly kind: 'prompt'; readonly server: HostServer; readonly prompt: Prompt }
  /** What is no longer shared, but the server may still use. */
  | { readonly kind: 'lingering'; readonly server: HostServer; readonly roots: readonly SharedRoot[] }
  | { readonly kind: 'roots'; readonly server: HostServer; readonly view: RootsView }
  /** A folder of the workspace, or one inside it, that is or can be shared with the server. */
  | {
      readonly kind: 'root';
      readonly server: HostServer;
      readonly candidate: RootCandidate;
      readonly view: RootsView;
    }
  | { readonly kind: 'leftOut'; readonly server: HostServer; readonly folder: WorkspaceFolder }
  | { readonly kind: 'resources'; readonly server: HostServer; readonly count: number }
  | {
      readonly kind: 'more';
      readonly server: HostServer;
      readonly what: PagedKind;
      readonly hidden: number;
    }
  | { readonly kind: 'shadowed'; readonly shadowed: ShadowedDefinition }
  /** A definition, or a whole layer, that cannot be read. */
  | { readonly kind: 'unreadable'; readonly problems: readonly [DefinitionProblem, ...DefinitionProblem[]] }
  | { readonly kind: 'problem'; readonly problem: DefinitionProblem }
);

export type NodeOf<K extends ServerNode['kind']> = ServerNode & { readonly kind: K };
