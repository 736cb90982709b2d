import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../../../..');

/** What a server is asked for through doors, by whatever way it is written. */
const REQUEST = /\b(?:callTool|readResource|getPrompt)\b|(?<!#)\bcomplete(?:\.call)?\(|[{,] complete\b/;
/** A call on the gate, in a file that has the type. */
const ON_GATE = /(?<![\w)\]])(?:this\.)?#?(?:\w+\.#?)*gate\.(?:callTool|readResource|getPrompt|complete)\(/g;
const IMPORTS_GATE = /^import (?:type )?\{[^}]*\bGate\b[^}]*\} from '[^']*\/gate\.ts';$/m;
/**
 * The way past the methods of a connection: the SDK's client, which takes any method. A language model of the editor
 * has a method of the same name, and asks no server.
 */
const CLIENT = /\.client\b|\bnew (?:\w+\.)?Client\(|(?<!#)\bopenSession\b|(?<! chat\.)\bsendRequest\b/;
const METHOD = /['"`](?:tools\/call|resources\/read|prompts\/get|completion\/complete)['"`]/;

const gate = 'src/host/gate/gate.ts';
const connection = 'src/host/connection/';

/** The lines, beside the gate itself, that may name a request without being a call on the gate. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  // What other extensions are given.
  'src/api.ts': [
    'callTool(',
    'readResource(uri: string, options?: McpRequestOptions): Promise<McpResourceResult>;',
    'getPrompt(',
  ],
  'src/editor/publicApi.ts': [
    'callTool: (tool, args, options) => {',
    'readResource: (uri, options) => {',
    'getPrompt: (prompt, args, options) => {',
  ],
  // The documents that the person opens.
  'src/host/resources/resourceReader.ts': [
    'const result = await connection.readResource(address.uri, {}, signal);',
  ],
  // The part of the gate that asks, once the gate has looked.
  'src/host/gate/gatedCompletions.ts': ['const received = await connection.complete(params, signal);'],
  // What the person types in this host's own boxes.
  'src/host/completion/argumentCompleter.ts': [
    'const { complete, logger, state } = this.#server;',
    'const result = await complete.call(',
  ],
  // The connection itself.
  'src/host/connection/lists/listedToolCall.ts': [
    "client: Pick<Client, 'callTool' | 'getProtocolEra'>,",
    'result = await client.callTool(',
  ],
  'src/host/connection/serverConnection.ts': [
    "readonly callTool: ServerRequests['callTool'] = (...request) => this.#requests.callTool(...request);",
    "readonly readResource: ServerRequests['readResource'] = (...request) =>",
    'this.#requests.readResource(...request);',
    "readonly complete: ServerRequests['complete'] = (...request) => this.#requests.complete(...request);",
    "readonly getPrompt: ServerRequests['getPrompt'] = (...request) => this.#requests.getPrompt(...request);",
  ],
  'src/host/connection/serverRequests.ts': [
    'callTool(',
    'readResource(uri: string, options: RequestOptions = {}, signal?: AbortSignal): Promise<ReadResourceResult> {',
    "send: (session, limits) => session.client.readResource({ uri }, { ...limits, cacheMode: 'bypass' }),",
    'complete(params: CompleteRequestParams, signal?: AbortSignal): Promise<unknown> {',
    "session.client.request({ method: 'completion/complete', params: { ...params } }, anyResult, limits),",
    'getPrompt(',
    'send: (session, limits) => session.client.getPrompt({ name, arguments: { ...args } }, limits),',
    // What it works on for us, as it says itself.
    "{ method: 'tools/call', target: name, args },",
    "{ method: 'resources/read', target: uri },",
    "{ method: 'prompts/get', target: name, args },",
  ],
};

/** What reads for the person, and must read for nobody else. */
const READER = /resources\/resourceReader\.ts'/;
const DOORS =
  /^src\/(?:api\.ts|editor\/publicApi\.ts|editor\/gateway\/|host\/gate\/|host\/gateway\/|host\/ledger\/)/;

/** The lines of a source by which a request could reach a server past the gate. */
function waysPast(file: string, source: string): readonly string[] {
  if (file === gate) {
    return [];
  }
  const hasGate = IMPORTS_GATE.test(source);
  const isConnection = file.startsWith(connection);
  return source
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => !isComment(line))
    .filter((line) => {
      const rest = hasGate ? line.replaceAll(ON_GATE, '') : line;
      return (
        (REQUEST.test(rest) && !allowed[file]?.includes(line)) ||
        (isConnection ? METHOD.test(line) && !allowed[file]?.includes(line) : CLIENT.test(line)) ||
        (DOORS.test(file) && READER.test(line))
      );
    });
}

function isComment(line: string): boolean {
  return (
    line.startsWith('//') ||
    line.startsWith('* ') ||
    line === '*' ||
    /^\/\*(?:[^*]|\*(?!\/))*(?:\*\/)?$/.test(line)
  );
}

const sources = globSync('src/**/*.ts', { cwd: root }).map((file) => ({
  file: file.replaceAll(path.sep, '/'),
  source: readFileSync(path.join(root, file), 'utf8'),
}));

suite('The doors', () => {
  test('reach a server through the gate alone', () => {
    const found = sources.flatMap(({ file, source }) =>
      waysPast(file, source).map((line) => `${file}: ${line}`),
    );
    assert.deepEqual(
      found,
      [],
      'ask the gate; or, where nobody but the person can ask, add the line to the list',
    );
    assert.ok(sources.some(({ file }) => file === gate));
  });

  test('have no more ways past it than are needed', () => {
    for (const [file, lines] of Object.entries(allowed)) {
      const written = sources
        .find((one) => one.file === file)
        ?.source.split('\n')
        .map((line) => line.trim());
      assert.deepEqual(
        lines.filter((line) => !written?.includes(line)),
        [],
        `${file} needs these no more`,
      );
    }
  });

  const importsGate = "import type { Gate } from '../host/gate/gate.ts';\n";
  const past: Readonly<Record<string, string>> = {
    'a call on a connection': 'await connection.callTool(name, {});',
    'a call on what is called a gate': 'await gate.callTool(caller, id, name, {});',
    'a call on a connection in a file that has the gate': `${importsGate}await server.connection.readResource(uri);`,
    'a call on the connection of a gate': `${importsGate}await gate.connection.callTool(name, {});`,
    'a call on what a gate gives': `${importsGate}await gateOf(id).getPrompt(name, {});`,
    'two calls in one line': `${importsGate}await gate.callTool(caller, id, name, {}), one.callTool(name, {});`,
    'a method by its name': "await connection['getPrompt'](name, {});",
    'a method that is taken out': 'const { callTool } = connection;',
    'a method that is handed over': 'run(connection.readResource.bind(connection));',
    'a call behind a comment': '/* a */ connection.callTool(name, {});',
    "the SDK's client": "session.client.request({ method: 'tools/call', params }, schema);",
    'a client of its own': 'const client = new sdk.Client(info);',
    'a question for suggestions': 'const answer = await connection.complete(params);',
    'a session of its own': 'const session = await openSession(context);',
  };
  for (const [name, source] of Object.entries(past)) {
    test(`would be seen to be passed by: ${name}`, () => {
      assert.equal(waysPast('src/editor/any.ts', source).length, 1);
    });
  }

  test('would be seen to be passed inside the connection and by the reader', () => {
    assert.equal(
      waysPast(`${connection}any.ts`, "session.client.request({ method: 'prompts/get' }, any);").length,
      1,
    );
    const reads = "import { ResourceReader } from '../resources/resourceReader.ts';";
    assert.equal(waysPast('src/host/gateway/any.ts', reads).length, 1);
    assert.equal(waysPast('src/editor/resources/any.ts', reads).length, 0);
  });

  const through: Readonly<Record<string, string>> = {
    'a call on the gate': `${importsGate}await gate.callTool(caller, id, name, {});`,
    'a call on the gate that one has': `${importsGate}return this.#gate.readResource(caller, id, uri);`,
    'a call on the gate among other things': `${importsGate}return this.#context.gate.getPrompt(caller, id, name, {});`,
    'words in a comment': '// As `connection.callTool`.\n/**\n * As callTool.\n */\n/** As readResource. */',
  };
  for (const [name, source] of Object.entries(through)) {
    test(`take no offence at ${name}`, () => {
      assert.deepEqual(waysPast('src/editor/any.ts', source), []);
    });
  }
});
