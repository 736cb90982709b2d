import type { Tool } from '@modelcontextprotocol/client';
import type * as vscode from 'vscode';
import { DisposableStore } from '../../base/lifetime/disposable.ts';
import type { ServerId } from '../../host/config/serverDefinition.ts';
import type { RequestInFlight } from '../../host/connection/requests/requestsInFlight.ts';
import { LACKS_TASKS } from '../../host/tools/hostTool.ts';
import type { McpHost } from '../../host/servers/mcpHost.ts';
import { registerCommand, runCommand } from '../commands/commands.ts';
import { EditDocuments } from './editDocuments.ts';
import type { ShownResult } from './resultDocuments.ts';
import { tellFailure, tellNotRunning } from '../messages/tellFailure.ts';
import type { Review } from '../review/review.ts';
import type { ServerNode } from '../views/servers/serverNodes.ts';
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
  const runOne = async (reference: ToolReference, from: RunFrom = {}): Promise<void> => {
    const { id } = reference.connection.definition;
    const server = labelOf(host, reference);
    const tool = toolOf(reference);
    if (!tool) {
      await tellMissing(server, reference);
    } else if (reference.connection.lacksTasks(tool)) {
      await tellFailure(id, `Tool '${tool.name}' of server '${server}' was not run: ${LACKS_TASKS}.`);
    } else {
      panels.open(
        { kind: 'tool', server: id, name: tool.name },
        { ...(from.from && { args: from.from.args }), withoutPanel: () => void askAndRun(reference, from) },
      );
    }
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
          await runOne(reference);
        } else if (editsArguments) {
          await runOne(reference, { from: { ...call, args: call.args } });
        } else {
          await runWith(dependencies, reference, call.args);
        }
      },
    }),
  );
  store.add(
    registerCommand('runTool', async (node?: ServerNode) => {
      if (node?.kind === 'tool') {
        await runOne({ connection: node.server.connection, toolName: node.tool.name });
        return;
      }
      const reference = await pickTool(dependencies);
      if (reference) {
        await runOne(reference, { canGoBack: true });
      }
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
