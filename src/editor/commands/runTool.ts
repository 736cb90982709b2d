import type { CallToolResult, Tool } from '@modelcontextprotocol/client';
import * as vscode from 'vscode';
import { CancellationError } from '../../base/cancellation.ts';
import { DisposableStore } from '../../base/disposable.ts';
import type { ServerConnection } from '../../host/connection/serverConnection.ts';
import { messageOf } from '../../host/hostError.ts';
import type { McpHost } from '../../host/mcpHost.ts';
import { argumentSteps, wholeStep, type ArgumentStep } from '../../host/tools/argumentSteps.ts';
import { prepareCheck } from '../../host/tools/checkArguments.ts';
import { isRecord } from '../../host/tools/jsonSchema.ts';
import { resultDocument, type FinishedCall } from '../../host/tools/resultDocument.ts';
import { fileName } from '../documents/documentStore.ts';
import { EditDocuments } from '../documents/editDocuments.ts';
import { openMedia } from '../documents/openMedia.ts';
import type { ViewDocuments } from '../documents/viewDocuments.ts';
import type { ServerNode } from '../views/serverNodes.ts';
import { askArguments } from './askArguments.ts';
import { pickTool, type ToolReference } from './pickTool.ts';
import { withCallProgress } from './withCallProgress.ts';
import { inNotification, oneLine } from '../plainText.ts';

export interface RunToolDependencies {
  readonly host: McpHost;
  readonly viewDocuments: ViewDocuments;
}

/** The values last entered, for each argument; an argument of undefined is the whole object. */
type Remembered = Map<string | undefined, unknown>;

/** Registers `mcpHost.runTool`: from the palette it asks for the tool, from the tree it is handed one. */
export function registerRunTool({ host, viewDocuments }: RunToolDependencies): vscode.Disposable {
  const store = new DisposableStore();
  const editDocuments = store.add(new EditDocuments());
  const memory = new Map<string, Remembered>();

  const rememberedOf = ({ connection, toolName }: ToolReference): Remembered => {
    const key = JSON.stringify([connection.definition.id, toolName]);
    const remembered = memory.get(key) ?? new Map<string | undefined, unknown>();
    memory.set(key, remembered);
    return remembered;
  };

  const runOne = async (reference: ToolReference, canGoBack: boolean): Promise<'back' | 'done'> => {
    const { connection, toolName } = reference;
    const server = host.server(connection.definition.id)?.label ?? connection.definition.name;
    const tool = connection.catalogue?.tools.find(({ name }) => name === toolName);
    if (!tool) {
      const isRunning = connection.state.kind === 'running';
      await showFailure(
        connection,
        isRunning
          ? `Server '${server}' has no tool '${toolName}' any more.`
          : `Server '${server}' is not running: start it, then run '${toolName}'.`,
      );
      return 'done';
    }
    const asked = await askFor(tool, server, reference, rememberedOf(reference), canGoBack, editDocuments);
    if (asked === 'back' || asked === 'cancelled') {
      return asked === 'back' ? 'back' : 'done';
    }
    await callAndShow(connection, server, tool, asked, viewDocuments);
    return 'done';
  };

  store.add(
    vscode.commands.registerCommand('mcpHost.runTool', async (node?: ServerNode) => {
      if (node?.kind === 'tool') {
        await runOne({ connection: node.server.connection, toolName: node.tool.name }, false);
        return;
      }
      for (let reference = await pickTool(host); reference; reference = await pickTool(host)) {
        if ((await runOne(reference, true)) === 'done') {
          return;
        }
      }
    }),
  );
  return store;
}

interface AskedArguments {
  readonly args: Readonly<Record<string, unknown>>;
  readonly secrets: ReadonlySet<string>;
}

/** Asks for the arguments until they fit the tool's schema. */
async function askFor(
  tool: Tool,
  server: string,
  { connection }: ToolReference,
  remembered: Remembered,
  canGoBack: boolean,
  editDocuments: EditDocuments,
): Promise<AskedArguments | 'back' | 'cancelled'> {
  const check = await prepareCheck(tool.inputSchema, oneLine(tool.name), connection.logger);
  const entered: Remembered = new Map();
  let steps = argumentSteps(tool.inputSchema);
  const secrets = new Set(steps.flatMap(secretName));
  let from = 0;
  let problem: string | undefined;
  for (;;) {
    const answer = await askArguments(
      {
        title: `Run ${oneLine(tool.name, 60)} on ${oneLine(server, 60)}`,
        tool: oneLine(tool.name, 60),
        steps,
        check,
        entered,
        remembered,
        canGoBack,
        from,
        problem,
      },
      editDocuments,
    );
    if (answer !== 'done') {
      return answer;
    }
    const args = argumentsIn(entered);
    const [first] = check(args);
    if (!first) {
      return { args, secrets };
    }
    problem = first.message;
    from = steps.findIndex(({ argument }) => argument !== undefined && argument === first.argument);
    if (from < 0) {
      // No single step can mend it: the whole is shown as JSON.
      from = 0;
      steps = [wholeStep(tool.inputSchema)];
      entered.clear();
      entered.set(undefined, args);
    }
  }
}

function secretName(step: ArgumentStep): readonly string[] {
  return step.kind === 'text' && step.isSecret && step.argument !== undefined ? [step.argument] : [];
}

/** The arguments object: written as a whole, or argument by argument. */
function argumentsIn(entered: Remembered): Readonly<Record<string, unknown>> {
  const whole = entered.get(undefined);
  return isRecord(whole)
    ? whole
    : Object.fromEntries([...entered].map(([name, value]): [string, unknown] => [name ?? '', value]));
}

async function callAndShow(
  connection: ServerConnection,
  server: string,
  tool: Tool,
  { args, secrets }: AskedArguments,
  viewDocuments: ViewDocuments,
): Promise<void> {
  const startedAt = new Date();
  const clock = performance.now();
  let result: CallToolResult;
  try {
    result = await withCallProgress(`Running ${tool.name} on ${server}`, (onProgress, signal) =>
      connection.callTool(tool.name, args, { onProgress }, signal),
    );
  } catch (error) {
    if (!(error instanceof CancellationError)) {
      await showFailure(connection, `Server '${server}' could not run '${tool.name}': ${messageOf(error)}`);
    }
    return;
  }
  const durationMs = performance.now() - clock;
  await showResult({ server, tool: tool.name, startedAt, durationMs, args, secrets }, result, viewDocuments);
}

async function showResult(
  call: FinishedCall,
  result: CallToolResult,
  viewDocuments: ViewDocuments,
): Promise<void> {
  const { text, language, images, audio } = resultDocument(call, result);
  const time = call.startedAt.toTimeString().slice(0, 8).replaceAll(':', '-');
  const name = [call.server, `${call.tool} ${time}`].map(fileName).join('/');
  await viewDocuments.show(`${name}.${language === 'jsonc' ? 'jsonc' : 'txt'}`, text, {
    language: language === 'jsonc' ? language : 'mcp-host-result',
  });
  await openMedia(viewDocuments, name, [...images, ...audio]);
}

async function showFailure(connection: ServerConnection, message: string): Promise<void> {
  const showLog = 'Show Log';
  if ((await vscode.window.showErrorMessage(inNotification(message), showLog)) === showLog) {
    await vscode.commands.executeCommand('mcpHost.showLog', connection.definition.id);
  }
}
