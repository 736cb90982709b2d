import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { exitFailure } from '../../../../../src/host/connection/failures/exitFailure.ts';
import { failureWord } from '../../../../../src/host/connection/failures/failureWord.ts';
import { remedyFor } from '../../../../../src/host/connection/failures/remedies.ts';
import type { HostError } from '../../../../../src/host/errors/hostError.ts';
import { ProcessLog } from '../../../../../src/host/transport/processLog.ts';
import { stdioServer } from '../../../support/definitions.ts';

/** How a program that exits with code 1 has failed, by what it writes to stderr. */
function failureOf(stderr: string): HostError {
  const log = new ProcessLog(() => {});
  stderr
    .replace(/\n$/, '')
    .split('\n')
    .forEach((line) => log.stderr(line));
  return exitFailure({ code: 1, signal: null }, log.tail);
}

/** What a published server writes without its key, or without what it connects to: `test/fixtures/stderr/`. */
const files = [
  [
    'kubernetes-mcp-server',
    'Error: unable to create kubernetes target provider: no current-context is set and no contexts are defined in kubeconfig.',
    'exited',
  ],
  ['sentry-mcp-server', 'Error: No access token was provided.', 'needs a token'],
  [
    'mcp-server-elasticsearch',
    'Server error: `url` is not valid: Elasticsearch URL cannot be empty, and 1 more',
    'exited',
  ],
  ['server-redis', '[Redis Error] Error: connect ECONNREFUSED 127.0.0.1:6379', 'exited'],
  [
    'google-calendar-mcp',
    "Original error: ENOENT: no such file or directory, open '/srv/node_modules/@cocal/google-calendar-mcp/gcp-oauth.keys.json'",
    'needs a token',
  ],
  [
    'stripe-mcp',
    'Error: Stripe API key not provided. Please either pass it as an argument --api-key=$KEY or set the STRIPE_SECRET_KEY environment variable.',
    'needs a token',
  ],
  [
    'hubspot-mcp-server',
    'Error: HubSpot access token is required. Set PRIVATE_APP_ACCESS_TOKEN in your environment variables and retry.',
    'needs a token',
  ],
  ['azure-devops-mcp', "Error: Cannot find module '../build/Release/keytar.node'", 'exited'],
  [
    'airtable-mcp-server',
    'Error: airtable-mcp-server: No API key provided. Set it in the `AIRTABLE_API_KEY` environment variable',
    'needs a token',
  ],
  [
    'apify-actors-mcp-server',
    'ERROR APIFY_TOKEN is required but not set in the environment variables or in ~/.apify/auth.json',
    'needs a token',
  ],
] as const;

/** The same in a line. */
const lines = [
  ['Error: BRAVE_API_KEY environment variable is required', 'needs a token'],
  ['EVERART_API_KEY environment variable is not set', 'needs a token'],
  ['GITLAB_PERSONAL_ACCESS_TOKEN environment variable is not set', 'needs a token'],
  ['GOOGLE_MAPS_API_KEY environment variable is not set', 'needs a token'],
  ['Please set SLACK_BOT_TOKEN and SLACK_TEAM_ID environment variables', 'needs a token'],
  ['Please set CHANNEL_ACCESS_TOKEN', 'needs a token'],
  ['Error: PERPLEXITY_API_KEY environment variable is required', 'needs a token'],
  [
    'Please provide a personal access token (PAT) with the --access-token flag or set the SUPABASE_ACCESS_TOKEN environment variable',
    'needs a token',
  ],
  ["Credentials not found. Please run with 'auth' argument first.", 'needs a token'],
  ['Please provide a database URL as a command-line argument', 'exited'],
  [
    'Error: OAuth keys file not found. Please place gcp-oauth.keys.json in current directory or /home/me/.gmail-mcp',
    'needs a token',
  ],
] as const;

suite('A published server that cannot start', () => {
  for (const [name, message, word] of files) {
    test(`says why: ${name}`, () => {
      const stderr = readFileSync(
        new URL(`../../../../fixtures/stderr/${name}.txt`, import.meta.url),
        'utf8',
      );
      const failure = failureOf(stderr);
      assert.equal(failure.message, `it exited with code 1: ${message}`);
      assert.equal(failureWord(failure), word);
      const remedy = remedyFor(failure, stdioServer([], { env: { API_KEY: '' } }));
      assert.equal(remedy?.kind, word === 'needs a token' ? 'setKey' : undefined);
    });
  }

  for (const [line, word] of lines) {
    test(`says why: ${line}`, () => {
      const failure = failureOf(line);
      assert.equal(failure.message, `it exited with code 1: ${line}`);
      assert.equal(failureWord(failure), word);
    });
  }

  test('says why although its usage follows, which is left out', () => {
    const usage = Array.from({ length: 60 }, (_, index) => `  --flag-${index}  A token, if it is required`);
    const failure = failureOf(['Error: no such cluster', 'Name one.', 'Usage:', ...usage].join('\n'));
    assert.equal(failure.message, 'it exited with code 1: Error: no such cluster');
    assert.equal(failure.detail, 'Its last output:\nError: no such cluster\nName one.');
    assert.equal(failureWord(failure), 'exited');
  });

  test('says why before its usage if nothing else does', () => {
    const failure = failureOf('usage: server [-h] --root ROOT\nserver: error: --root is missing');
    assert.equal(failure.message, 'it exited with code 1: server: error: --root is missing');
    assert.match(failureOf('Usage: server <folder>').message, /: Usage: server <folder>$/);
  });

  test('names the field that its settings lack', () => {
    const text = `Traceback (most recent call last):
  File "/srv/main.py", line 9, in <module>
pydantic_core._pydantic_core.ValidationError: 1 validation error for Settings
api_key
  Field required [type=missing, input_value={}, input_type=dict]
    For further information visit https://errors.pydantic.dev/2.11/v/missing`;
    const failure = failureOf(text);
    assert.match(failure.message, /error for Settings api_key Field required \[/);
    assert.equal(failureWord(failure), 'needs a token');
  });

  test('names the variable that its schema requires, with the stack after it', () => {
    const issue = { code: 'invalid_type', expected: 'string', received: 'undefined', path: ['API_KEY'] };
    const json = JSON.stringify(
      [{ ...issue, message: 'Invalid input: expected string, received undefined' }],
      undefined,
      2,
    );
    const failure = failureOf(`ZodError: ${json}\n    at parse [as _parse] (/srv/index.js:1:1)\n}`);
    assert.equal(failure.message, 'it exited with code 1: ZodError: `API_KEY` is missing');
    assert.equal(failureWord(failure), 'needs a token');
  });
});
