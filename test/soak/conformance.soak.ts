import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { conformanceProgram } from '../editor/paths.mjs';
import { TemporaryFolder } from '../editor/temporaryFolder.ts';
import { stdioServer } from '../unit/support/definitions.ts';
import { GatewayBed } from '../unit/support/gatewayBed.ts';
import { BearerProxy } from './bearerProxy.ts';

const installMs = 300_000;
const runMs = 50_000;
const server = stdioServer(
  [fileURLToPath(new URL('../fixtures/servers/conformanceServer.ts', import.meta.url))],
  { name: 'conformance' },
);

/** Scenarios, or single checks of one (`scenario/check`), that do not pass by design, each with the reason. */
type ByDesign = Readonly<Record<string, string>>;

const reasons = {
  origin: 'No client of the gateway is a web page, so that a page is turned away wherever it comes from.',
  sampling: 'A server samples from this host, and no client of the gateway is asked.',
  elicitation: 'A server elicits from this host, and no client of the gateway is asked.',
  roots: 'A server asks this host for its roots, and no client of the gateway.',
  input: 'What a server needs besides the arguments it gets from this host, and no client of the gateway.',
  log: "A server's log is this host's.",
  subscriptions: 'The gateway offers no subscriptions of single resources.',
  headers: 'The gateway wants no argument in a header: it takes the wish for it out of a schema.',
} as const;

const revisions: Readonly<Record<string, { readonly scenarios: number; readonly byDesign: ByDesign }>> = {
  '2025-11-25': {
    scenarios: 33,
    byDesign: {
      'dns-rebinding-protection/localhost-host-valid-accepted': reasons.origin,
      'tools-call-sampling': reasons.sampling,
      'tools-call-elicitation': reasons.elicitation,
      'elicitation-sep1034-defaults': reasons.elicitation,
      'elicitation-sep1330-enums': reasons.elicitation,
      'logging-set-level': reasons.log,
      'tools-call-with-logging': reasons.log,
      'resources-subscribe': reasons.subscriptions,
      'resources-unsubscribe': reasons.subscriptions,
    },
  },
  '2026-07-28': {
    scenarios: 40,
    byDesign: {
      'dns-rebinding-protection/localhost-host-valid-accepted': reasons.origin,
      'http-custom-header-server-validation/sep-2243-server-no-xmcp-tool': reasons.headers,
      'http-custom-header-server-validation/sep-2243-server-decode-base64': reasons.headers,
      'http-custom-header-server-validation/sep-2243-server-validate-param-match': reasons.headers,
      'http-custom-header-server-validation/sep-2243-server-reject-invalid-param-chars': reasons.headers,
      'http-custom-header-server-validation/sep-2243-server-reject-param-mismatch': reasons.headers,
      'server-stateless/sep-2575-server-rejects-undeclared-capability': reasons.sampling,
      'server-stateless/sep-2575-missing-capability-http-400': reasons.sampling,
      'server-stateless/sep-2575-http-server-no-independent-requests-on-stream': reasons.elicitation,
      'input-required-result-basic-sampling': reasons.sampling,
      'input-required-result-basic-elicitation': reasons.elicitation,
      'input-required-result-basic-list-roots': reasons.roots,
      'input-required-result-capability-check': reasons.input,
      'input-required-result-ignore-extra-params': reasons.input,
      'input-required-result-missing-input-response': reasons.input,
      'input-required-result-multi-round': reasons.input,
      'input-required-result-multiple-input-requests': reasons.input,
      'input-required-result-non-tool-request': reasons.input,
      'input-required-result-request-state': reasons.input,
      'input-required-result-result-type': reasons.input,
      'input-required-result-tampered-state': reasons.input,
    },
  },
};

interface Check {
  readonly id: string;
  readonly status: 'SUCCESS' | 'INFO' | 'SKIPPED' | 'WARNING' | 'FAILURE';
  readonly errorMessage?: string;
}

suite('The conformance suite, against a server behind the gateway', function () {
  this.timeout(installMs);
  let folder: TemporaryFolder;
  let bed: GatewayBed;
  let proxy: BearerProxy;

  suiteSetup(() => {
    folder = new TemporaryFolder('conformance');
  });

  suiteTeardown(() => folder?.remove());

  setup(async () => {
    bed = new GatewayBed();
    proxy = new BearerProxy(await bed.serve(server));
    await proxy.listen();
  });

  teardown(async () => {
    await proxy?.close();
    await bed.close();
  });

  for (const [revision, { scenarios, byDesign }] of Object.entries(revisions)) {
    test(`passes every scenario of ${revision} that is not declined by design`, async () => {
      await run(revision);
      const results = resultsOf(revision);
      assert.equal(results.size, scenarios);

      const failed = [...results].flatMap(([scenario, checks]) =>
        checks
          .filter(({ status }) => status === 'FAILURE' || status === 'WARNING')
          .map((check) => ({ scenario, place: `${scenario}/${check.id}`, check })),
      );
      assert.deepEqual(
        failed.filter(({ scenario, place }) => !(scenario in byDesign) && !(place in byDesign)),
        [],
      );
      const failing = new Set(failed.flatMap(({ scenario, place }) => [scenario, place]));
      assert.deepEqual(
        Object.keys(byDesign).filter((place) => !failing.has(place)),
        [],
        'passes though it is declined',
      );
      const passed = [...results.keys()].filter((scenario) => !failing.has(scenario));
      console.log(`      ${passed.length} of ${scenarios} scenarios pass: ${passed.join(', ')}`);
    });
  }

  /** Ends with 1 when any scenario fails, as some do by design. */
  async function run(revision: string): Promise<void> {
    const which = ['--suite', 'all', '--spec-version', revision];
    const args = ['server', '--url', proxy.url, ...which, '-o', folder.join(revision), '--timeout', '10000'];
    try {
      await promisify(execFile)(process.execPath, [conformanceProgram, ...args], {
        timeout: runMs,
        maxBuffer: 64 * 1_024 * 1_024,
      });
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 1)) {
        throw error;
      }
    }
  }

  /** What was checked in each scenario, which has a folder of its own with the time in its name. */
  function resultsOf(revision: string): ReadonlyMap<string, readonly Check[]> {
    return new Map(
      readdirSync(folder.join(revision)).map((name) => [
        /^server-(.+)-\d{4}-\d\d-\d\dT/.exec(name)?.[1] ?? name,
        JSON.parse(readFileSync(folder.join(revision, name, 'checks.json'), 'utf8')) as readonly Check[],
      ]),
    );
  }
});
