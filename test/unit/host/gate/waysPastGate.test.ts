import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { requestPlaces } from '../../../check/requestPlaces.ts';

const root = path.resolve(import.meta.dirname, '../../../..');

/**
 * Every place, beside calls on the gate, that names a request to a server: the function around it, and what stands
 * there. It is a list to keep short. What is new belongs on it only where nobody but you can ask, or where nothing is
 * sent.
 */
const known: Readonly<Record<string, readonly string[]>> = {
  // What other extensions are given.
  'src/api.ts': [
    'McpServer: defines callTool',
    'McpServer: defines getPrompt',
    'McpServer: defines readResource',
  ],
  'src/editor/api/publicApi.ts': [
    'createServer: defines callTool',
    'createServer: defines getPrompt',
    'createServer: defines readResource',
  ],
  // The gate, and its part for suggestions, which sends once the gate has admitted the request.
  'src/host/gate/gate.ts': [
    'Gate.callTool: connection.callTool',
    'Gate.getPrompt: connection.getPrompt',
    'Gate.readResource: connection.readResource',
    'Gate: defines callTool',
    'Gate: defines complete',
    'Gate: defines getPrompt',
    'Gate: defines readResource',
  ],
  'src/host/gate/gatedCompletions.ts': ['GatedCompletions.ask: connection.complete'],
  // The documents that you open.
  'src/host/resources/resourceReader.ts': ['ResourceReader.#read: connection.readResource'],
  // The results of calls that the gate has let through, for you alone: no caller waits for them any longer.
  'src/host/keptTasks/followedTask.ts': ['FollowedTask.#resultFrom: connection.resumeTask'],
  'src/host/keptTasks/keptTasks.ts': ['KeptTasks.resultOf: connection.resumeTask'],
  // What you type in MCP Host's own boxes.
  'src/host/completion/argumentCompleter.ts': [
    'ArgumentCompleter.#ask: takes out complete',
    'ArgumentCompleter.#ask: uses complete',
    "module: names 'complete'",
  ],
  // The connection itself.
  'src/host/connection/requests/callListedTool.ts': ["callListedTool: names 'tools/call'"],
  // Words about a request; nothing is sent.
  'src/host/connection/requests/workText.ts': [
    "workText: names 'tools/call'",
    "workText: names 'resources/read'",
    "workText: names 'prompts/get'",
  ],
  'src/host/traffic/recording.ts': ["RecordedMessage: names 'client'"],
  'src/host/connection/tasks/taskCalls.ts': ["callAsTask: names 'tools/call'"],
  'src/host/connection/serverConnection.ts': [
    "ServerConnection.callTool: names 'callTool'",
    'ServerConnection.callTool: this.#requests.callTool',
    "ServerConnection.complete: names 'complete'",
    'ServerConnection.complete: this.#requests.complete',
    "ServerConnection.getPrompt: names 'getPrompt'",
    'ServerConnection.getPrompt: this.#requests.getPrompt',
    "ServerConnection.readResource: names 'readResource'",
    'ServerConnection.readResource: this.#requests.readResource',
    'ServerConnection: defines callTool',
    'ServerConnection: defines complete',
    'ServerConnection: defines getPrompt',
    'ServerConnection: defines readResource',
    "ServerConnection.resumeTask: names 'resumeTask'",
    'ServerConnection.resumeTask: this.#requests.resumeTask',
    'ServerConnection: defines resumeTask',
  ],
  'src/host/connection/serverRequests.ts': [
    "ServerRequests.callTool: names 'tools/call'",
    "ServerRequests.complete.send: names 'completion/complete'",
    "ServerRequests.getPrompt: names 'prompts/get'",
    "ServerRequests.getPrompt.send: names 'prompts/get'",
    "ServerRequests.readResource: names 'resources/read'",
    "ServerRequests.readResource.send: names 'resources/read'",
    'ServerRequests: defines callTool',
    'ServerRequests: defines complete',
    'ServerRequests: defines getPrompt',
    'ServerRequests: defines readResource',
    "ServerRequests.resumeTask: names 'tools/call'",
    'ServerRequests: defines resumeTask',
  ],
  // The one place that loads the SDK, for the connection.
  'src/host/sdk/sdk.ts': ['module: uses Client', 'module: uses Client'],
  // What only has the same name: an answer of an issuer about a client, a language model of the editor, and whether a
  // request of Node has been read.
  'src/host/auth/network/issuerAnswers.ts': ["module: names 'client'", "reading: names 'client'"],
  'src/editor/sampling/streamAnswer.ts': ['streamAnswer: chat.sendRequest'],
  'src/host/gateway/loopbackListener.ts': ['turnAway: req.complete'],
};

