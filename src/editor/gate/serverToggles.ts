import type { ServerId } from '../../host/config/serverDefinition.ts';
import type { HostTools } from '../../host/gate/hostTools.ts';
import type { HostServer } from '../../host/servers/mcpHost.ts';
import { reportingError } from '../messages/notifications.ts';

/** What a click on a checkbox does; each resolves when that is done, or left. */
export interface ServerToggles {
  /** Shares a folder with a server, or stops sharing it. */
  root(server: HostServer, uri: string, isShared: boolean): Promise<void>;
  /** Shows a tool to models, or stops showing it; without a name all tools of the server. */
  expose(server: HostServer, isExposed: boolean, tool?: string): Promise<void>;
  /** Chooses something for all tools of a server, or takes that back. */
  choose(server: HostServer, choice: ToolChoice, isChosen: boolean): Promise<void>;
}

/** Something that you can choose for all tools of a server, by a box on its page that says what it means. */
export interface ToolChoice {
  readonly label: string;
  readonly meaning: string;
  readonly isChosen: (tools: HostTools, id: ServerId) => boolean;
  readonly keep: (tools: HostTools, id: ServerId, isChosen: boolean) => Promise<void>;
}

export const toolChoices: readonly ToolChoice[] = [
  {
    label: "Trust the server's tool labels",
    meaning:
      'Tools that it labels read-only then run for models and other extensions without asking you. Its labels are not verified.',
    isChosen: (tools, id) => tools.isTrusted(id),
    keep: (tools, id, isTrusted) => tools.trust(id, isTrusted),
  },
  {
    label: 'Show new tools to models automatically',
    meaning:
      'Models then see a new tool at once, with its whole description. Its first call asks you; changed tools still wait for your review.',
    isChosen: (tools, id) => tools.offersNew(id),
    keep: (tools, id, areShown) => tools.offerNew(id, areShown),
  },
];

/** What the checkboxes of a server do. */
export function serverToggles(tools: HostTools, root: ServerToggles['root']): ServerToggles {
  return {
    root,
    expose: (server, isExposed, tool) =>
      kept(server, () => tools.expose(server.connection.definition.id, isExposed, tool)),
    choose: (server, choice, isChosen) =>
      kept(server, () => choice.keep(tools, server.connection.definition.id, isChosen)),
  };
}

/** Keeps what you chose, or shows why that failed. */
async function kept({ label }: HostServer, keep: () => Promise<void>): Promise<void> {
  await reportingError(`Your choice for server '${label}' could not be kept`, keep);
}
