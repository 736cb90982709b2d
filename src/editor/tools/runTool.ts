import type * as vscode from 'vscode';
import { DisposableStore } from '../../base/lifetime/disposable.ts';
import type { UnknownRecord } from '../../base/values/record.ts';
import type { ServerId } from '../../host/config/serverDefinition.ts';
import type { RequestInFlight } from '../../host/connection/requests/requestsInFlight.ts';
import type { RequestTarget } from '../../host/requestForms/requestFormProtocol.ts';
import { secretArguments, sentArguments } from '../../host/requestForms/sentArguments.ts';
import type { McpHost } from '../../host/servers/mcpHost.ts';
import { registerCommands } from '../commands/commands.ts';
import type { ShownResult } from './resultDocuments.ts';
import { tellFailure } from '../commands/tellFailure.ts';
import type { Review } from '../review/review.ts';
import type { NodeOf, ServerNode } from '../nodes/serverNode.ts';
import { pickTool, type PickToolDependencies, type ToolReference } from './pickTool.ts';
import { registerResultActions } from './resultActions.ts';
import { toolForms, type ToolFormDependencies } from './toolFormPort.ts';
import type { OpenOptions, RequestPanels } from '../requestForms/requestPanels.ts';

export interface RunToolDependencies {
  readonly host: McpHost;
  /** The forms in which tools run. */
  readonly panels: RequestPanels;
}

/** Registers "Run Tool", from the palette or the tree, and the actions on results. */
export function registerRunTool(
  dependencies: RunToolDependencies &
    PickToolDependencies &
    ToolFormDependencies & {
      readonly review: Pick<Review, 'reviewMissed'>;
    },
): vscode.Disposable {
  const { host, results, review, panels } = dependencies;
  const store = new DisposableStore();
  store.add(panels.add('tool', toolForms(dependencies)));
  /** In a panel with the tool's form. */
  const runOne = (reference: ToolReference, options?: OpenOptions): void =>
    panels.open(targetOf(reference), options);

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
          runOne(reference, { args: call.args });
        } else {
          runWith(dependencies, reference, call.args);
        }
      },
    }),
  );
  store.add(
    registerCommands({
      runTool: async (node?: ServerNode) => {
        const reference = node?.kind === 'tool' ? referenceOf(node) : await pickTool(dependencies);
        if (reference) {
          runOne(reference);
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
  if (!dependencies.panels.runAgain(request)) {
    runWith(dependencies, reference, args);
  }
}

/** In a form of its own; one whose tool is gone says so. */
function runWith({ panels }: RunToolDependencies, reference: ToolReference, args: UnknownRecord): void {
  const { connection, toolName } = reference;
  const of = targetOf(reference);
  const tool = connection.catalogue?.tools.find(({ name }) => name === toolName);
  if (tool) {
    panels.run(of, sentArguments(args, secretArguments(tool.inputSchema)));
  } else {
    panels.open(of, { args, runs: false });
  }
}

function targetOf({ connection, toolName }: ToolReference): RequestTarget {
  return { kind: 'tool', server: connection.definition.id, name: toolName };
}

function referenceOf({ server: { connection }, tool }: NodeOf<'tool'>): ToolReference {
  return { connection, toolName: tool.name };
}

function referenceTo(host: McpHost, id: ServerId, toolName: string): ToolReference | undefined {
  const connection = host.server(id)?.connection;
  return connection && { connection, toolName };
}
