// The extension as a client of the conformance suite, which runs it once for each scenario: client.cjs <server's URL>.
import assert from 'node:assert/strict';
import { messageOf } from '../../../src/host/errors/hostError.ts';
import { endWithSignals } from '../../editor/endWithSignals.ts';
import { deedOf, refusalOf } from './deeds.ts';
import { oauthFor } from './oauthFor.ts';
import { OneServerHost } from './oneServerHost.ts';

/** Milliseconds before the suite ends this process without a word. */
const longestMs = 25_000;

endWithSignals();
setTimeout(() => {
  console.error(`It has not come to an end in ${longestMs} ms.`);
  process.exit(1);
}, longestMs).unref();

const { MCP_CONFORMANCE_SCENARIO: scenario = '', MCP_CONFORMANCE_CONTEXT: context = 'null' } = process.env;
const known: unknown = JSON.parse(context);
const host = new OneServerHost(process.argv[2] ?? '', oauthFor(scenario, known));
try {
  const refusal = refusalOf(scenario);
  if (refusal) {
    await assert.rejects(host.start(), refusal);
  } else {
    await host.start();
    await deedOf(scenario)(host, known);
  }
} catch (error) {
  console.error(messageOf(error));
  process.exitCode = 1;
} finally {
  await host.close();
}