/** The first places without as many of the second. */
function without(places: readonly string[], others: readonly string[]): readonly string[] {
  const left = [...others];
  return places.filter((place) => {
    const index = left.indexOf(place);
    return index < 0 || left.splice(index, 1).length === 0;
  });
}

const sources = globSync('src/**/*.{ts,tsx,mts,cts,js,mjs}', { cwd: root }).map((file) =>
  file.replaceAll(path.sep, '/'),
);
const found = new Map(
  sources.map((file) => [file, requestPlaces(file, readFileSync(path.join(root, file), 'utf8'))]),
);

suite('Requests of callers', () => {
  test('reach a server through the gate alone', () => {
    assert.ok(found.size > 400, 'the sources are where they are looked for');
    const past = [...found].flatMap(([file, places]) =>
      without(places, known[file] ?? []).map((place) => `${file}: ${place}`),
    );
    assert.deepEqual(
      past,
      [],
      `These places may send a request past the gate:\n${past.join('\n')}\n` +
        'Call the same method of `Gate`, which decides, asks and writes down. Only where nobody but you can ask, or ' +
        'where nothing is sent, add the place to the list `known` in this test.',
    );
  });

  test('have only the ways past it that are needed', () => {
    const gone = Object.entries(known).flatMap(([file, places]) =>
      without(places, found.get(file) ?? []).map((place) => `${file}: ${place}`),
    );
    assert.deepEqual(
      gone,
      [],
      `These places are no longer there: take them off the list.\n${gone.join('\n')}`,
    );
  });
});

const file = 'src/editor/any.ts';
const importsGate = "import type { Gate } from '../host/gate/gate.ts';\n";

