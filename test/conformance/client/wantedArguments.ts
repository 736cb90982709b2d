import { isRecord } from '../../../src/base/values/record.ts';
import { argumentSteps, type ArgumentStep } from '../../../src/host/schemas/argumentSteps.ts';

/** What a person would fill in where the form for a tool's arguments wants something. */
export function wantedArguments(inputSchema: unknown): Readonly<Record<string, unknown>> {
  const args: Record<string, unknown> = {};
  for (const step of argumentSteps(inputSchema)) {
    const value = step.whenEmpty === 'omit' ? undefined : wantedBy(step);
    if (step.argument !== undefined) {
      args[step.argument] = value;
    } else if (isRecord(value)) {
      Object.assign(args, value);
    }
  }
  return args;
}

function wantedBy(step: ArgumentStep): unknown {
  switch (step.kind) {
    case 'text':
      return 'text';
    case 'number':
      return step.minimum ?? 1;
    case 'boolean':
      return true;
    case 'choice':
      return step.isMany ? [] : step.choices[0]?.value;
    case 'list':
      return [wantedBy(step.item)];
    case 'json':
      return step.skeleton;
  }
}
