import type { CallToolResult, Tool } from '@modelcontextprotocol/client';
import * as vscode from 'vscode';
import { CancellationError } from '../../base/cancellation.ts';
import { DisposableStore } from '../../base/disposable.ts';
import type { ServerId } from '../../host/config/serverDefinition.ts';
import type { RequestInFlight } from '../../host/connection/requestsInFlight.ts';
import type { Gate } from '../../host/gate/gate.ts';
import { NEEDS_TASK, needsTask } from '../../host/gate/hostTool.ts';
import { HostError, messageOf } from '../../host/hostError.ts';
import type { McpHost } from '../../host/mcpHost.ts';
import { argumentSteps, wholeStep, type ArgumentStep } from '../../host/tools/argumentSteps.ts';
import { prepareCheck } from '../../host/tools/checkArguments.ts';
import { isRecord } from '../../host/tools/jsonSchema.ts';
import { resultDocument, type FinishedCall } from '../../host/tools/resultDocument.ts';
import { fileName } from '../documents/documentStore.ts';
import { EditDocuments } from '../documents/editDocuments.ts';
import { openMedia } from '../documents/openMedia.ts';
import type { ViewDocuments } from '../documents/viewDocuments.ts';
import { inNotification, oneLine } from '../plainText.ts';
import { tellFailure } from '../tellFailure.ts';
import type { Review } from '../review/review.ts';
import type { ServerNode } from '../views/serverNodes.ts';
import { askArguments } from './askArguments.ts';
import { LastEntered } from './lastEntered.ts';
import { pickTool, type ToolReference } from './pickTool.ts';
import { withCallProgress } from './withCallProgress.ts';

export interface RunToolDependencies {
  readonly host: McpHost;
  /** What the person runs by a click is written down, too. */
  readonly gate: Gate;
  readonly viewDocuments: ViewDocuments;
  /** Where the person answers questions: a result does not cover what they read there. */
  readonly review: Pick<Review, 'isInUse'>;
}

/** The values last entered, for each argument; an argument of undefined is the whole object. */
type Remembered = Map<string | undefined, unknown>;

/** Registers `mcpHost.runTool`: from the palette it asks for the tool, from the tree it is handed one. */
export function registerRunTool(dependencies: RunToolDependencies): vscode.Disposable {
  const { host } = dependencies;
  const store = new DisposableStore();
  const editDocuments = store.add(new EditDocuments());
  const lastEntered = new LastEntered<string | undefined, unknown>();

  const runOne = async (reference: ToolReference, canGoBack: boolean): Promise<'back' | 'done'> => {
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
    const asked = await askFor(
      tool,
      server,
      reference,
      lastEntered.of(id, toolName),
      canGoBack,
      editDocuments,
    );
    if (asked === 'back' || asked === 'cancelled') {
      return asked === 'back' ? 'back' : 'done';
    }
    await callAndShow({ id, server, tool: tool.name }, asked, dependencies);
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

/** Runs a tool again with the arguments that it had, as the person's own click. */
export function runToolAgain(
  dependencies: RunToolDependencies,
  id: ServerId,
  { method, target, args = {} }: RequestInFlight,
): void {
  const server = dependencies.host.server(id);
  if (!server || method !== 'tools/call') {
    return;
  }
  const { connection, label } = server;
  const reference: ToolReference = { connection, toolName: target };
  const tool = toolOf(reference);
  if (tool) {
    const secrets = new Set(argumentSteps(tool.inputSchema).flatMap(secretName));
    void callAndShow({ id, server: label, tool: target }, { args, secrets }, dependencies);
  } else {
    void tellMissing(label, reference);
  }
}

function toolOf({ connection, toolName }: ToolReference): Tool | undefined {
  return connection.catalogue?.tools.find(({ name }) => name === toolName);
}

async function tellMissing(server: string, { connection, toolName }: ToolReference): Promise<void> {
  const isRunning = connection.state.kind === 'running';
  await tellFailure(
    connection.definition.id,
    isRunning
      ? `Server '${server}' has no tool '${toolName}' any more.`
      : `Server '${server}' is not running: start it, then run '${toolName}'.`,
  );
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

interface Call {
  readonly id: ServerId;
  readonly server: string;
  readonly tool: string;
}

async function callAndShow(
  { id, server, tool }: Call,
  { args, secrets }: AskedArguments,
  { gate, viewDocuments, review }: RunToolDependencies,
): Promise<void> {
  const startedAt = new Date();
  const clock = performance.now();
  let result: CallToolResult;
  try {
    result = await withCallProgress(`Running ${tool} on ${server}`, (onProgress, signal) =>
      gate.callTool(
        { kind: 'person' },
        id,
        tool,
        args,
        { onProgress, secrets: textsAmong(args, secrets) },
        signal,
      ),
    );
  } catch (error) {
    if (error instanceof HostError && error.code === 'heldBack') {
      await offerReview(id, `'${oneLine(tool, 60)}' of server '${oneLine(server, 60)}'`);
    } else if (!(error instanceof CancellationError)) {
      await tellFailure(id, `Server '${server}' could not run '${tool}': ${messageOf(error)}`);
    }
    return;
  }
  const durationMs = performance.now() - clock;
  if (review.isInUse && !(await wantsResult(server, tool))) {
    return;
  }
  await showResult({ server, tool, startedAt, durationMs, args, secrets }, result, viewDocuments);
}

/** Asks instead of covering what the person reads at this moment. */
async function wantsResult(server: string, tool: string): Promise<boolean> {
  const show = 'Show Result';
  const message = `'${oneLine(tool, 60)}' of server '${oneLine(server, 60)}' has ended.`;
  return (await vscode.window.showInformationMessage(inNotification(message), show)) === show;
}

/** What is held back is run by nobody, before the person has seen the difference. */
async function offerReview(id: ServerId, tool: string): Promise<void> {
  const review = 'Review Change';
  const message = inNotification(
    `${tool} has changed since it was approved. Review the change before you run it.`,
  );
  if ((await vscode.window.showWarningMessage(message, review)) === review) {
    await vscode.commands.executeCommand('mcpHost.reviewToolChanges', id);
  }
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

/** The values of these arguments, as far as they are texts. */
function textsAmong(args: AskedArguments['args'], names: ReadonlySet<string>): readonly string[] {
  return [...names].map((name) => args[name]).filter((value) => typeof value === 'string');
}