suite('A way past the gate', () => {
  const seen: Readonly<Record<string, readonly [source: string, place: string]>> = {
    'a call on a connection': ['await connection.callTool(name, {});', 'module: connection.callTool'],
    'an optional call': ['await connection?.callTool?.(name, {});', 'module: connection?.callTool'],
    'a call on what is called a gate': [
      'await gate.callTool(caller, id, name, {});',
      'module: gate.callTool',
    ],
    "a call on another module's gate": [
      "import { Gate } from '../other/gate.ts';\nawait gate.callTool(name);",
      'module: gate.callTool',
    ],
    'a call on a connection in a file that has the gate': [
      `${importsGate}await server.connection.readResource(uri);`,
      'module: server.connection.readResource',
    ],
    'a call on the connection of a gate': [
      `${importsGate}await gate.connection.callTool(name, {});`,
      'module: gate.connection.callTool',
    ],
    'a call on what a gate gives': [
      `${importsGate}await gateOf(id).getPrompt(name, {});`,
      'module: gateOf(id).getPrompt',
    ],
    'two calls in one line': [
      `${importsGate}await gate.callTool(caller, id, name, {}), one.callTool(name, {});`,
      'module: one.callTool',
    ],
    'a method by its name': ["await connection['getPrompt'](name, {});", "module: names 'getPrompt'"],
    'a method by its name in backticks': [
      'await connection[`complete`](params);',
      "module: names 'complete'",
    ],
    'a method by a name that is known when it runs': [
      'await connection[name](uri);',
      'module: takes any member: connection[name]',
    ],
    'a name for later': ["const method = 'readResource';", "module: names 'readResource'"],
    'a method by reflection': ["Reflect.get(one, 'callTool');", "module: names 'callTool'"],
    'a method that is taken out': ['const { callTool } = connection;', 'module: takes out callTool'],
    'a method that is taken out under another name': [
      'const { complete: ask } = connection;',
      'module: takes out complete',
    ],
    'a method that is taken out by its quoted name': [
      "const { 'getPrompt': ask } = connection;",
      "module: names 'getPrompt'",
    ],
    'a method that a parameter takes out': [
      'const ask = ({ readResource }) => 1;',
      'ask: takes out readResource',
    ],
    'a method that is assigned from a pattern': [
      '({ callTool: run } = connection);',
      'module: takes out callTool',
    ],
    'a method that is handed over': [
      'run(connection.readResource.bind(connection));',
      'module: connection.readResource',
    ],
    'a method that is kept': ['const run = connection.callTool;', 'module: connection.callTool'],
    'a method of the gate that is kept, for whom nobody knows': [
      `${importsGate}const run = gate.callTool;`,
      'module: gate.callTool',
    ],
    'a call behind a comment': ['/* a */ connection.callTool(name, {});', 'module: connection.callTool'],
    'a question for suggestions': [
      'const answer = await connection.complete(params);',
      'module: connection.complete',
    ],
    'a connection that is called gate': [
      `${importsGate}const gate = server.connection;\ngate.callTool(name, {});`,
      "module: gives the name 'gate' to something else in gate = server.connection",
    ],
    'a connection that a parameter calls gate': [
      `${importsGate}const run = (gate: ServerConnection) => gate.callTool(name, {});`,
      "run: gives the name 'gate' to something else in (gate: ServerConnection) => gate.callTool(name, {})",
    ],
    'a connection that a pattern calls gate': [
      `${importsGate}const { connection: gate } = server;`,
      "module: gives the name 'gate' to something else in connection: gate",
    ],
    "the SDK's client": ['session.client.request({ method }, schema);', 'module: session.client'],
    "the SDK's client that is taken out": ['const { client } = session;', 'module: takes out client'],
    'a client of its own': ['const one = new sdk.Client(info);', 'module: sdk.Client'],
    'a client under another name': ["import { Client as Own } from 'sdk';", 'module: uses Client'],
    'a session of its own': ['const session = await openSession(context);', 'module: uses openSession'],
    'a request that is sent by hand': ['await model.sendRequest(messages);', 'module: model.sendRequest'],
  };
  for (const [name, [source, place]] of Object.entries(seen)) {
    test(`is seen: ${name}`, () => {
      assert.deepEqual(requestPlaces(file, source), [place]);
    });
  }

  test('is named by the functions around it', () => {
    const source = `class One { #two(): void { const three = (): unknown => this.connection.callTool('x', {}); } }`;
    assert.deepEqual(requestPlaces(file, source), ['One.#two.three: this.connection.callTool']);
  });

  test('is seen twice where it is twice', () => {
    const source = 'function f(): void { connection.callTool(a); connection.callTool(b); }';
    const places = requestPlaces(file, source);
    assert.equal(places.length, 2);
    assert.deepEqual(without(places, places.slice(1)), places.slice(1));
  });

  test('is seen inside the connection, and by the reader', () => {
    const wire = "session.client.request({ method: 'prompts/get' }, any);";
    assert.deepEqual(requestPlaces('src/host/connection/any.ts', wire), ["module: names 'prompts/get'"]);
    const reads = "import { ResourceReader } from '../resources/resourceReader.ts';";
    for (const one of [
      'src/host/gateway/any.ts',
      'src/host/gate/any.ts',
      'src/host/chat/any.ts',
      'src/editor/chat/registerChatTools.ts',
      'src/editor/api/publicApi.ts',
      'src/editor/chat/registerAgentMode.ts',
    ]) {
      assert.deepEqual(requestPlaces(one, reads), ['module: imports the reader that works for you alone']);
    }
    assert.deepEqual(requestPlaces('src/editor/resources/any.ts', reads), []);
  });

  const through: Readonly<Record<string, string>> = {
    'a call on the gate': 'await gate.callTool(caller, id, name, {});',
    'a call on the gate that one has':
      'class One { f(): unknown { return this.#gate.readResource(caller, id, uri); } }',
    'a call on the gate among other things':
      'class One { f(): unknown { return this.#context.gate.getPrompt(caller, id, name, {}); } }',
    'the gate that is given and kept':
      'interface Parts { readonly gate: Gate }\nconst f = ({ gate }: Parts): Parts => ({ gate });',
    'the gate that is made': 'const gate = new Gate(parts);',
    'the gate that is passed on': 'const { gate } = parts;\nconst again = { gate };',
    'words in a comment': '// As `connection.callTool`.\n/**\n * As callTool.\n */\n/** As readResource. */',
    'a result that is complete': "if (result['resultType'] === 'complete') { done(); }",
  };
  for (const [name, source] of Object.entries(through)) {
    test(`is not: ${name}`, () => {
      assert.deepEqual(requestPlaces(file, importsGate + source), []);
    });
  }

  test('is not looked for in what cannot be parsed, which is an error', () => {
    assert.throws(() => requestPlaces(file, 'const ='), /could not be parsed/);
  });
});
