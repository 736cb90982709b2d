import type { Tool } from '@modelcontextprotocol/client';
import { isRecord } from '../../base/values/record.ts';
import type { ServerConnection } from '../../host/connection/serverConnection.ts';
import { argumentSteps, wholeStep, type ArgumentStep } from '../../host/schemas/argumentSteps.ts';
import { prepareCheck } from '../../host/schemas/checkArguments.ts';
import type { EditDocuments } from './editDocuments.ts';
import { oneLine } from '../messages/plainText.ts';
import { askArguments } from './askArguments.ts';

/** The values last entered, by argument; undefined stands for the whole object. */
export type RememberedArguments = Map<string | undefined, unknown>;

/** Arguments as they are sent. */
export interface AskedArguments {
  readonly args: Readonly<Record<string, unknown>>;
  /** Arguments whose values are never stored. */
  readonly secrets: ReadonlySet<string>;
}

export interface ToolArgumentsRequest {
  readonly tool: Tool;
  readonly server: string;
  readonly connection: Pick<ServerConnection, 'logger' | 'schemas'>;
  readonly remembered: RememberedArguments;
  readonly canGoBack: boolean;
}

/** Asks for the arguments of a tool until they fit its schema. */
export async function askToolArguments(
  { tool, server, connection, remembered, canGoBack }: ToolArgumentsRequest,
  editDocuments: EditDocuments,
): Promise<AskedArguments | 'back' | 'cancelled'> {
  const check = await prepareCheck(
    connection.schemas,
    tool.inputSchema,
    oneLine(tool.name),
    connection.logger,
  );
  const entered: RememberedArguments = new Map();
  let steps = argumentSteps(tool.inputSchema);
  const secrets = secretArguments(tool);
  let from = 0;
  let problem: string | undefined;
  for (;;) {
    const answer = await askArguments(
      {
        title: `Run ${oneLine(tool.name, 60)} on ${oneLine(server, 60)}`,
        tool: oneLine(tool.name, 60),
        steps,
        check,
        inputSchema: tool.inputSchema,
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
    const [first] = await check(args);
    if (!first) {
      return { args, secrets };
    }
    problem = first.message;
    from = steps.findIndex(({ argument }) => argument !== undefined && argument === first.argument);
    if (from < 0) {
      // No single step can fix it, so all arguments are shown as JSON.
      from = 0;
      steps = [wholeStep(tool.inputSchema)];
      entered.clear();
      entered.set(undefined, args);
    }
  }
}

/** The arguments whose values are never stored. */
export function secretArguments({ inputSchema }: Tool): ReadonlySet<string> {
  return new Set(argumentSteps(inputSchema).flatMap(secretName));
}

/** Makes the steps begin with the arguments of a call, without secrets; what it left out is left out again. */
export function rememberArguments(
  { inputSchema }: Tool,
  { args, secrets }: AskedArguments,
  remembered: RememberedArguments,
): void {
  remembered.clear();
  for (const { argument } of argumentSteps(inputSchema)) {
    if (argument === undefined) {
      remembered.set(undefined, args);
    } else if (!secrets.has(argument)) {
      remembered.set(argument, args[argument]);
    }
  }
}

function secretName(step: ArgumentStep): readonly string[] {
  return step.kind === 'text' && step.isSecret && step.argument !== undefined ? [step.argument] : [];
}

/** The arguments as an object, entered as a whole or one by one. */
function argumentsIn(entered: RememberedArguments): Readonly<Record<string, unknown>> {
  const whole = entered.get(undefined);
  return isRecord(whole)
    ? whole
    : Object.fromEntries([...entered].map(([name, value]): [string, unknown] => [name ?? '', value]));
}
