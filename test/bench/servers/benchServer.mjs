// A server of revision 2025-11-25 without dependencies, which starts as fast as Node does: what takes time beside it is
// the host. Over stdio, or with --http on a port of loopback, which it prints. Its switches:
//   --tools=N --resources=N  lists so many besides its own, in pages of 500 and 1,000, or --page=N
// Its tools:
//   echo {text}   answers with the text
//   large {size}  answers with a text of so many bytes
//   flood {size}  sends so many log messages, then answers
//   told          when it was notified that its roots have changed, and when it was asked: process.hrtime in nanoseconds
// After each such notification it asks for its roots: the editor's own host tells nobody else.
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { resourcesOf, toolsOf, workingTools } from './content.mjs';

const { values: switches } = parseArgs({
  options: {
    http: { type: 'boolean' },
    tools: { type: 'string', default: '0' },
    resources: { type: 'string', default: '0' },
    page: { type: 'string' },
  },
});

const tools = [...workingTools, ...toolsOf(0, Number(switches.tools))];
const resources = resourcesOf(0, Number(switches.resources));
/** @type {string[]} */
const told = [];

/**
 * @typedef {{ id?: number | string, method?: string, params?: Record<string, any> }} Message
 * @typedef {(message: object) => void} Send
 */

/** The answer to a request; undefined for what needs none. */
function answerTo(/** @type {Message} */ { id, method, params = {} }, /** @type {Send} */ send) {
  if (method === 'notifications/roots/list_changed') {
    told.push(String(process.hrtime.bigint()));
  }
  if (method === 'notifications/initialized' || method === 'notifications/roots/list_changed') {
    send({ id: `roots ${told.length}`, method: 'roots/list' });
  }
  if (id === undefined || method === undefined) {
    return undefined;
  }
  const result = resultOf(method, params, send);
  return { id, ...(result ? { result } : { error: { code: -32_601, message: 'Method not found' } }) };
}

function resultOf(
  /** @type {string} */ method,
  /** @type {Record<string, any>} */ params,
  /** @type {Send} */ send,
) {
  switch (method) {
    case 'initialize':
      return {
        protocolVersion: '2025-11-25',
        capabilities: { tools: {}, logging: {}, ...(resources.length > 0 && { resources: {} }) },
        serverInfo: { name: 'bench', version: '1.0.0' },
      };
    case 'tools/list':
      return pageOf(tools, 'tools', params['cursor'], 500);
    case 'resources/list':
      return pageOf(resources, 'resources', params['cursor'], 1_000);
    case 'resources/templates/list':
      return { resourceTemplates: [] };
    case 'logging/setLevel':
    case 'ping':
      return {};
    case 'tools/call':
      return { content: [{ type: 'text', text: call(params['name'], params['arguments'] ?? {}, send) }] };
    default:
      return undefined;
  }
}

function pageOf(
  /** @type {readonly object[]} */ items,
  /** @type {string} */ name,
  /** @type {unknown} */ cursor,
  /** @type {number} */ size,
) {
  const start = Number(cursor ?? 0);
  const end = start + Number(switches.page ?? size);
  return { [name]: items.slice(start, end), ...(end < items.length && { nextCursor: String(end) }) };
}

function call(
  /** @type {string} */ name,
  /** @type {{ text?: string, size?: number }} */ { text: said = '', size = 0 },
  /** @type {Send} */ send,
) {
  switch (name) {
    case 'large':
      return 'x'.repeat(size);
    case 'flood':
      for (let sent = 0; sent < size; sent += 1) {
        send({ method: 'notifications/message', params: { level: 'info', data: `Message number ${sent}` } });
      }
      return 'sent';
    case 'told':
      return JSON.stringify(told);
    default:
      return said;
  }
}

const written = (/** @type {object} */ message) => JSON.stringify({ jsonrpc: '2.0', ...message });

function serveStdio() {
  const send = (/** @type {object} */ message) => void process.stdout.write(`${written(message)}\n`);
  let rest = '';
  process.stdin.setEncoding('utf8');
  process.stdin.on('data', (/** @type {string} */ data) => {
    const lines = (rest + data).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const answer = answerTo(JSON.parse(line), send);
      if (answer) {
        send(answer);
      }
    }
  });
}

/** Answers each request in JSON; there is no stream, so that it sends nothing else. */
function serveHttp() {
  const server = createServer((request, response) => {
    if (request.method !== 'POST') {
      response.writeHead(request.method === 'DELETE' ? 200 : 405).end();
      return;
    }
    void text(request).then((body) => {
      const answer = answerTo(JSON.parse(body), () => {});
      if (answer) {
        response.writeHead(200, { 'content-type': 'application/json' }).end(written(answer));
      } else {
        response.writeHead(202).end();
      }
    });
  });
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    console.log(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/mcp`);
  });
  process.stdin.resume().on('end', () => process.exit());
}

if (switches.http) {
  serveHttp();
} else {
  serveStdio();
}
