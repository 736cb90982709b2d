import assert from 'node:assert/strict';
import { isRecord } from '../../../src/base/values/record.ts';
import { HostError } from '../../../src/host/errors/hostError.ts';
import type { OneServerHost } from './oneServerHost.ts';
import { wantedArguments } from './wantedArguments.ts';

/** What the user does in a scenario, once the server runs; `context` is what the scenario tells of it. */
type Deed = (host: OneServerHost, context: unknown) => Promise<void>;

/** The scenarios in which the user does something particular; in all others it is `useEverything`. */
const particular: Readonly<Record<string, Deed>> = {
  'http-custom-headers': async (host, context) => {
    // One of the arguments is `null`, which its schema does not allow: the header must be left out all the same.
    for (const { name, args } of callsIn(context)) {
      await host.callUnchecked(name, args);
    }
  },
  'json-schema-2020-12-preservation': (host) => {
    const shown = host.tools.find(({ tool }) => tool.name === 'json_schema_2020_12_tool');
    return host.callTool('json_schema_echo', { schema: shown?.tool.inputSchema });
  },
  'json-schema-ref-no-deref': async (host) => {
    // The server knows no `tools/call`. The schema is used for it all the same: for the form, and for the check.
    await assert.rejects(
      useEverything(host),
      (error) => error instanceof HostError && error.code === 'protocol',
    );
  },
};

/**
 * The scenarios in which signing in must be refused, with the reason: a client that fails for any other reason would pass
 * them, too.
 */
const refusals: Readonly<Record<string, RegExp>> = {
  'auth/resource-mismatch': /says that its tokens are for another server/,
  'auth/metadata-issuer-mismatch': /has metadata of another issuer/,
  'auth/iss-supported-missing': /does not come from/,
  'auth/iss-wrong-issuer': /does not come from/,
  'auth/iss-unexpected': /does not come from/,
  'auth/iss-normalized': /does not come from/,
};

/** Why the server can't be used in a scenario; undefined if it can. */
export function refusalOf(scenario: string): RegExp | undefined {
  return refusals[scenario];
}

export function deedOf(scenario: string): Deed {
  return particular[scenario] ?? useEverything;
}

/**
 * Calls every tool, reads every resource, gets every prompt, one after the other.
 *
 * @throws what went wrong first, after all of it.
 */
async function useEverything(host: OneServerHost): Promise<void> {
  const { resources, prompts } = host.offered;
  const uses = [
    ...host.tools.map(
      ({ tool }) =>
        () =>
          host.callTool(tool.name, wantedArguments(tool.inputSchema)),
    ),
    ...resources.map(
      ({ uri }) =>
        () =>
          host.readResource(uri),
    ),
    ...prompts.map(({ name, arguments: all = [] }) => () => {
      const required = all.filter((one) => one.required === true);
      return host.getPrompt(name, Object.fromEntries(required.map((one) => [one.name, 'text'])));
    }),
  ];
  const failures: unknown[] = [];
  for (const use of uses) {
    await use().catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0) {
    throw failures[0];
  }
}

interface Call {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** @throws when the scenario does not say which tools to call. */
function callsIn(context: unknown): readonly Call[] {
  const calls = isRecord(context) ? context['toolCalls'] : undefined;
  if (!Array.isArray(calls) || calls.length === 0) {
    throw new Error('The scenario does not say which tools to call.');
  }
  return calls.map((call: unknown) => {
    if (!isRecord(call) || typeof call['name'] !== 'string' || !isRecord(call['arguments'])) {
      throw new Error('The scenario names a call that cannot be made.');
    }
    return { name: call['name'], args: call['arguments'] };
  });
}
