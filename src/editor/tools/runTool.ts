import type { Tool } from '@modelcontextprotocol/client';
import type * as vscode from 'vscode';
import { DisposableStore } from '../../base/lifetime/disposable.ts';
import type { ServerId } from '../../host/config/serverDefinition.ts';
import type { RequestInFlight } from '../../host/connection/requests/requestsInFlight.ts';
import type { McpHost } from '../../host/servers/mcpHost.ts';
import { registerCommands, runCommand } from '../commands/commands.ts';
import { EditDocuments } from './editDocuments.ts';
import type { ShownResult } from './resultDocuments.ts';
import { tellFailure, tellNoPage, tellNotRunning } from '../messages/tellFailure.ts';
import type { Review } from '../review/review.ts';
import type { NodeOf, ServerNode } from '../views/servers/serverNodes.ts';
import {
  askToolArguments,
  rememberArguments,
  secretArguments,
  type AskedArguments,
} from './askToolArguments.ts';
import { callAndShow, type ShownCallDependencies } from './callAndShow.ts';
import { LastEntered } from '../quickInput/lastEntered.ts';
import { pickTool, type PickToolDependencies, type ToolReference } from './pickTool.ts';
import { registerResultActions } from './resultActions.ts';
import { toolForms, type ToolFormDependencies } from './toolFormPort.ts';
import type { RequestPanels } from '../requestForms/requestPanels.ts';

export interface RunToolDependencies extends ShownCallDependencies {
  readonly host: McpHost;
  /** The forms in which tools run. */
  readonly panels: RequestPanels;
}

/** Where a tool was selected: in a list to which you can go back, or by a call with these arguments. */
interface RunFrom {
  readonly canGoBack?: boolean;
  readonly from?: AskedArguments;
  /** False if the form only opens, even if there is nothing to fill in. */
  readonly runs?: boolean;
}

/** Registers "Run Tool", from the palette or the tree, and the actions on results. */
export function registerRunTool(
  dependencies: RunToolDependencies &
    PickToolDependencies &
    ToolFormDependencies & {
      readonly review: Pick<Review, 'isInUse' | 'reviewMissed'>;
    },
): vscode.Disposable {
  const { host, results, review, recent, panels } = dependencies;
  const store = new DisposableStore();
  store.add(panels.add('tool', toolForms(dependencies)));
  const editDocuments = store.add(new EditDocuments());
  const lastEntered = new LastEntered<string | undefined, unknown>();

  /** In quick inputs, step by step. */
  const askAndRun = async (reference: ToolReference, { canGoBack = false, from }: RunFrom): Promise<void> => {
    const { id } = reference.connection.definition;
    const server = labelOf(host, reference);
    const tool = toolOf(reference);
    if (!tool) {
      await tellMissing(server, reference);
      return;
    }
    const remembered = lastEntered.of(id, tool.name);
    if (from) {
      rememberArguments(tool, from, remembered);
    }
    const { connection } = reference;
    const asked = await askToolArguments({ tool, server, connection, remembered, canGoBack }, editDocuments);
    if (asked === 'back') {
      await runCommand('runTool');
    } else if (asked !== 'cancelled') {
      recent.add({ serverId: id, name: tool.name });
      await callAndShow({ id, server, tool: tool.name }, asked, dependencies);
    }
  };
  /** In a panel with the tool's form, or without one in quick inputs. */
  const runOne = (reference: ToolReference, from: RunFrom = {}): void => {
    const { connection, toolName } = reference;
    panels.open(
      { kind: 'tool', server: connection.definition.id, name: toolName },
      {
        ...(from.from && { args: from.from.args }),
        ...(from.runs !== undefined && { runs: from.runs }),
        withoutPanel: () => {
          // In quick inputs, a tool without arguments would run at once.
          void (from.runs === false ? tellNoPage(`The form of '${toolName}'`) : askAndRun(reference, from));
        },
      },
    );
  };

  store.add(
    registerResultActions({
      results,
      review,
      runAgain: async ({ serverId, call }: ShownResult, editsArguments) => {
        const reference = referenceTo(host, serverId, call.tool);
        if (!reference) {
          await tellFailure(undefined, `Server '${call.server}' is no longer configured.`);
        } else if (!call.args) {
          runOne(reference);
        } else if (editsArguments) {
          runOne(reference, { from: { ...call, args: call.args } });
        } else {
          await runWith(dependencies, reference, call.args);
        }
      },
    }),
  );
  store.add(
    registerCommands({
      runTool: async (node?: ServerNode) => {
        const reference = node?.kind === 'tool' ? referenceOf(node) : await pickTool(dependencies);
        if (reference) {
          runOne(reference, { canGoBack: node?.kind !== 'tool' });
        }
      },
      showToolForm: (node) => runOne(referenceOf(node), { runs: false }),
    }),
  );
  return store;
}

/** Runs a tool again for you, with the same arguments: in the form from which it ran, if it did. */
export function runToolAgain(
  dependencies: RunToolDependencies,
  id: ServerId,
  request: RequestInFlight,
): void {
  const { method, target, args = {} } = request;
  const reference = referenceTo(dependencies.host, id, target);
  if (!reference || method !== 'tools/call') {
    return;
  }
  const run = (): void => void runWith(dependencies, reference, args);
  if (!dependencies.panels.runAgain(request, run)) {
    run();
  }
}

async function runWith(
  dependencies: RunToolDependencies,
  reference: ToolReference,
  args: AskedArguments['args'],
): Promise<void> {
  const { definition } = reference.connection;
  const server = labelOf(dependencies.host, reference);
  const tool = toolOf(reference);
  if (!tool) {
    await tellMissing(server, reference);
    return;
  }
  const call = { id: definition.id, server, tool: tool.name };
  await callAndShow(call, { args, secrets: secretArguments(tool) }, dependencies, true);
}

function referenceOf({ server: { connection }, tool }: NodeOf<'tool'>): ToolReference {
  return { connection, toolName: tool.name };
}

function referenceTo(host: McpHost, id: ServerId, toolName: string): ToolReference | undefined {
  const connection = host.server(id)?.connection;
  return connection && { connection, toolName };
}

function labelOf(host: McpHost, { connection }: ToolReference): string {
  const { id, name } = connection.definition;
  return host.server(id)?.label ?? name;
}

function toolOf({ connection, toolName }: ToolReference): Tool | undefined {
  return connection.catalogue?.tools.find(({ name }) => name === toolName);
}

async function tellMissing(server: string, { connection, toolName }: ToolReference): Promise<void> {
  if (connection.state.kind === 'running') {
    await tellFailure(connection.definition.id, `Server '${server}' no longer has a tool '${toolName}'.`);
  } else {
    await tellNotRunning(server, connection, `run '${toolName}'`);
  }
}
