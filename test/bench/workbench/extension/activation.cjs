// @ts-nocheck: it replaces what Node has for itself.
// Measures how long MCP Host takes to load and to activate: this extension is there before it.
const Module = require('node:module');

const measured = { loadMs: 0, loadCpuMs: 0, activateMs: 0, activateCpuMs: 0, files: [] };
globalThis.mcpHostActivation = measured;

const cpuMs = (since) => {
  const { user, system } = process.threadCpuUsage(since);
  return (user + system) / 1_000;
};

const load = Module._load;
Module._load = function (request, ...rest) {
  if (!/mcp-host[^/]*[\\/]dist[\\/]extension\.cjs$/.test(request)) {
    return load.call(this, request, ...rest);
  }
  Module._load = load;
  const cpu = process.threadCpuUsage();
  const started = performance.now();
  const loaded = load.call(this, request, ...rest);
  measured.loadMs = performance.now() - started;
  measured.loadCpuMs = cpuMs(cpu);
  return { ...loaded, activate: (context) => activate(loaded, context) };
};

function activate(loaded, context) {
  const cpu = process.threadCpuUsage();
  const started = performance.now();
  const api = loaded.activate(context);
  measured.activateMs = performance.now() - started;
  measured.activateCpuMs = cpuMs(cpu);
  const folder = context.extensionPath;
  measured.files = Object.keys(require.cache).filter((file) => file.startsWith(folder));
  return api;
}

exports.activate = () => {};
