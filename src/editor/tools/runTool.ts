import type { Tool } from '@modelcontextprotocol/client';
import type * as vscode from 'vscode';
import { DisposableStore } from '../../base/lifetime/disposable.ts';
import type { ServerId } from '../../host/config/serverDefinition.ts';
import type { RequestInFlight } from '../../host/connection/requests/requestsInFlight.ts';
import { NEEDS_TASK, needsTask } from '../../host/tools/hostTool.ts';
import type { McpHost } from '../../host/servers/mcpHost.ts';
import { registerCommand } from '../commands/commands.ts';
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

export interface RunToolDependencies extends ShownCallDependencies {
  readonly host: McpHost;
}

/** Registers "Run Tool", from the palette or the tree, and the actions on results. */
export function registerRunTool(
  dependencies: RunToolDependencies &
    PickToolDependencies & { readonly review: Pick<Review, 'isInUse' | 'reviewMissed'> },
): vscode.Disposable {
  const { host, results, review, recent } = dependencies;
  const store = new DisposableStore();
  const editDocuments = store.add(new EditDocuments());
  const lastEntered = new LastEntered<string | undefined, unknown>();

  const runOne = async (
    reference: ToolReference,
    { canGoBack = false, from }: { readonly canGoBack?: boolean; readonly from?: AskedArguments } = {},
  ): Promise<'back' | 'done'> => {
    const { connection, toolName } = reference;
    const { id, name: ownName } = connection.definition;
    const server = host.server(id)?.label ?? ownName;
    const tool = toolOf(reference);
    if (!tool) {
      await tellMissing(server, reference);
      return 'done';
    }
    if (needsTask(tool)) {
      await tellFailure(id, `Tool '${toolName}' of server '${server}' was not run: ${NEEDS_TASK}.`);
      return 'done';
    }
    const remembered = lastEntered.of(id, toolName);
    if (from) {
      rememberArguments(tool, from, remembered);
    }
    const { logger } = connection;
    const asked = await askToolArguments({ tool, server, logger, remembered, canGoBack }, editDocuments);
    if (asked === 'back' || asked === 'cancelled') {
      return asked === 'back' ? 'back' : 'done';
    }
    recent.add({ serverId: id, name: tool.name });
    await callAndShow({ id, server, tool: tool.name }, asked, dependencies);
    return 'done';
  };

  store.add(
    registerResultActions({
      results,
      review,
      runAgain: async ({ serverId, call }: ShownResult, editsArguments) => {
        const reference = referenceTo(host, serverId, call.tool);
        if (!reference) {
          await tellFailure(undefined, `Server '${call.server}' is no longer configured.`);
        } else if (editsArguments) {
          await runOne(reference, { from: call });
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
      for (
        let reference = await pickTool(dependencies);
        reference;
        reference = await pickTool(dependencies)
      ) {
        if ((await runOne(reference, { canGoBack: true })) === 'done') {
          return;
        }
      }
    }),
  );
  return store;
}

/** Runs a tool again for you, with the same arguments. */
export function runToolAgain(
  dependencies: RunToolDependencies,
  id: ServerId,
  { method, target, args = {} }: RequestInFlight,
): void {
  const reference = referenceTo(dependencies.host, id, target);
  if (reference && method === 'tools/call') {
    void runWith(dependencies, reference, args);
  }
}

async function runWith(
  dependencies: RunToolDependencies,
  reference: ToolReference,
  args: AskedArguments['args'],
): Promise<void> {
  const { definition } = reference.connection;
  const server = dependencies.host.server(definition.id)?.label ?? definition.name;
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
